"""The built course: every page has its parts, its links lead somewhere, and no other host is asked."""

import html
import json
import re
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from course.pictures import EXAMPLE, EXAMPLE_SYMBOLS, encode
from course.traced_lines import TRACED, load_trace
from course.warp_steps import load_scenes, shown_lines
from tools.headless_browser import CHROMIUM, dump_frame, run_chromium
from tools.repository import ROOT
from tools.stages import is_own_stage

pytest.importorskip("sphinx", reason="Sphinx is not installed: `make site` installs it")
pytest.importorskip("myst_parser", reason="MyST is not installed: `make site` installs it")
pytest.importorskip("furo", reason="Furo is not installed: `make site` installs it")

pytestmark = pytest.mark.course

COURSE = ROOT / "course"
INDEX = (COURSE / "index.md").read_text(encoding="utf-8")
LESSONS = [COURSE / "index.md", *(COURSE / f"{name}.md" for name in re.findall(r"^(\d\d_\w+)$", INDEX, re.M))]
LECTURES = [COURSE / f"{name}.md" for name in re.findall(r"^(slides_\d)$", INDEX, re.M)]
# No kernel changes on these pages.
WITHOUT_DIFF = {
    "index",
    "01_fsst",
    "02_gpu",
    "03_limits",
    "11_other_ladders",
    "12_check_a_paper",
    "13_project",
}
# The page to start from has no exercises.
WITHOUT_EXERCISES = {"index"}
_ROLE = re.compile(r"\{record\}`[^`]*`")
# Numbers of records, and templates for them in tables.
_FROM_RECORDS = re.compile(rf"{_ROLE.pattern}|\{{[^{{}}]*\}}")
_TYPED = re.compile(
    r"\b\d[\d.,]*\s*(?:[KMGT]i?B/s|%|percent\b|ms\b|µs\b|ns\b|GB\b|milliseconds|microseconds)"
)


