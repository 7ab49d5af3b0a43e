"""What the pages of a stage must be: stage.md, which teaches it, and notes.md, which has the details."""

import re

LINE_LENGTH = 120
MOST_WORDS = 900

_DIFF = re.compile(r"^```diff\n.*?^```$", re.DOTALL | re.MULTILINE)
_PARTS = {
    "the idea": r"\*\*The idea\b",
    "the ladder or the change": r"\*\*(The ladder|The change|What the code does)\.\*\*",
    "the prediction": r"\*\*What should get faster\b",
    "the measured table": r"<!-- measured: begin\b",
    "when it loses": r"\*\*When it loses\.\*\*",
    "the exercises": r"\*\*Exercises\*\*",
}

# Where docs/words.md defines a word, by its heading, and what stands for it on a page.
WORDS = {
    "streaming-limit": r"streaming limit",
    "common-and-best-parameters": r"(?:common|best) (?:parameters?|settings?)|\| (?:common|best) \|",
    "full-wave": r"\bwaves?\b",
    "strip": r"\bstrips?\b",
    "run": r"\bruns?\b\W* of (?:blocks|strips)\b",
    "front": r"\b(?:one|Pareto) front\b",
}
_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)


def unlinked_words(text: str) -> list[str]:
    """The headings in docs/words.md of those WORDS whose first use in `text` is not a link to them."""
    # A line may end within a word.
    text = " ".join(_CODE.sub("", text).split())
    missing = []
    for heading, pattern in WORDS.items():
        first = re.search(pattern, text)
        link = re.search(rf"\[[^\]]*(?:{pattern})[^\]]*\]\([./]*/docs/words\.md#{heading}\)", text)
        if first and not (link and link.start() < first.start() < link.end()):
            missing.append(heading)
    return missing


def word_count(text: str) -> int:
    """Words with a letter or a digit, generated sections included, without the lines of diffs."""
    return sum(any(map(str.isalnum, word)) for word in _DIFF.sub("", text).split())


def long_lines(text: str) -> list[int]:
    """Numbers of the lines of more than LINE_LENGTH characters, from 1.

    Rows of tables may be longer: Markdown cannot wrap them. Lines with links may not: the text around a link
    can be wrapped.
    """
    lines = enumerate(text.splitlines(), start=1)
    return [number for number, line in lines if len(line) > LINE_LENGTH and not line.startswith("|")]


def _line_problems(text: str) -> list[str]:
    return [f"line {number} has more than {LINE_LENGTH} characters" for number in long_lines(text)]


def stage_page_problems(text: str, has_notes: bool) -> list[str]:
    """What is wrong with a stage.md; `has_notes` says whether a notes.md lies in the same folder."""
    problems = _line_problems(text)
    words = word_count(text)
    if words > MOST_WORDS:
        problems.append(f"{words} words, at most {MOST_WORDS}: move details to notes.md")
    problems += [f"its first use is no link to docs/words.md#{word}" for word in unlinked_words(text)]
    places = {}
    for part, pattern in _PARTS.items():
        match = re.search(rf"^{pattern}", text, re.MULTILINE)
        if match:
            places[part] = match.start()
        else:
            problems.append(f"{part}: missing")
    if list(places.values()) != sorted(places.values()):
        problems.append(f"not in this order: {', '.join(places)}")
    if has_notes != ("](notes.md)" in text):
        problems.append("no link to notes.md" if has_notes else "links to notes.md, which is not there")
    return problems


def notes_problems(text: str) -> list[str]:
    """What is wrong with a notes.md."""
    problems = _line_problems(text)
    if "](stage.md)" not in text:
        problems.append("no link to stage.md")
    if not re.search(r"^## ", text, re.MULTILINE):
        problems.append("no headings")
    return problems
