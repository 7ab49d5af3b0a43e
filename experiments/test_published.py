from pathlib import Path

import pytest

from experiments.definition import all_targets, load_experiment
from experiments.published import Published, PublishedError, load_published

HEADER = "target,quantity,value,unit,kind,source\n"


def test_a_number_and_an_empty_one(tmp_path: Path) -> None:
    text = HEADER + "figure,speed,3.5,GB/s,printed,Section 1\nfigure,bar,,GB/s,printed,only a picture\n"
    (tmp_path / "paper.csv").write_text(text, encoding="utf-8")
    published = load_published(tmp_path)
    assert published.value("figure", "speed") == 3.5
    assert [number.value for number in published.of("figure")] == [3.5, None]
    with pytest.raises(PublishedError, match="bar"):
        published.value("figure", "bar")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("figure,speed,3.5,GB/s,guessed,Section 1\n", "kind must be"),
        # What was measured is recorded with its machine and commit, and not typed here.
        ("figure,speed,3.5,GB/s,measured,their program on an H200\n", "kind must be"),
        ("figure,speed,3.5,GB/s,printed,\n", "no source"),
        ("figure,speed,fast,GB/s,printed,Section 1\n", "not a number"),
    ],
)
def test_a_malformed_line_is_named(line: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "paper.csv").write_text(HEADER + line, encoding="utf-8")
    with pytest.raises(PublishedError, match=rf"paper\.csv:2: .*{message}"):
        load_published(tmp_path)


def shares_of_bytes(published: Published) -> dict[str, float]:
    """The derived numbers of Figures 18 and 19 of the thesis on zero-length coding."""
    expected = {}
    for name in ("15", "859", "2562", "5060"):

        def of_18(quantity: str, name: str = name) -> float:
            return published.value("zle_fig_18", f"{name} MiB {quantity}")

        def of_19(quantity: str, name: str = name) -> float:
            return published.value("zle_fig_19", f"{name} MiB {quantity}")

        percent = of_18("raw size") * 2**20 / 100
        mean = of_18("mean occurrences of a non-zero byte")
        # The first set's cell is a number of runs, each of which saves two bytes.
        saved_by_4 = of_19("cell of runs of 4") * (2 if name == "15" else 1)
        savings = [
            number.value or 0
            for number in published.of("zle_fig_19")
            if number.kind == "printed" and number.quantity.startswith(f"{name} MiB savings of ")
        ]
        numbers = {
            "share of zero bytes": of_18("zero bytes") / percent,
            "mean share of a non-zero byte": mean / percent,
            "zero bytes relative to the mean": of_18("zero bytes") / mean,
            "share of the rarest byte": of_18("occurrences of the rarest byte") / percent,
            "runs of 4 per float": saved_by_4 / 2 * 4 / percent,
            "marker bytes": of_19("cell of the marker") / percent,
            "savings of longer runs": max(0.0, round(100 - sum(savings), 2)),
            "compressed over uncompressed bytes": 1 - saved_by_4 / of_19("savings of runs of 4") / percent,
        }
        expected |= {f"{name} MiB {quantity}": value for quantity, value in numbers.items()}
    return expected


def test_derived_numbers_follow_from_the_printed_ones() -> None:
    published = load_published()

    def value(quantity: str) -> float:
        return published.value("gsst_fig_6_2", quantity)

    ratio, throughput = value("GSST compression ratio"), value("GSST decompression throughput")
    expected = {
        "ANS compression ratio": ratio / value("GSST ratio relative to ANS"),
        "ANS decompression throughput": throughput * value("ANS throughput relative to GSST"),
        "Bitcomp compression ratio": ratio / value("GSST ratio relative to Bitcomp"),
        "Bitcomp decompression throughput": throughput * value("Bitcomp throughput relative to GSST"),
        "Zstd compression ratio": ratio * value("Zstd ratio relative to GSST"),
        "Zstd decompression throughput": throughput / value("GSST throughput relative to Zstd"),
    }
    tuned = published.value("gsst_fig_6_1", "07_tuned decompression throughput")

    def factor(quantity: str) -> float:
        return published.value("gsst_fig_6_1", quantity)

    aligned = tuned / factor("07_tuned throughput relative to 04_alignment")
    shared = aligned / factor("04_alignment throughput relative to 03_shared_memory")
    splits = shared / factor("03_shared_memory throughput relative to 02_splits")
    coalesced = aligned * factor("05_coalesced throughput relative to 04_alignment")
    expected |= {
        "01_blocks decompression throughput": splits / factor("02_splits throughput relative to 01_blocks"),
        "02_splits decompression throughput": splits,
        "03_shared_memory decompression throughput": shared,
        "04_alignment decompression throughput": aligned,
        "05_coalesced decompression throughput": coalesced,
        "06_async decompression throughput": coalesced
        * factor("06_async throughput relative to 05_coalesced"),
    }
    expected |= {
        f"l_comment {stage} decompression throughput": expected[f"{stage} decompression throughput"]
        for stage in ("04_alignment", "05_coalesced", "06_async")
    }
    whole = published.value("beyond_sizes_multiprocessors", "highest decompression throughput")
    multiprocessors = published.value("beyond_sizes_multiprocessors", "SMs")
    lost = published.value("gsst_fig_5_3", "throughput lost with 4 times the shared memory")
    expected["throughput kept with 4 times the shared memory"] = 100 - lost
    expected["decompression throughput for each SM"] = whole / multiprocessors
    expected |= shares_of_bytes(published)
    expected["dfor bits beyond the width"] = published.value(
        "tile_fig_7b", "dfor overhead"
    ) + published.value("tile_fig_7b", "further bits of a difference of random values")
    derived = {number.quantity: number.value for number in published.numbers if number.kind == "derived"}
    assert derived == pytest.approx(expected, rel=0.005)


@pytest.mark.parametrize("target", all_targets())
def test_every_experiment_names_published_targets_without_typing_errors(target: str) -> None:
    known = {number.target for number in load_published().numbers} | {target}
    assert set(load_experiment(target).published) <= known
