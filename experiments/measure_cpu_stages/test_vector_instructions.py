"""What the built program's loops of stage zero_length/03_simd consist of, and how a disassembly is read."""

import shutil
from collections import Counter

import pytest

from experiments.measure_cpu_stages.vector_instructions import (
    STAGE,
    Loop,
    counted,
    counted_in,
    with_instructions,
)
from experiments.sources import REPOSITORY_ROOT

PROGRAM = REPOSITORY_ROOT / "build" / "bin" / "gsst_measure_cpu_stages"
DISASSEMBLY = """
0000000000001000 <gsst::zero_length::simd::decode_avx2(unsigned char const*, unsigned long)>:
    1000:\tvpshufb %ymm1,%ymm2,%ymm3
    1005:\tvmovdqu %ymm3,(%rdi)
    1009:\tvpmovmskb %xmm1,%eax
    100c:\tadd    $0x1,%rax
    100f:\tret

2000 <T encode_with<gsst::zero_length::simd_unvectorised::(anonymous namespace)::Words>(unsigned)>:
    2000:\tadd    $0x1,%rax
0000000000003000 <gsst::zero_length::simd_unvectorised::encode_words(unsigned char const*, unsigned long)>:
    3000:\tpxor   %xmm0,%xmm0
0000000000004000 <gsst::other(unsigned char const*)>:
    4000:\tpxor   %xmm0,%xmm0
"""
EVERY_LOOP = [
    Loop(operation, vector_bytes, vectorised)
    for operation in ("encode", "decode")
    for vector_bytes in (8, 16, 32, 64)
    for vectorised in (True, False)
]


def test_instructions_are_counted_by_loop() -> None:
    assert counted(DISASSEMBLY.splitlines()) == {
        Loop("decode", 32, True): Counter(all=5, vector=2, ymm=1, xmm=1),
        Loop("encode", 8, False): Counter(all=2, vector=1, xmm=1),
    }


def test_rows_of_a_loop_have_its_numbers() -> None:
    loops = counted(DISASSEMBLY.splitlines())
    row = {"stage": STAGE, "operation": "decode", "vector_bytes": 32, "compiler_vectorisation": True}
    other = {**row, "stage": "zero_length/01_naive"}
    (first, second) = with_instructions([row, other], loops)
    assert first["instructions"] == {"all": 5, "vector": 2, "xmm": 1, "ymm": 1, "zmm": 0}
    assert second == other


@pytest.mark.measuring
@pytest.mark.skipif(shutil.which("objdump") is None, reason="objdump is not there")
def test_the_program_has_the_loops_that_its_rows_name() -> None:
    loops = counted_in(PROGRAM)
    assert set(loops) == set(EVERY_LOOP)
    for loop, numbers in loops.items():
        # What the sources say by intrinsics is there in both builds, and nothing wider.
        if loop.vector_bytes > 8:
            assert numbers[{16: "xmm", 32: "ymm", 64: "zmm"}[loop.vector_bytes]] > 0, loop
        wider = [name for name, size in (("ymm", 32), ("zmm", 64)) if size > loop.vector_bytes]
        assert not any(numbers[name] for name in wider), loop
    # Plain C++ computes with no vector where the compiler was told so, and it did so before.
    assert loops[Loop("encode", 8, False)]["vector"] == 0
    assert loops[Loop("encode", 8, True)]["vector"] > 0