def build(source: Path, target: Path, settings: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going", "-c", settings]
    command += ["-d", target / "doctrees", source, target / "html"]
    return subprocess.run(list(map(str, command)), cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The course, built without a warning."""
    folder = tmp_path_factory.mktemp("site")
    done = build(ROOT, folder, COURSE)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return folder / "html"


class Page(HTMLParser):
    """What a page loads, what it links to, and where links may lead to in it."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.modules = 0
        self.pictures_without_text = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Called for each tag."""
        of = {name: value or "" for name, value in attrs}
        self.ids.add(of.get("id", ""))
        if tag == "a" and "href" in of:
            self.links.append(of["href"])
        elif tag == "link" and of.get("rel") not in ("canonical", None) and "href" in of:
            self.loaded.append(of["href"])
        elif "src" in of:
            self.loaded.append(of["src"])
        self.modules += tag == "script" and of.get("type") == "module"
        self.pictures_without_text += tag == "img" and not of.get("alt")
        self.pictures_without_text += tag == "svg" and of.get("role") == "img" and not of.get("aria-label")


@cache
def read_page(path: Path) -> Page:
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def parts_of(lesson: Path) -> dict[str, int]:
    names = re.findall(r"^:{3,}\{(\w+)\}", lesson.read_text(encoding="utf-8"), re.M)
    return {name: names.count(name) for name in set(names)}


def test_the_numbers_of_the_lessons_have_no_gap() -> None:
    assert [lesson.stem[:2] for lesson in LESSONS[1:]] == [
        f"{number:02}" for number in range(1, len(LESSONS))
    ]
    assert {lesson.name for lesson in LESSONS} == {
        path.name
        for path in COURSE.glob("*.md")
        if path.stem not in ("glossary", "reference", "warps") and path not in LECTURES
    }


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_has_its_parts(lesson: Path) -> None:
    parts = parts_of(lesson)
    assert parts.get("picture", 0) + parts.get("bars", 0) > 0, "no picture"
    if lesson.stem not in WITHOUT_EXERCISES:
        assert parts.get("predict", 0) > 0, "nothing to predict"
        assert parts.get("quiz", 0) == 3
        assert parts.get("exercise", 0) >= 2
    if lesson.stem not in WITHOUT_DIFF:
        assert parts.get("literalinclude", 0) > 0, "no code"


def test_there_are_exercises_for_a_course() -> None:
    assert sum(parts_of(lesson).get("exercise", 0) for lesson in LESSONS) >= 24


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_no_measured_number_is_typed(lesson: Path) -> None:
    text = _FROM_RECORDS.sub("", lesson.read_text(encoding="utf-8"))
    assert _TYPED.findall(text) == []


def test_a_typed_number_is_seen() -> None:
    assert all(map(_TYPED.search, ("345 GB/s", "by 5 %", "1.5 ms", "20 percent", "9.9 GB of text")))
    assert not _TYPED.search(_FROM_RECORDS.sub("", "about {record}`h200/a[b=1] -> {x} GB/s` of 32 lanes"))


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_commands_of_a_lesson_are_there(lesson: Path) -> None:
    text = lesson.read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    unknown = [
        name for name in re.findall(r"`make (\w+)", text) if not re.search(rf"^{name}:", makefile, re.M)
    ]
    assert unknown == []
    # A reader's own stage is not there yet.
    stages = [stage for stage in re.findall(r"STAGE=(\w+/\w+)", text) if not is_own_stage(stage)]
    assert [stage for stage in stages if not (ROOT / "stages" / stage / "stage.md").is_file()] == []


def test_links_lead_somewhere(site: Path) -> None:
    broken = []
    for path in sorted(site.rglob("*.html")):
        for link in (*read_page(path).links, *read_page(path).loaded):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file() or (
                parts.fragment
                and target.suffix == ".html"
                and unquote(parts.fragment) not in read_page(target).ids
            ):
                broken.append(f"{path.relative_to(site)}: {link}")
    assert broken == []


def test_no_other_host_is_asked(site: Path) -> None:
    asked = []
    for path in sorted(site.rglob("*.html")):
        page = read_page(path)
        asked += [f"{path.name}: {link}" for link in page.loaded if urlsplit(link).netloc]
        assert page.modules == 0, f"{path.name}: a browser refuses modules from the file system"
    for path in sorted(site.rglob("*.css")):
        found = re.findall(r"(?:url\(|@import\s)\s*[\"']?(https?:|//)", path.read_text(encoding="utf-8"))
        asked += [f"{path.name}: {link}" for link in found]
    assert asked == []


def test_no_page_names_the_folder_that_it_was_built_in(site: Path) -> None:
    pages = [*site.rglob("*.html"), *site.rglob("*.js")]
    assert [path.name for path in pages if f"{ROOT}/" in path.read_text(encoding="utf-8")] == []


def test_pictures_can_be_read_aloud(site: Path) -> None:
    assert [
        path.name for path in (site / "course").glob("*.html") if read_page(path).pictures_without_text
    ] == []


def test_numbers_of_records_are_in_the_pages(site: Path) -> None:
    for lesson in LESSONS:
        found = len(_ROLE.findall(lesson.read_text(encoding="utf-8")))
        page = (site / "course" / f"{lesson.stem}.html").read_text(encoding="utf-8")
        assert page.count('<span class="number"') >= found


def test_files_of_code_are_pages(site: Path) -> None:
    page = site / "sources/stages/gsst/shared/shared_header.cuh.html"
    assert "struct" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{record}`h200/gsst_fig_6_1[stage=gsst/99_none] -> {ratio}`", "no row"),
        (":::{records} h200/no_target\nratio: {ratio}\n:::", "there is no experiments/recorded"),
        (":::{picture} nobody\nA picture.\n:::", "draws no"),
        (":::{warps} gsst/02_splits/write\n:::", "no scene 'write'"),
        (":::{quiz} Which?\n- [x] one :: yes\n- [x] two :: yes\n:::", "one of them right"),
        (":::{exercise} Do it\n:effort: 1 minute\n:needs: laptop\n\nWords.\n:::", "clues"),
    ],
)
def test_a_page_with_a_mistake_is_not_built(text: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source/index.md").write_text(f"# Page\n\n{text}\n", encoding="utf-8")
    settings = f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n"
    settings += (
        'extensions = ["myst_parser", "course.lesson_parts"]\nmyst_enable_extensions = ["colon_fence"]\n'
    )
    (tmp_path / "source/conf.py").write_text(settings, encoding="utf-8")
    done = build(tmp_path / "source", tmp_path, tmp_path / "source")
    assert done.returncode != 0
    assert problem in done.stderr


@pytest.mark.parametrize(
    ("parts", "problem"),
    [
        ("picture 2", "0 parts `picture`"),
        ("sound 1", "no part of a slide"),
        (", ".join(["idea"] * 12), "13 slides"),
    ],
)
def test_slides_with_a_mistake_are_not_built(parts: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source/index.md").write_text(
        f"# Slides\n\n:::{{slides}}\nlesson: {parts}\n:::\n", encoding="utf-8"
    )
    (tmp_path / "source/lesson.md").write_text(
        "---\norphan: true\n---\n# Lesson\n\nWords.\n", encoding="utf-8"
    )
    (tmp_path / "source/conf.py").write_text(
        f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n"
        'extensions = ["myst_parser", "course.lesson_parts", "course.slides"]\n'
        'myst_enable_extensions = ["colon_fence"]\n',
        encoding="utf-8",
    )
    done = build(tmp_path / "source", tmp_path, tmp_path / "source")
    assert done.returncode != 0
    assert problem in done.stderr


def test_six_lectures_take_all_lessons_in_order() -> None:
    assert len(LECTURES) == 6
    text = "".join(path.read_text(encoding="utf-8") for path in LECTURES)
    assert re.findall(r"^(\w+): ", text, re.M) == [lesson.stem for lesson in LESSONS]


# At both sizes of a window: whether content is cut off, and at 1280 pixels the size of the letters.
SLIDES = """<!doctype html><meta charset="utf-8"><body style="margin: 0">
<iframe style="border: 0; width: {width}px; height: 720px" src="{page}"></iframe>
<script>
addEventListener("load", () => {{
  const page = document.querySelector("iframe").contentDocument;
  const slides = [...page.querySelectorAll(".slide")];
  document.body.dataset.slides = slides.length;
  document.body.dataset.headings = page.querySelectorAll(".slide > h1, .slide > h2").length;
  document.body.dataset.cut = slides.filter((slide) => slide.scrollHeight > slide.clientHeight).length;
  const letters = slides.map((slide) => parseFloat(getComputedStyle(slide).fontSize));
  document.body.dataset.letters = Math.min(...letters);
  document.body.dataset.overflow = page.documentElement.scrollWidth - page.documentElement.clientWidth;
  page.dispatchEvent(new KeyboardEvent("keydown", {{ key: "ArrowRight" }}));
  document.body.dataset.turned = slides[1].getBoundingClientRect().top < 20;
}});
</script>
"""


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed")
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("lecture", LECTURES, ids=lambda path: path.stem)
def test_a_browser_shows_slides(lecture: Path, width: int, site: Path, tmp_path: Path) -> None:
    page = (site / "course" / f"{lecture.stem}.html").as_uri()
    shown = dump_frame(tmp_path, SLIDES.format(width=width, page=page), width + 20, 720)
    seen = dict(re.findall(r'data-(\w+)="([^"]*)"', shown.stdout))
    assert 8 <= int(seen["slides"]) <= 12
    assert seen["headings"] == seen["slides"]
    assert seen["cut"] == "0"
    assert float(seen["letters"]) >= 18
    assert int(seen["overflow"]) <= 0
    assert seen["turned"] == "true"
    assert not re.search(r"CONSOLE.*(?:Error|error|Refused)", shown.stderr), shown.stderr


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed")
@pytest.mark.parametrize("lecture", LECTURES, ids=lambda path: path.stem)
def test_a_slide_is_printed_on_a_page(lecture: Path, site: Path, tmp_path: Path) -> None:
    page, printed = site / "course" / f"{lecture.stem}.html", tmp_path / "slides.pdf"
    run_chromium(tmp_path, 1280, 720, page, "--no-pdf-header-footer", f"--print-to-pdf={printed}")
    pages = re.findall(rb"/Type /Page\b", printed.read_bytes())
    assert len(pages) == page.read_text(encoding="utf-8").count('<div class="slide ')


def test_slides_say_what_the_lessons_say(site: Path) -> None:
    ideas = 0
    for lecture in LECTURES:
        page = (site / "course" / f"{lecture.stem}.html").read_text(encoding="utf-8")
        for idea in re.findall(r"<p><strong>The idea\.</strong>.*?</p>", page, re.DOTALL):
            assert any(
                idea in (site / "course" / f"{lesson.stem}.html").read_text(encoding="utf-8")
                for lesson in LESSONS
            )
            ideas += 1
    # All lessons but the page to start from.
    assert ideas == len(LESSONS) - 1


# A window of Chromium cannot be as narrow as a phone, a frame in it can.
FRAME = """<!doctype html><meta charset="utf-8"><body style="margin: 0">
<iframe style="border: 0; width: {width}px; height: 900px" src="{page}"></iframe>
<script>
addEventListener("load", () => {{
  const page = document.querySelector("iframe").contentDocument;
  // The codec is there later, or not at all: it has its own tests.
  const widgets = [...page.querySelectorAll(".widget:not([data-widget=codec])")];
  document.body.dataset.widgets = widgets.every((part) => /\\d/.test(part.lastChild.textContent));
  document.body.dataset.shown = widgets.map((part) => part.lastChild.textContent).join("; ");
  const opened = [];
  page.querySelectorAll(".predict").forEach((part) => {{
    const input = part.querySelector("input");
    const folded = part.querySelector("details.measured");
    folded.querySelector("summary").click();
    opened.push(folded.open);
    input.value = "two";
    input.dispatchEvent(new Event("input"));
    folded.querySelector("summary").click();
    opened.push(!folded.open);
  }});
  document.body.dataset.wrong = opened.filter(Boolean).length;
  page.querySelectorAll("details").forEach((part) => {{ part.open = true; }});
  // On a phone the page scrolls in the first of these, not in the document.
  const boxes = [page.querySelector(".content"), page.documentElement];
  document.body.dataset.overflow = Math.max(...boxes.map((box) => box.scrollWidth - box.clientWidth));
}});
</script>
"""


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed")
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_a_browser_shows_a_lesson(lesson: Path, width: int, site: Path, tmp_path: Path) -> None:
    page = (site / "course" / f"{lesson.stem}.html").as_uri()
    shown = dump_frame(tmp_path, FRAME.format(width=width, page=page), width + 20, 900)
    seen = dict(re.findall(r'data-(\w+)="([^"]*)"', shown.stdout))
    # Nothing is shown before a prediction, and all of it after one.
    assert seen.get("wrong") == "0", shown.stdout[:1000]
    assert seen["widgets"] == "true"
    assert int(seen["overflow"]) <= 0
    codes = " ".join(str(code) for _, codes in encode(EXAMPLE, EXAMPLE_SYMBOLS) for code in codes)
    assert seen["shown"].endswith(f"codes: {codes}") == (lesson.stem == "01_fsst")
    assert not re.search(r"CONSOLE.*(?:Error|error|Refused)", shown.stderr), shown.stderr


# Goes through all traces of the first side, as a reader does.
WARPS = """<!doctype html><meta charset="utf-8"><body style="margin: 0">
<iframe style="border: 0; width: {width}px; height: 900px" src="{page}"></iframe>
<script>
addEventListener("load", () => {{
  const page = document.querySelector("iframe").contentDocument;
  const side = page.querySelector(".warp");
  const select = side.querySelector("select");
  const tell = (part, event) => part.dispatchEvent(new (page.defaultView.Event)(event));
  const sides = [...page.querySelectorAll(".warp")];
  const seen = {{ first: sides.map((one) => one.querySelector("select").value), scenes: {{}} }};
  for (const option of select.options) {{
    select.value = option.value;
    tell(select, "change");
    const slider = side.querySelector("input");
    const steps = [...side.querySelectorAll(".step")];
    const said = steps.map((step, index) => {{
      slider.value = index + 1;
      tell(slider, "input");
      return side.querySelector("p").textContent;
    }});
    const units = steps.map((step) => Number(step.dataset.units));
    const lines = [...side.querySelectorAll(".lines small")].map((line) => line.textContent);
    seen.scenes[option.value] = {{ units, said, lines }};
  }}
  const boxes = [page.querySelector(".content"), page.documentElement];
  seen.overflow = Math.max(...boxes.map((box) => box.scrollWidth - box.clientWidth));
  const buttons = [...side.querySelectorAll(".controls button")];
  tell(side.querySelectorAll(".step")[5], "click");
  buttons[1].click();
  buttons[1].click();
  buttons[0].click();
  seen.step = side.querySelector("output").textContent;
  side.querySelector(".lines button").click();
  seen.pressed = side.querySelectorAll(".lines [aria-pressed=true]").length;
  seen.dim = side.querySelectorAll(".dim").length;
  document.body.dataset.seen = JSON.stringify(seen);
}});
</script>
"""


def table_of(path: Path) -> str:
    """What a reader sees of the visualiser without a script."""
    text = path.read_text(encoding="utf-8")
    return text[text.index("as-table") : text.index("By the model of make trace")]


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed")
@pytest.mark.parametrize("width", [390, 1280])
def test_a_browser_counts_what_the_trace_counts(width: int, site: Path, tmp_path: Path) -> None:
    page = (site / "course/warps.html").as_uri()
    shown = dump_frame(tmp_path, WARPS.format(width=width, page=page), width + 20, 900)
    assert "CONSOLE" not in shown.stderr, shown.stderr
    found = re.search(r'data-seen="([^"]*)"', shown.stdout)
    assert found, shown.stdout[:1000]
    seen = json.loads(html.unescape(found[1]))
    assert seen["first"] == ["gsst/03_shared_memory write", "gsst/04_alignment write"]
    expected = {f"{stage} {scene.name}": (stage, scene) for stage in TRACED for scene in load_scenes(stage)}
    assert set(seen["scenes"]) == set(expected)
    for name, (stage, scene) in expected.items():
        of_browser = seen["scenes"][name]
        assert of_browser["units"] == [step.units for step in scene.steps], name
        lines = load_trace(stage)
        for step, said in zip(scene.steps, of_browser["said"], strict=True):
            lanes = sum(address is not None for address in step.addresses)
            unit = "pass" if lines[step.line].kind.startswith("shared") else "sector"
            assert re.match(rf"{lanes} lanes? of 32 .* {step.bytes} byte.*: {step.units} {unit}", said), said
        totals = [
            re.findall(r"In the whole trace: (\d+) requests?, (\d+) ", line) for line in of_browser["lines"]
        ]
        shown_totals = [
            (str(line.requests), str(line.units)) for line in shown_lines(stage, [scene]).values()
        ]
        assert totals == [[one] for one in shown_totals]
    assert int(seen["overflow"]) <= 0
    assert seen["step"] == "7 of 48"
    assert seen["pressed"] == 1
    assert seen["dim"] > 0


def test_the_visualiser_can_be_read_without_a_script(site: Path) -> None:
    table = table_of(site / "course/warps.html")
    assert table.count("<table") == sum(len(load_scenes(stage)) for stage in TRACED)
