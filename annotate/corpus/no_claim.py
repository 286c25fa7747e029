"""Segments that probably say nothing of the world: a suggestion to whoever judges them, never a label."""

import re

LONGEST = 200
AROUND = " \t\r\n*_#>.!！。,，:：…~😊🙂👍"
PHRASES = (
    r"sure(?: thing)?|certainly|of course|absolutely|okay|ok|great question|thanks|thank you|you're welcome|hello|hi",
    r"(?:sure|certainly|of course|absolutely|okay|ok)[,!.] (?:here (?:is|are)|here's|i can help|let me)\b[^.\d]*",
    r"(?:here (?:is|are)|here's)\b[^.\d]*:",
    r"i hope (?:this|that|it|these|you find)\b[^.\d]*(?:help|useful|answer)[^.\d]*",
    r"(?:hope (?:this|that|it) helps|(?:please )?(?:let me know|feel free|don't hesitate))\b[^.\d]*",
    r"(?:is there anything else|do you have any (?:other |more |further )?questions)\b[^.\d]*",
    r"(?:i'm|i am|i'd be|i would be) (?:happy|glad) to help\b[^.\d]*",
    r"(?:gerne|natürlich|klar|selbstverständlich)|ich hoffe,? (?:das|dies|diese)\b[^.\d]*(?:hilf|helf|nützlich)[^.\d]*",
    r"bien s[uû]r|j'espère que (?:cela|ça|ceci)\b[^.\d]*(?:aide|utile)[^.\d]*",
    r"¡?(?:claro(?: que sí)?|por supuesto)|espero que (?:esto|te|le|les)\b[^.\d]*(?:ayude|útil)[^.\d]*",
    r"конечно|надеюсь,? (?:это|что)\b[^.\d]*(?:помо|полез)[^.\d]*",
    r"当然(?:可以)?|好的|希望(?:这|以上|对)[^。\d]{0,20}(?:帮助|有用)[^。\d]{0,6}",
    r"もちろん(?:です)?|お役に立て[^。\d]{0,12}|ご(?:参考|質問)[^。\d]{0,20}",
)
PATTERN = re.compile("|".join(PHRASES), re.IGNORECASE)


def lacks_claim(text: str) -> bool:
    """Whether the segment is small talk around an answer, such as "Sure!" or "I hope this helps"."""
    said = text.replace("’", "'").strip()
    return len(said) <= LONGEST and any(PATTERN.fullmatch(each) for each in (said, said.strip(AROUND)))
