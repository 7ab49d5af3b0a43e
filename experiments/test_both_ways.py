"""What an encoder and a decoder take together."""

from dataclasses import replace

from experiments.both_ways import both_ways
from experiments.made_up_results import encoder_rows, made_up_result, tiles_rows
from experiments.results import Result

ENCODER, DECODER = "gsst/10_wide_encoder", "gsst/09_warp_tiles"


def _ladders(**changes: str) -> list[Result]:
    encoded = encoder_rows({("6, tiles of 8 bits", 128, 4096): 500.0}, ENCODER, code_bits=8)
    decoded = tiles_rows({"8 loads": 500.0, "9 front": 1000.0, "9, 12 bits": 2000.0})
    for row, code_bits in zip(decoded, (8, 8, 12), strict=True):
        row["tiles"] = {"code_bits": code_bits, "codes_per_lane": 32, "level": 9, "parse": "greedy"}
    unchecked = {**decoded[1], "stage": f"{DECODER}_unchecked", "throughput_gb_per_s": 3000.0}
    decoded = [{**row, **changes} for row in [*decoded, unchecked]]
    return [
        made_up_result("wide_encoder_ladder", encoded, machine="h200"),
        made_up_result("warp_tiles_ladder", decoded, machine="h200"),
    ]


def test_the_fastest_decoder_of_such_codes_is_added() -> None:
    ladders = _ladders()
    (both,) = both_ways(ladders, ENCODER)
    (line,) = both.table.lines
    encoded, decoded = ladders[0].rows[1], ladders[1].rows[1]
    seconds = encoded["seconds"]["median"] + decoded["seconds"]["median"]
    assert line[0] == "tiles, 8 bits"
    assert line[2] == "10_wide_encoder, `6, tiles of 8 bits`"
    assert line[5] == "09_warp_tiles, `9 front`"
    assert float(line[-1]) == float(f"{encoded['uncompressed_bytes'] / seconds / 1e9:.3g}")


def test_a_faster_choice_that_the_decoder_does_not_make_is_not_added() -> None:
    ladders = _ladders()
    encoded, decoded = ladders
    other = tiles_rows({"9, 9 warps": 9000.0}, warps=9)
    (both,) = both_ways([encoded, replace(decoded, rows=(*decoded.rows, *other))], ENCODER)
    assert both.table == both_ways(ladders, ENCODER)[0].table


def test_another_text_is_not_added() -> None:
    assert both_ways(_ladders(dataset_sha256="0" * 64), ENCODER) == []


def test_a_decoder_compresses_nothing() -> None:
    assert both_ways(_ladders(), DECODER) == []
