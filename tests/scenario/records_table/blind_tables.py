"""Tables as people bring them, and what a person would make of each.

They were written before chef was run on any of them. ``red.png`` and ``blue.png`` lie beside each.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple


class Blind(NamedTuple):
    """A table and what it asks.

    Attributes:
        file: its name.
        text: its content.
        kind: of its questions.
        rows: of each row the question, the options, the answer, and how many images it shows; of a
            row that cannot be asked a word of why.
        keys: of the recipe, where a person would have to say something.
    """

    file: str
    text: str
    kind: str
    rows: tuple[tuple[str, tuple[str, ...], Any, int] | str, ...]
    keys: Mapping[str, Any] = MappingProxyType({})


def csv(*lines: str) -> str:
    """The text of lines."""
    return "\n".join(lines) + "\n"


YES, NO = "Yes", "No"
PETS = ("cat", "dog")

BLIND: dict[str, Blind] = {
    # Columns in other English words
    "file, prompt, gold": Blind(
        "a.csv", csv("file,prompt,gold", "red.png,Which color?,red", "blue.png,And this?,blue"),
        "vqa", (("Which color?", (), "red", 1), ("And this?", (), "blue", 1)),
    ),
    "capital letters and spaces": Blind(
        "a.csv", csv("Image Path,Question,Correct Answer", "red.png,Which color?,red"),
        "vqa", (("Which color?", (), "red", 1),),
    ),
    "photo and expected answer": Blind(
        "a.csv", csv("photo,query,expected_answer", "red.png,Which color?,red"),
        "vqa", (("Which color?", (), "red", 1),),
    ),
    "filename and truth": Blind(
        "a.csv", csv("filename,question,truth", "red.png,Which color?,red"),
        "vqa", (("Which color?", (), "red", 1),),
    ),
    "filepath and expected": Blind(
        "a.csv", csv("filepath,question,expected", "red.png,Which color?,red"),
        "vqa", (("Which color?", (), "red", 1),),
    ),
    "choices and a correct choice": Blind(
        "a.jsonl",
        '{"question": "Which pet?", "choices": ["cat", "dog"], "correct_choice": "dog"}\n',
        "mcq", (("Which pet?", PETS, "dog", 0),),
    ),
    "candidates and a correct option": Blind(
        "a.jsonl",
        '{"question": "Which pet?", "candidates": ["cat", "dog"], "correct_option": "B"}\n',
        "mcq", (("Which pet?", PETS, "dog", 0),),
    ),
    "only Q and A": Blind(
        "a.csv", csv("Q,A", "Which color is the sky?,blue"),
        "vqa", (("Which color is the sky?", (), "blue", 0),),
    ),
    # Other languages
    "Chinese options": Blind(
        "a.csv", csv("图片,问题,选项A,选项B,答案", "red.png,什么颜色？,红,蓝,A"),
        "mcq", (("什么颜色？", ("红", "蓝"), "红", 1),),
    ),
    "French options": Blind(
        "a.csv",
        csv("image,question,choix_a,choix_b,bonne_réponse", "red.png,Couleur ?,rouge,bleu,A"),
        "mcq", (("Couleur ?", ("rouge", "bleu"), "rouge", 1),),
    ),
    "Polish options": Blind(
        "a.csv", csv("obraz,pytanie,a,b,odpowiedź", "red.png,Jaki kolor?,czerwony,niebieski,a"),
        "mcq", (("Jaki kolor?", ("czerwony", "niebieski"), "czerwony", 1),),
    ),
    "Turkish": Blind(
        "a.csv", csv("resim,soru,cevap", "red.png,Ne renk?,kırmızı"),
        "vqa", (("Ne renk?", (), "kırmızı", 1),),
    ),
    "Arabic": Blind(
        "a.csv", csv("صورة,سؤال,إجابة", "red.png,ما اللون؟,أحمر"),
        "vqa", (("ما اللون؟", (), "أحمر", 1),),
    ),
    "numbered options and the number of the correct one": Blind(
        "a.csv", csv("img,question,option1,option2,correct", "red.png,Which?,red,blue,1",
                     "blue.png,Which?,red,blue,2"),
        "mcq", (("Which?", ("red", "blue"), "red", 1), ("Which?", ("red", "blue"), "blue", 1)),
    ),
    "German": Blind(
        "a.csv", csv("Bild;Frage;Antwort", "red.png;Welche Farbe?;rot"),
        "vqa", (("Welche Farbe?", (), "rot", 1),),
    ),
    "German with options": Blind(
        "a.jsonl", '{"Frage": "Welches Tier?", "Optionen": ["cat", "dog"], "Antwort": "A"}\n',
        "mcq", (("Welches Tier?", PETS, "cat", 0),),
    ),
    "German yes and no": Blind(
        "a.csv", csv("Bild,Frage,Antwort", "red.png,Ist es rot?,yes", "blue.png,Ist es rot?,no"),
        "yesno", (("Ist es rot?", (YES, NO), YES, 1), ("Ist es rot?", (YES, NO), NO, 1)),
    ),
    "French": Blind(
        "a.csv", csv("image,question,réponse", "red.png,Quelle couleur ?,rouge"),
        "vqa", (("Quelle couleur ?", (), "rouge", 1),),
    ),
    "French without the accent": Blind(
        "a.csv", csv("image,question,reponse", "red.png,Quelle couleur ?,rouge"),
        "vqa", (("Quelle couleur ?", (), "rouge", 1),),
    ),
    "Spanish": Blind(
        "a.csv", csv("imagen,pregunta,respuesta", "red.png,¿De qué color es?,rojo"),
        "vqa", (("¿De qué color es?", (), "rojo", 1),),
    ),
    "Spanish with options": Blind(
        "a.jsonl", '{"pregunta": "¿Qué animal?", "opciones": ["cat", "dog"], "respuesta": "B"}\n',
        "mcq", (("¿Qué animal?", PETS, "dog", 0),),
    ),
    "Portuguese": Blind(
        "a.csv", csv("imagem,pergunta,resposta", "red.png,Qual é a cor?,vermelho"),
        "vqa", (("Qual é a cor?", (), "vermelho", 1),),
    ),
    "Italian": Blind(
        "a.csv", csv("immagine,domanda,risposta", "red.png,Di che colore è?,rosso"),
        "vqa", (("Di che colore è?", (), "rosso", 1),),
    ),
    "Chinese": Blind(
        "a.csv", csv("图片,问题,答案", "red.png,是什么颜色?,红色"),
        "vqa", (("是什么颜色?", (), "红色", 1),),
    ),
    "Chinese with options": Blind(
        "a.jsonl", '{"问题": "哪种动物?", "选项": ["cat", "dog"], "答案": "A"}\n',
        "mcq", (("哪种动物?", PETS, "cat", 0),),
    ),
    "Japanese": Blind(
        "a.csv", csv("画像,質問,回答", "red.png,何色ですか?,赤"),
        "vqa", (("何色ですか?", (), "赤", 1),),
    ),
    "Korean": Blind(
        "a.csv", csv("이미지,질문,정답", "red.png,무슨 색입니까?,빨강"),
        "vqa", (("무슨 색입니까?", (), "빨강", 1),),
    ),
    "Russian": Blind(
        "a.csv", csv("изображение,вопрос,ответ", "red.png,Какой это цвет?,красный"),
        "vqa", (("Какой это цвет?", (), "красный", 1),),
    ),
    # Mixed kinds
    "a letter, a text and a position": Blind(
        "a.jsonl",
        '{"question": "1?", "options": ["cat", "dog"], "answer": "B"}\n'
        '{"question": "2?", "options": ["cat", "dog"], "answer": "cat"}\n'
        '{"question": "3?", "options": ["cat", "dog"], "answer": "(b)"}\n',
        "mcq", (("1?", PETS, "dog", 0), ("2?", PETS, "cat", 0), ("3?", PETS, "dog", 0)),
    ),
    "positions from 1": Blind(
        "a.csv", csv("question,option_a,option_b,answer", "1?,cat,dog,2", "2?,cat,dog,1"),
        "mcq", (("1?", PETS, "dog", 0), ("2?", PETS, "cat", 0)),
    ),
    "positions from 0": Blind(
        "a.csv", csv("question,choice1,choice2,answer", "1?,cat,dog,0", "2?,cat,dog,1"),
        "mcq", (("1?", PETS, "cat", 0), ("2?", PETS, "dog", 0)),
    ),
    "some rows have options and some are open": Blind(
        "a.jsonl",
        '{"question": "1?", "options": ["cat", "dog"], "answer": "B"}\n'
        '{"question": "2?", "options": null, "answer": "a parrot"}\n',
        "mcq", (("1?", PETS, "dog", 0), ("2?", (), "a parrot", 0)),
    ),
    "yes and no as 1 and 0 are numbers": Blind(
        "a.csv", csv("question,answer", "How many?,1", "How many?,0"),
        "vqa", (("How many?", (), "1", 0), ("How many?", (), "0", 0)),
    ),
    "truths": Blind(
        "a.jsonl", '{"question": "Red?", "answer": true}\n{"question": "Blue?", "answer": false}\n',
        "yesno", (("Red?", (YES, NO), YES, 0), ("Blue?", (YES, NO), NO, 0)),
    ),
    "one answer is missing": Blind(
        "a.csv", csv("question,answer", "Which?,red", "And this?,"),
        "vqa", (("Which?", (), "red", 0), ("And this?", (), None, 0)),
    ),
    "an answer that is no option": Blind(
        "a.csv", csv("question,A,B,answer", "1?,cat,dog,A", "2?,cat,dog,horse"),
        "mcq", (("1?", PETS, "cat", 0), "horse"),
    ),
    "one picture is not there": Blind(
        "a.csv", csv("image,question,answer", "red.png,Which?,red", "gone.png,And this?,blue"),
        "vqa", (("Which?", (), "red", 1), "gone.png"),
    ),
    "several accepted answers": Blind(
        "a.jsonl", '{"question": "Which?", "answers": ["red", "crimson"]}\n',
        "vqa", (("Which?", (), ["red", "crimson"], 0),),
    ),
    "two pictures": Blind(
        "a.jsonl", '{"image_1": "red.png", "image_2": "blue.png", "question": "Same?", '
        '"answer": "no"}\n',
        "yesno", (("Same?", (YES, NO), NO, 2),),
    ),
    "options by name": Blind(
        "a.jsonl", '{"question": "Which?", "options": {"A": "cat", "B": "dog"}, "answer": "B"}\n',
        "mcq", (("Which?", PETS, "dog", 0),),
    ),
    "options as text": Blind(
        "a.csv", csv("question|choices|label", "Which?|['cat', 'dog']|1", "Pet?|['cat', 'dog']|0"),
        "mcq", (("Which?", PETS, "dog", 0), ("Pet?", PETS, "cat", 0)),
    ),
    "a list in a document": Blind(
        "a.json", '{"version": 2, "data": [{"query": "Which?", "gt": "red"}]}',
        "vqa", (("Which?", (), "red", 0),),
    ),
    "conversations of one turn": Blind(
        "a.jsonl", '{"chat": [{"text": "Which?"}], "gold": "red"}\n',
        "vqa", (("Which?", (), "red", 0),), {"columns": {"question": "chat.0.text"}},
    ),
    "options by letters in one cell": Blind(
        "a.csv", csv("question,options,answer", "Which?,A) cat B) dog,B",
                     "Pet?,(A) cat; (B) dog,cat", "This?,cat or dog,cat"),
        "mcq", (("Which?", PETS, "dog", 0), ("Pet?", PETS, "cat", 0), "cannot be read"),
    ),
    "German words and semicolons": Blind(
        "a.csv", csv("Nr;Bilddatei;Fragestellung;Option A;Option B;Lösung",
                     "1;red.png;Was?;cat;dog;B"),
        "mcq", (("Was?", PETS, "dog", 1),),
    ),
}  # fmt: skip
