"""The codec that a page runs writes the command's bytes, and the page names each of them."""

import base64
import json
import os
import re
import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from course.browser_codec.build import SCRIPT, emscripten_problem, sources_of
from course.record_pictures import SAMPLES
from tools.headless_browser import CHROMIUM, dump_frame
from tools.repository import ROOT

CODEC = ROOT / "build/browser_codec" / SCRIPT
COMMAND = Path(os.environ.get("GSST_BINARY", ROOT / "build/bin/gsst"))
SITE = ROOT / "build/site/course/01_fsst.html"
FORMATS = ("blocks", "splits", "coalesced", "tiles")
WITH_SPLITS = ("splits", "coalesced")
needs_codec = pytest.mark.skipif(
    not CODEC.is_file(), reason=f"`make site` has built no codec here: {emscripten_problem()}"
)
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed")


def make_inputs(folder: Path) -> list[Path]:
    """The texts of the page, and what is left of them or unlike them."""
    licence = (ROOT / "LICENSE").read_bytes()
    # Letters of 6 bits make codes of 12 bits; most of the others are nearly or entirely stored raw.
    letters = base64.b64encode(bytes(i * i * 31 % 251 for i in range(40000)))
    made = {
        "empty": b"",
        "one": b"a",
        "short": licence[:1500],
        "escapes": bytes(range(256)) * 3,
        "letters": letters,
    }
    for name, content in made.items():
        (folder / name).write_bytes(content)
    return [*(folder / name for name in made), *(ROOT / path for path in SAMPLES.values())]


def test_sources_of_the_targets_are_there() -> None:
    for folder in ("common/format", "reference_cpu", "cpu/tiles", "library"):
        sources = sources_of(folder)
        assert sources
        assert [source for source in sources if not (ROOT / source).is_file()] == []


@pytest.mark.skipif(not (ROOT / "build/browser_codec").is_dir(), reason="`make site` has not run here")
def test_emscripten_compiles_the_codec() -> None:
    problem = emscripten_problem()
    if problem is not None:
        pytest.skip(problem)
    assert CODEC.is_file(), "`make site` has printed what emcc says"


