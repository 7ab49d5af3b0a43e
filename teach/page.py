"""What a student has written on the page of a stage."""

import re
from dataclasses import dataclass

TODO = "To do"

# A prediction names what should change: a counter of `make trace` or of Nsight Compute, or the throughput.
_COUNTERS = re.compile(
    r"\b(sectors?|requests?|passes|conflicts?|lanes?|bytes|registers?|occupancy|stalls?|waves?|instructions?|GB/s)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d")
_PARTS = {
    "idea": r"\*\*The idea\b[^*]*\*\*",
    "change": r"\*\*(?:The change|The ladder)\.\*\*",
    "prediction": r"\*\*What should get faster\b[^*]*\*\*",
    "comparison": r"\*\*Where the prediction was wrong\.\*\*",
    "losses": r"\*\*When it loses\.\*\*",
    "exercises": r"\*\*Exercises\*\*",
}
# Fewer words than this explain nothing.
FEWEST_WORDS = 8


@dataclass(frozen=True)
class Page:
    """The text of each part of a page; empty where the part is missing."""

    parts: dict[str, str]

    def is_written(self, part: str) -> bool:
        """Whether the part has words, and nothing is to be done in it."""
        text = self.parts[part]
        return TODO not in text and len(text.split()) >= FEWEST_WORDS

    @property
    def has_number(self) -> bool:
        return TODO not in self.parts["prediction"] and bool(_NUMBER.search(self.parts["prediction"]))

    @property
    def has_counter(self) -> bool:
        return TODO not in self.parts["prediction"] and bool(_COUNTERS.search(self.parts["prediction"]))

    @property
    def has_prediction(self) -> bool:
        return self.has_number and self.has_counter


def read_page(text: str) -> Page:
    """The parts of a stage.md: each goes to the next heading in bold, or to what is generated."""
    parts = {}
    for name, heading in _PARTS.items():
        match = re.search(rf"^{heading}(.*?)(?=^\*\*|^<!--|\Z)", text, re.DOTALL | re.MULTILINE)
        parts[name] = match[1].strip() if match else ""
    return Page(parts)
