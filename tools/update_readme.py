"""Write the generated parts of README.md, of pages in docs/, and of each stage.md and notes.md.

README.md: what `gsst` prints in the first example, how long the two commands that check the figures take,
the picture of the ladder, and the stages whose throughput is recorded on the same texts. docs/stages.md: all
stages. CONTRIBUTING.md: the files of the example series.
docs/library.md: the kernels of each format, what was fuzzed, and which tests of the library
passed on a GPU.
docs/formats.md: ratio and speed of each format. docs/how_fast.md: speeds that a user compares.
docs/reproducing.md: what each figure needs of a machine.
stage.md: the measured effect, and which tests passed on a GPU. notes.md: all else that was measured.
With --check nothing is written and the exit status says whether all are up to date.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path

from experiments.command_times import command_times_section, readme_commands
from experiments.format_choice import choice_section
from experiments.fuzz_on_gpu import fuzzing_section
from experiments.how_fast import cpu_section, files_section
from experiments.requirements_of_figures import requirements_table
from experiments.results import Result
from experiments.sources import LIBRARY, formats_of_library
from experiments.table_definition import README_COLUMNS
from experiments.table_text import NOT_MEASURED, TextTable, markdown_table
from experiments.tables import DrawnTable, recorded_for_tables, stage_tables
from experiments.text_template import UNKNOWN
from experiments.verification_text import verification_section
from tools.example_series import SERIES_TREE, line_count, series_files
from tools.ladder_picture import TITLE, Bar, description, ladder_bars, ladder_picture
from tools.repository import ROOT
from tools.series import by_series
from tools.stage_pages import LINE_LENGTH
from tools.stages import COMMAND, DefaultStage, default_stages, is_own_stage, registered_stages

_README = ROOT / "README.md"
_FORMATS = ROOT / "docs" / "formats.md"
_HOW_FAST = ROOT / "docs" / "how_fast.md"
_LIBRARY = ROOT / "docs" / "library.md"
_REPRODUCING = ROOT / "docs" / "reproducing.md"
_CONTRIBUTING = ROOT / "CONTRIBUTING.md"
_STAGES = ROOT / "docs" / "stages.md"
_LADDER = ROOT / "docs" / "pictures" / "ladder.svg"

# The example works on a file that every clone has; its output is the same on every machine.
_EXAMPLE_FILE = "LICENSE"
EXAMPLE = (
    "gsst LICENSE",
    "gsst --format fsst LICENSE",
    "gsst -l LICENSE.gsst LICENSE.fsst",
    "gsst -d -c LICENSE.gsst | cmp - LICENSE && echo same",
    "gsst grep -n 'royalt(y|ies)' LICENSE.gsst",
)


def replace_section(text: str, name: str, content: str, place: str = "README.md") -> str:
    """`text` with `content` between the begin and end markers of the section `name`.

    Raises ValueError, which names `place`, unless there is exactly one such section.
    """
    begin = f"<!-- {name}: begin, written by tools/update_readme.py -->\n"
    end = f"<!-- {name}: end -->"
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise ValueError(f"{place} must have one section '{name}' between its begin and end markers")
    before, rest = text.split(begin)
    after = rest.split(end)[1]
    return f"{before}{begin}{content}{end}{after}"


def _throughput_elsewhere(has_measurements: bool) -> str:
    return "see its page" if has_measurements else NOT_MEASURED


def _measured_cells(tables: Sequence[DrawnTable], has_measurements: bool) -> list[str]:
    """README_COLUMNS of the tables of one stage and machine; of several lines each text once.
    `has_measurements` says whether there are any: ranges, for example, have no one throughput."""
    lines = [line for found in tables for line in found.table.lines]
    if not lines:
        return [_throughput_elsewhere(has_measurements), *(UNKNOWN for _ in README_COLUMNS[1:])]
    return ["; ".join(dict.fromkeys(texts)) for texts in zip(*lines, strict=True)]


def _cell_text(value: object) -> str:
    if value is None:
        return "-"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def stage_table(
    stages: Sequence[Mapping[str, object]], results: Sequence[Result] = (), folder: str = "stages"
) -> str:
    """The stages as `gsst --list-stages --json` lists them, with columns for each machine that recorded what
    their tables for README.md show of `results`. `folder` is that of all stages, for links."""
    if not stages:
        return "No stage is registered yet; each will be checked against the reference codec.\n"
    keys = ("id", "title", "section", "formats", "operation", "minimum_compute_capability")
    header = ["stage", "title", "section", "format", "operation", "compute capability"]
    names = [str(stage["id"]) for stage in stages]
    drawn = {name: stage_tables(name, results, pages=("README.md",)) for name in names}
    measured_names = {row["stage"] for result in results for row in result.rows}
    machines = sorted({found.machine for tables in drawn.values() for found in tables})
    for machine in machines:
        header += [f"GB/s on {machine}, best parameters", *README_COLUMNS[1:]]
    if not machines:
        header.append("GB/s")
    lines = []
    for stage in stages:
        cells = [_cell_text(stage[key]) for key in keys]
        measured = [
            cell
            for machine in machines
            for cell in _measured_cells(
                [found for found in drawn[cells[0]] if found.machine == machine], cells[0] in measured_names
            )
        ]
        cells[0] = f"[{cells[0]}]({folder}/{cells[0]}/stage.md)"
        elsewhere = _throughput_elsewhere(str(stage["id"]) in measured_names)
        lines.append((*cells, *(measured or [elsewhere])))
    return markdown_table(TextTable(tuple(header), tuple(lines)))


def stages_of_readme(
    stages: Sequence[Mapping[str, object]], results: Sequence[Result]
) -> list[Mapping[str, object]]:
    """Those of which a table for README.md is drawn."""
    return [stage for stage in stages if stage_tables(str(stage["id"]), results, pages=("README.md",))]


def tables_of_series(stages: Sequence[Mapping[str, object]], results: Sequence[Result]) -> str:
    """All stages for a page in docs/: a heading and a table for each series."""
    return "\n".join(
        f"## {series}\n\n{stage_table(of_series, results, '../stages')}"
        for series, of_series in by_series(stages, lambda stage: str(stage["id"])).items()
    )


# The operations of the library on a GPU, as columns of a table.
_OPERATIONS = {"decode": "decompression", "encode": "compression", "ranges": "byte ranges", "query": "search"}


def kernels_table(lines: Sequence[DefaultStage]) -> str:
    """The default stages on a GPU, a line for each format, with links from a page in docs/."""
    on_gpu = {(line.format, line.operation): line.stage for line in lines if line.executor == "gpu"}
    formats = dict.fromkeys(name for name, _ in on_gpu)
    rows = []
    for name in formats:
        stages = [on_gpu.get((name, operation)) for operation in _OPERATIONS]
        links = [f"[{stage}](../stages/{stage}/stage.md)" if stage else "" for stage in stages]
        rows.append((f"`{name}`", *links))
    return markdown_table(TextTable(("format", *_OPERATIONS.values()), tuple(rows)))


def series_table() -> str:
    """The files of the example series with their lines, and the sum."""
    tree = SERIES_TREE.relative_to(ROOT)
    lines = {path: line_count(path) for path in series_files()}
    rows = [(f"[`{path}`]({tree / path})", str(count)) for path, count in lines.items()]
    rows.append((f"{len(rows)} files", str(sum(lines.values()))))
    return markdown_table(TextTable(("file", "lines"), tuple(rows)))


# A word that would begin a list, a heading, a quotation or a comment of the site at the start of a line.
_BLOCK_WORD = re.compile(r" (?=(?:[-+*>]|#+|\d+[.)]) |%)")


def wrapped(content: str) -> str:
    """`content` with its paragraphs in lines of at most LINE_LENGTH characters; rows of tables stay whole."""
    lines = []
    for line in content.splitlines():
        if line.startswith("|"):
            lines.append(line)
            continue
        # A block word stays on the line of the word before it.
        glued = _BLOCK_WORD.sub("\0", line)
        parts = textwrap.wrap(glued, LINE_LENGTH, break_long_words=False, break_on_hyphens=False)
        lines += [part.replace("\0", " ") for part in parts or [""]]
    return "".join(f"{line}\n" for line in lines)


def measured_section(stage: str, results: Sequence[Result]) -> str:
    """What stage.md shows of `results` in Markdown: the measured effect of the stage on each machine."""
    parts = [table.markdown() for table in stage_tables(stage, results, pages=("stage.md",))]
    return "\n".join(parts) or f"**Measured**: {NOT_MEASURED}.\n"


def details_section(stage: str, results: Sequence[Result]) -> str:
    """What was measured of a stage besides its effect, in Markdown; empty where nothing was."""
    return "\n".join(table.markdown() for table in stage_tables(stage, results, pages=("notes.md",)))


def example_session(folder_of_command: Path) -> str:
    """The example's commands with what they print, as a console block.

    Raises RuntimeError when one of them fails: the README shows no failure.
    """
    lines = ["```console"]
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(ROOT / _EXAMPLE_FILE, folder)
        path = f"{folder_of_command}:/usr/bin:/bin"
        for line in EXAMPLE:
            result = subprocess.run(
                ["bash", "-o", "pipefail", "-c", line],
                cwd=folder,
                env={"PATH": path, "LC_ALL": "C.UTF-8"},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            if result.returncode != 0:
                raise RuntimeError(f"'{line}' failed ({result.returncode}): {result.stdout}")
            lines += [f"$ {line}", *result.stdout.splitlines()]
    return "\n".join([*lines, "```"]) + "\n"


def updated_readme(
    text: str, stages: Sequence[Mapping[str, object]], results: Sequence[Result], bars: Sequence[Bar]
) -> str:
    """`text` with its generated sections as the built command and the records have them now; `bars` are those
    of the ladder."""
    text = replace_section(text, "example", example_session(COMMAND.parent))
    seen = f"{TITLE}, in GB/s: {description(bars)}"
    picture = f"![{seen}]({_LADDER.relative_to(ROOT)})\n"
    text = replace_section(text, "ladder", picture)
    text = replace_section(text, "times", wrapped(command_times_section(readme_commands(text))))
    return replace_section(text, "stages", stage_table(stages_of_readme(stages, results), results))


def updated_stage_pages(folder: Path, measured: str, details: str) -> dict[Path, str]:
    """What stage.md and, where there is one, notes.md in a stage's folder must hold.

    Raises ValueError where a page lacks its section, or `details` are not empty and there is no notes.md.
    """
    files = {}
    for file, section, content in (("stage.md", "measured", measured), ("notes.md", "details", details)):
        page = folder / file
        if page.exists() or content:
            text = page.read_text(encoding="utf-8") if page.exists() else ""
            place = "/".join(page.parts[-4:])
            files[page] = replace_section(text, section, wrapped(content), place)
    return files


def stages_with_pages() -> list[str]:
    """The registered stages, and those that are registered for no operation."""
    folders = (page.parent for page in (ROOT / "stages").glob("*/*/stage.md"))
    ids = {str(stage["id"]) for stage in registered_stages()}
    return sorted(ids | {folder.relative_to(ROOT / "stages").as_posix() for folder in folders})


def updated_files() -> dict[Path, str]:
    """What README.md, the pages of docs, and stage.md and notes.md of every stage must hold."""
    stages = [stage for stage in registered_stages() if not is_own_stage(str(stage["id"]))]
    results = recorded_for_tables()
    bars = ladder_bars(stages, results)
    files = {_README: updated_readme(_README.read_text(encoding="utf-8"), stages, results, bars)}
    files[_LADDER] = ladder_picture(bars)
    text, of_series = _STAGES.read_text(encoding="utf-8"), tables_of_series(stages, results)
    files[_STAGES] = replace_section(text, "stages", of_series, "docs/stages.md")
    text, requirements = _REPRODUCING.read_text(encoding="utf-8"), markdown_table(requirements_table())
    files[_REPRODUCING] = replace_section(text, "requirements", requirements, "docs/reproducing.md")
    text = _FORMATS.read_text(encoding="utf-8")
    files[_FORMATS] = replace_section(text, "choice", choice_section(), "docs/formats.md")
    text = _HOW_FAST.read_text(encoding="utf-8")
    text = replace_section(text, "cpu", cpu_section(), "docs/how_fast.md")
    files[_HOW_FAST] = replace_section(text, "files", files_section(), "docs/how_fast.md")
    text = _CONTRIBUTING.read_text(encoding="utf-8")
    files[_CONTRIBUTING] = replace_section(text, "series", series_table(), "CONTRIBUTING.md")
    text = _LIBRARY.read_text(encoding="utf-8")
    in_library = [line for line in default_stages() if line.format in formats_of_library()]
    text = replace_section(text, "kernels", kernels_table(in_library), "docs/library.md")
    text = replace_section(text, "fuzzing", fuzzing_section(), "docs/library.md")
    verified = verification_section(LIBRARY) or "The tests on a GPU are not recorded yet.\n"
    files[_LIBRARY] = replace_section(text, "verification", verified, "docs/library.md")
    for name in stages_with_pages():
        effect = measured_section(name, results)
        measured = "\n".join(filter(None, (effect, verification_section(name))))
        files |= updated_stage_pages(ROOT / "stages" / name, measured, details_section(name, results))
    return files


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, fail if a file is stale")
    check: bool = parser.parse_args().check
    files = updated_files()
    stale = [path for path, text in files.items() if path.read_text(encoding="utf-8") != text]
    if check and stale:
        names = ", ".join(path.relative_to(ROOT).as_posix() for path in stale)
        sys.exit(f"stale: {names}; run `.venv/bin/python -m tools.update_readme`")
    for path in stale:
        path.write_text(files[path], encoding="utf-8")


if __name__ == "__main__":
    main()
