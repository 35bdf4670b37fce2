"""Closed lists of the words that stand around the names of things in answers with boxes."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Words that begin what describes a noun: "dog next to the cat", "man who holds", "cup of tea".
PREPOSITIONS = _words(
    """
    at in on by with within inside near beside behind above below under over next between
    against across along around before after beneath beyond from into onto through towards
    toward underneath upon to of for that which who whose whom where while as than like without
    outside opposite amid among closest nearest furthest farthest closer nearer
    """
)
#: Places in an image.
POSITIONS = _words(
    """
    left right top bottom upper lower middle center centre corner corners side front back
    foreground background edge edges far half quarter third portion area region part section
    leftmost rightmost topmost centered centred
    """
)
#: Words for boxes, and for what answers say about them.
BOX_NOUNS = _words(
    """
    box boxes bbox bboxes bounding bound bounds coordinate coordinates coords position positions
    location locations rectangle rectangles region det detection detections detected object
    objects item items instance instances thing things label labels class classes category
    categories name answer result results output response json list image picture photo
    photograph scene format normalized normalised pixel pixels xyxy xywh confidence score number
    box_2d bbox_2d point points value values x y x1 y1 x2 y2 xmin ymin xmax ymax width height
    found entry id no
    tool tools call calls function functions
    """
)
#: Articles, pronouns and other small words, and words of courtesy and correction.
SMALL = _words(
    """
    a an the this that these those there here it its it's they them their he his she her hers i
    i'd i'm i'll i've me my we us our you your one another other also and or but so if then yes
    ok okay sure certainly course now just only main single approximately about roughly around
    approx exactly following follows below above given each all both every any some first second
    third fourth fifth last next final corrected correct revised updated new actual actually
    better precise accurate estimated best would could can may might will shall should must
    let's to not based well guess probably likely maybe perhaps somewhere please note thanks hi
    hello wait hmm sorry oops correction apologies however respectively namely specifically
    visible clearly
    approximate assistant ai bot python xml text
    """
)
#: Finite verbs of answers about images. The thing located is the noun after the last of them, or
#: before it where the box follows the verb.
VERBS = _words(
    """
    is are was were be been has have had having sits stands lies holds rides wears walks shows
    show see sees seen contains contain includes plays looks leans rests eats drinks runs flies
    hangs watches carries pulls jumps sleeps appears appear occupies occupy spans span covers
    cover extends extend located locate locates detect detects identified identify find say said
    think believe spot spotted marked mark enclosed encloses surrounds bounded bounds reads
    means represents corresponds refers denotes there's here's that's it's positioned situated
    placed measures goes get gives give provide provided draws drew labeled labelled would
    draw draws annotate annotated estimate use used put
    """
)
#: Words in -ing and -ed that are nouns, or the first part of a name.
NO_PARTICIPLES = _words(
    """
    thing building ceiling clothing earring king lightning painting pudding ring railing string
    swing wing sling pingpong sibling duckling gosling icing dining parking sewing washing
    swimming rolling shopping cutting wedding potted shed sled moped seed weed feed breed steed
    red bed
    spring sting
    """
)
#: Words that describe a thing and name none, as in "the one in blue".
QUALITIES = _words(
    """
    red blue green white black brown yellow grey gray pink purple beige dark bright light small
    large big little tiny tall short young old round empty whole entire same wooden striped
    """
)
#: Participles that do not end in -ing or -ed.
PARTICIPLES = _words(
    """held worn shown seen drawn kept taken hung eaten made built driven ridden"""
)
#: Nouns that count what comes after them: "a pair of scissors" is scissors.
QUANTITIES = _words(
    """
    pair pairs group groups herd flock bunch slice slices piece pieces couple crowd number lot
    lots set row stack pile kind type sort part bouquet pack team loaf variety photo picture
    image swarm school fleet
    """
)
#: Numbers in words.
NUMERALS = _words(
    """
    one two three four five six seven eight nine ten several many few
    """
)
