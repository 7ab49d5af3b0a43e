"""The tables of docs/how_fast.md, and the commands that it prints."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

from experiments.how_fast import (
    columns_table,
    cpu_section,
    cpu_tables,
    files_section,
    files_table,
    losses_table,
    speed_table,
)
from experiments.made_up_results import Row, made_up_result, row
from experiments.sources import REPOSITORY_ROOT

TILES, ZSTD = ("library/tiles", "level 1"), ("peer/zstd", "level 3")


def both(codec: tuple[str, str], decode: float, encode: float, ratio: float, **changes: object) -> list[Row]:
    stage, variant = codec
    given = {"dataset": "dbtext/wiki", "parameters": {"threads": 1}, **changes}
    return [
        row(speed, stage=stage, variant=variant, operation=operation, **{**given, "ratio": ratio})
        for operation, speed in (("encode", encode), ("decode", decode))
    ]


ROWS = [
    *both(TILES, 4.0, 0.25, 2.0),
    *both(ZSTD, 1.0, 0.5, 3.0),
    *both(TILES, 1.0, 1.0, 8.0, dataset="dbtext/city"),
    *both(ZSTD, 4.0, 0.5, 3.0, dataset="dbtext/city"),
]


def test_a_codec_has_its_means() -> None:
    table = speed_table(ROWS)
    assert table.lines == (("tiles, level 1", "2", "0.5", "4.00"), ("zstd, level 3", "2", "0.5", "3.00"))


def test_each_column_shows_speed_and_ratio_of_each_codec() -> None:
    table = columns_table(ROWS)
    assert table.header == ("column", "tiles, level 1", "zstd, level 3")
    assert table.lines == (("wiki", "4 (2.00)", "1 (3.00)"), ("city", "1 (8.00)", "4 (3.00)"))


def test_what_loses_is_counted() -> None:
    table = losses_table(
        [
            *ROWS,
            *both(TILES, 1.0, 1.0, 9.0, dataset="dbtext/hex"),
            *both(ZSTD, 2.0, 0.1, 9.5, dataset="dbtext/hex"),
        ]
    )
    assert table.lines == (("tiles, level 1", "zstd, level 3", "2 of 3", "1 of 3", "2 of 3"),)


def test_a_machine_has_tables_of_one_processor_and_of_all() -> None:
    text = {"dataset": "tpch/l_comment_sf0.05"}
    rows = [
        *ROWS,
        *both(TILES, 3.0, 0.3, 2.5, **text),
        *both(ZSTD, 1.5, 0.3, 2.6, **text),
        *both(TILES, 30.0, 3.0, 2.5, **text, parameters={"threads": 8}),
    ]
    parts = "\n".join(cpu_tables(made_up_result("engine_peers", rows)))
    titles = re.findall(r"^\*\*(.*?)\*\*", parts, re.MULTILINE)
    assert [title.partition(":")[0] for title in titles] == [
        "One processor, geometric means of DBText's columns",
        "One processor, one long text",
        "All processors, one long text",
        "One processor, where format `tiles` loses",
        "One processor, each column of DBText",
    ]
    assert "| tiles, level 1 | 30 | 3 | 2.50 |" in parts
    assert "| tiles, level 1 | zstd, level 3 | 1 of 3 | 1 of 3 | 2 of 3 |" in parts
    # A record without DBText has fewer.
    short = "\n".join(cpu_tables(made_up_result("engine_peers", rows[len(ROWS) :])))
    assert re.findall(r"^\*\*(.*?)\*\*", short, re.MULTILINE) == [titles[1], titles[2], titles[3]]


def test_files_have_a_line_for_each_size_and_way() -> None:
    given = {"variant": "to a file", "format": "tiles", "cp_seconds": {"median": 0.002}}
    rows = [
        row(2.0, device="cpu", **given),
        row(5.0, device="gpu", **given),
        row(9.0, device="gpu", **{**given, "format": "splits"}),
        row(6.0, device="gpu", **{**given, "variant": "test"}),
        row(3.0, device="gpu", variant="compress", format="tiles"),
    ]
    assert files_table(rows).lines == (
        ("8", "to a file", "0.0016", "0.004", "0.002"),
        ("8", "test", "0.00133", "-", "0.002"),
        ("8", "compress", "0.00267", "-", "0.002"),
    )


def test_what_is_not_recorded_is_said(tmp_path: Path) -> None:
    assert cpu_section(tmp_path) == files_section(tmp_path) == "not measured yet\n"


def test_the_commands_of_the_page_make_its_figure() -> None:
    page = (REPOSITORY_ROOT / "docs" / "how_fast.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    inline = re.findall(r"`(\.venv/bin/snakemake [^`]*)`", page)
    made, *measured = block.splitlines()
    assert len(measured) + len(inline) == 2
    subprocess.run([*shlex.split(made), "--dry-run", "SHELL=true"], cwd=REPOSITORY_ROOT, check=True)
    for line in (*measured, *inline):
        program, *arguments = shlex.split(line)
        assert program == ".venv/bin/snakemake"
        command = [sys.executable, "-m", "snakemake", "--dry-run", "--nolock", *arguments]
        planned = subprocess.run(command, cwd=REPOSITORY_ROOT, check=True, capture_output=True, text=True)
        said = planned.stdout + planned.stderr
        assert re.search(r"^figure +1$|Nothing to be done", said, re.MULTILINE), said
