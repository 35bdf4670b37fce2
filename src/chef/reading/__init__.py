"""Read answers out of free text, with evidence of what matched and where.

Nothing is guessed: a text with two different answers, or with none, is unread. `POLICY` in
`chef.reading.text` names the version of these rules and is stored with the results.

The core, which every reader is built of:

- `chef.reading.lexicon`: the words of ten languages by what they do (``lexicon/*.yaml``):
  `Lexicon`, `Phrases`, `word_pattern`. A phrase stands there once and works for every reader.
- `chef.reading.passage`: what an answer says to its reader: `own_words`, `parts`, `settled`.
- `chef.reading.marks`: what an answer marks itself: `Mark`, `read_marks`, `last_tag`, `statements`.
- `chef.reading.fields`: the fields of JSON in an answer.
- `chef.reading.refusals`: what says that there is no answer, or decides nothing: `UNABLE`,
  `UNDECIDED`.
- `chef.reading.assertion`: what a text does with a thing that it mentions: `Assertion`,
  `assertion`, `negated`.
- `chef.reading.clauses`: the clauses of a text, which of them deny, and which only suppose.
- `chef.reading.text`: `Reading` (value, rule, words, place), `Hit`, and the ends of sentences.
- `chef.reading.patterns`: `Pattern`, compiled when first used and run where it may match; of the
  words of a text `chef.reading.word_index` keeps in which sentences they stand.
- `chef.reading.relation`: `Statement`, a clause laid beside what a yes/no question asks: whether it
  says that the thing is there, where it is, or how it is.

Every reader keeps one order:

1. `read_visible` gives it the excerpt of the answer, and `own_words` what the model says itself.
2. What the answer marks itself: tags, boxes and JSON in the whole text. Nothing below overrules
   these; the last one counts (`read_marks`).
3. `parts` between words of correction, the last one first. In each, statements ("the answer is")
   and lines of their own before everything finer.
4. Its fine rules, on what carries no mark; `assertion` tells which mentions count.
"""