@needs_codec
@pytest.mark.skipif(shutil.which("node") is None, reason="no Node.js is installed")
def test_the_codec_writes_what_the_command_writes(tmp_path: Path) -> None:
    if not COMMAND.is_file():
        pytest.skip(f"{COMMAND} is not built: `make build` builds it")
    inputs = make_inputs(tmp_path)
    # A level above the first takes longer. From 3 on another encoder writes tiles, and some of their tables
    # have codes of 10 and 12 bits.
    tried = [*product(inputs, FORMATS, [1]), *product(inputs, ["tiles"], [3])]
    tried += [*product(inputs[-3:-1], FORMATS, [4]), (inputs[4], "tiles", 4)]
    cases = [
        {
            "input": str(input_path),
            "frame": str(tmp_path / f"{number}.frame"),
            "format": format_name,
            "splits": 4 if format_name in WITH_SPLITS else 0,
            "level": level,
        }
        for number, (input_path, format_name, level) in enumerate(tried)
    ]
    (tmp_path / "cases.json").write_text(json.dumps(cases), encoding="utf-8")
    runner = Path(__file__).with_name("run_cases.js")
    done = subprocess.run(
        ["node", runner, CODEC, tmp_path / "cases.json"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    for case, found in zip(cases, json.loads(done.stdout), strict=True):
        content = Path(case["input"]).read_bytes()
        options = ["--format", case["format"], f"-{case['level']}"]
        options += ["--splits", str(case["splits"])] if case["splits"] else []
        command = [COMMAND, *options, "--stdout", case["input"]]
        expected = subprocess.run(command, capture_output=True, check=True).stdout
        assert Path(case["frame"]).read_bytes() == expected, case
        assert found["decoded"], case
        assert found["covered"], case
        assert found["raw"] or base64.b64decode(found["text"]) == content, case
        assert found["damage"], case


# Waits for the codec, which is compiled while the page is shown, and then asks for format tiles.
FRAME = """<!doctype html><meta charset="utf-8"><body style="margin: 0">
<iframe style="border: 0; width: {width}px; height: 900px" src="{page}"></iframe>
<script>
let said = "";
const timer = setInterval(() => {{
  const page = document.querySelector("iframe").contentDocument;
  const part = page.querySelector("[data-widget=codec]");
  const status = part?.querySelector("p[aria-live]")?.textContent;
  if (!/ratio|without/.test(status) || status === said) return;
  said = status;
  const names = [...part.querySelectorAll(".group > summary")].map((name) => name.textContent.split(":")[0]);
  if (document.body.dataset.first === undefined) {{
    document.body.dataset.first = status;
    document.body.dataset.parts = names.join(",");
    const format = part.querySelectorAll("select")[1];
    if (!format) return;
    format.value = "tiles";
    format.dispatchEvent(new Event("change"));
    return;
  }}
  clearInterval(timer);
  part.querySelectorAll("details").forEach((one) => {{ one.open = true; }});
  document.body.dataset.second = status;
  document.body.dataset.tiles = names.join(",");
  const boxes = [page.querySelector(".content"), page.documentElement].filter(Boolean);
  document.body.dataset.overflow = Math.max(...boxes.map((box) => box.scrollWidth - box.clientWidth));
}}, 50);
</script>
"""


def seen_in_browser(page: Path, width: int, folder: Path) -> tuple[dict[str, str], str]:
    """What the page says of the codec, and the browser's messages."""
    frame = FRAME.format(width=width, page=page.as_uri())
    shown = dump_frame(folder, frame, width + 20, 900, "--virtual-time-budget=20000")
    return dict(re.findall(r'data-(\w+)="([^"]*)"', shown.stdout)), shown.stderr


@needs_codec
@needs_browser
@pytest.mark.skipif(not SITE.is_file(), reason="`make site` has not run here")
@pytest.mark.parametrize("width", [390, 1280])
def test_a_browser_runs_the_codec(width: int, tmp_path: Path) -> None:
    seen, messages = seen_in_browser(SITE, width, tmp_path)
    text = (ROOT / next(iter(SAMPLES.values()))).read_bytes()
    assert seen["first"].startswith(f"{len(text):,} bytes of text"), seen
    assert "symbol table,codes" in seen["parts"]
    assert "codes,strip offsets,symbols" in seen["tiles"]
    assert seen["second"] != seen["first"]
    assert int(seen["overflow"]) <= 0
    assert not re.search(r"CONSOLE.*(?:Error|error|Refused)", messages), messages


@needs_browser
def test_a_page_without_the_codec_says_so(tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="Sphinx is not installed: `make site` installs it")
    pytest.importorskip("myst_parser", reason="MyST is not installed: `make site` installs it")
    source = tmp_path / "source"
    source.mkdir()
    (source / "index.md").write_text("# Page\n\n:::{widget} codec\nWords.\n:::\n", encoding="utf-8")
    settings = (
        f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n"
        'extensions = ["myst_parser", "course.lesson_parts", "course.browser_codec.page"]\n'
        'myst_enable_extensions = ["colon_fence"]\n'
        f"html_static_path = [{str(ROOT / 'course/static')!r}]\n"
        'html_js_files = [(f"{name}.js", {"defer": "defer"}) for name in ("demo", "course")]\n'
        f"browser_codec = {str(tmp_path / 'none.js')!r}\n"
    )
    (source / "conf.py").write_text(settings, encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", source, tmp_path / "html"]
    subprocess.run(list(map(str, command)), cwd=ROOT, check=True)
    seen, messages = seen_in_browser(tmp_path / "html/index.html", 1280, tmp_path)
    assert "without the codec" in seen["first"]
    assert not re.search(r"CONSOLE.*(?:Error|error|Refused)", messages), messages
