import json
import sys
from functools import cache
from pathlib import Path

import pytest

from experiments import ptx as module
from experiments.compiler import NvccMissingError, find_nvcc, has_nvcc
from experiments.definition import Compilation
from experiments.ptx import (
    PtxError,
    Transfer,
    access_bytes,
    compile_to_ptx,
    kernels,
    table_rows,
    transfers,
    widest_transfer,
)
from library.installed_tree import HAS_GPU_LIBRARY

# In a build without it, `make test` leaves out what nvcc compiles.
needs_nvcc = pytest.mark.skipif(
    not (has_nvcc() and HAS_GPU_LIBRARY), reason="nvcc is not installed, or nothing is built with it"
)

# The stages that copy asynchronously, and their bases, which do not.
COPIES_ASYNCHRONOUSLY = {
    "gsst/04_alignment": False,
    "gsst/05_coalesced": False,
    "gsst/06_async": True,
    "gsst/06_async_splits": True,
}
STAGES = list(COPIES_ASYNCHRONOUSLY)

KERNEL = """
    ld.param.u64 %rd1, [param_0];
    ld.global.u8 %rs9, [%rd1];
    cvt.u64.u16 %rd9, %rs9;
    st.shared.u64 [%r1], %rd9;
    ld.v4.u16 {%rs1, %rs2, %rs3, %rs4}, [%rd1];
    mov.b32 %r3, {%rs3, %rs4};
    mov.b32 %r2, {%rs1, %rs2};
    @%p1 st.shared.v2.u32 [%r1+8], {%r2, %r3};
    ld.shared.u64 %rd3, [%r1];
    mov.b64 {%r4, %r5}, %rd3;
    st.global.v2.u32 [%rd1], {%r4, %r5};
    ld.shared.u8 %rs5, [%r1];
    st.u8 [%rd1], %rs5;
    st.u8 [%rd1], %rs5;
"""
PTX = """
.version 9.0
.entry _ZN9_GLOBAL_13decode_splitsILi16ELi1ELi4EEEvN4gsst5FrameEPhPj(
{
    first
}
.visible .entry _ZN9_GLOBAL_13decode_blocksEv(
{
    second
}
"""


def test_a_transfer_is_a_load_whose_registers_are_stored_unchanged() -> None:
    assert transfers(KERNEL, "global", "shared") == {Transfer("ld.v4.u16", "st.shared.v2.u32", 8): 1}
    assert transfers(KERNEL, "shared", "global") == {
        Transfer("ld.shared.u64", "st.global.v2.u32", 8): 1,
        Transfer("ld.shared.u8", "st.u8", 1): 2,
    }


def test_the_widest_transfer_is_found() -> None:
    assert widest_transfer(KERNEL, "shared", "global")[0].bytes_per_transfer == 8
    with pytest.raises(PtxError, match="no transfer from global to shared"):
        widest_transfer("ret;", "global", "shared")


@pytest.mark.parametrize(
    ("name", "expected"),
    [("ld.global.v4.u32", 16), ("st.shared.v2.b64", 16), ("ld.u8", 1), ("ld.global.nc.v2.u8", 2)],
)
def test_the_width_of_an_access(name: str, expected: int) -> None:
    assert access_bytes(name) == expected


def test_an_access_without_a_width_is_an_error() -> None:
    with pytest.raises(PtxError, match=r"ld\.pred"):
        access_bytes("ld.pred")


def test_kernels_come_with_their_template_arguments() -> None:
    found = list(kernels(PTX))
    assert [arguments for arguments, _ in found] == [(16, 1, 4), ()]
    assert "first" in found[0][1]
    assert "second" not in found[0][1]


def test_without_nvcc_the_message_says_where_it_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("experiments.compiler.DEFAULT_NVCC", "/nowhere/nvcc")
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("CUDACXX", raising=False)
    with pytest.raises(NvccMissingError, match="CUDACXX"):
        find_nvcc()


@cache
def ptx_of(stage: str, compute_capability: int) -> str:
    return compile_to_ptx(stage, compute_capability)


@needs_nvcc
@pytest.mark.parametrize("compute_capability", [80, 90])
def test_04_moves_16_bytes_at_a_time_at_alignment_16(compute_capability: int) -> None:
    found = [
        kernel
        for arguments, kernel in kernels(ptx_of("gsst/04_alignment", compute_capability))
        if arguments[0] == 16
    ]
    assert found
    for kernel in found:
        assert widest_transfer(kernel, "global", "shared")[0].bytes_per_transfer == 16
        assert widest_transfer(kernel, "shared", "global")[0].bytes_per_transfer == 16


@needs_nvcc
@pytest.mark.parametrize("stage", STAGES)
def test_only_the_asynchronous_stages_have_asynchronous_copies(stage: str) -> None:
    assert ("cp.async" in ptx_of(stage, 80)) == COPIES_ASYNCHRONOUSLY[stage]


@needs_nvcc
def test_a_stage_that_does_not_compile_gives_the_compiler_s_message(tmp_path: Path) -> None:
    folder = tmp_path / "stages" / "series" / "01_broken"
    folder.mkdir(parents=True)
    (folder / "stage.cu").write_text("#error made-up message\n", encoding="utf-8")
    with pytest.raises(PtxError, match="made-up message"):
        compile_to_ptx("series/01_broken", 80, tmp_path)


def test_rows_are_by_compute_capability_and_alignment(monkeypatch: pytest.MonkeyPatch) -> None:
    ptx = "".join(f".entry _Z1kILi{alignment}ELi1EEvv(\n{KERNEL}\n" for alignment in (16, 8, 16))
    monkeypatch.setattr(module, "compile_to_ptx", lambda *_: ptx)
    rows = table_rows(Compilation("gsst/04_alignment", (80, 90)))
    assert [tuple(row["parameters"].values()) for row in rows] == [(8, 80), (16, 80), (8, 90), (16, 90)]
    assert rows[1]["input_bytes_per_transfer"] == 8
    assert rows[1]["input_transfers_per_alignment"] == 2
    assert rows[1]["output_store"] == "st.global.v2.u32"


def test_a_target_that_compiles_nothing_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "gsst_fig_b_1.json"
    monkeypatch.setattr(sys, "argv", ["ptx", "gsst_fig_b_1", "--output", str(output)])
    assert module.main() == 1
    assert "compiles nothing" in capsys.readouterr().err
    assert not output.exists()


def test_the_result_says_compiler_and_flags(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ptx = f".entry _Z1kILi16EEvv(\n{KERNEL}\n"
    monkeypatch.setattr(module, "compile_to_ptx", lambda *_: ptx)
    monkeypatch.setattr(module, "nvcc_version", lambda: "13.0.88")
    output = tmp_path / "gsst_table_5_4.json"
    monkeypatch.setattr(sys, "argv", ["ptx", "gsst_table_5_4", "--output", str(output)])
    assert module.main() == 0
    environment = json.loads(output.read_text(encoding="utf-8"))["environment"]
    assert environment["compiler"] == "nvcc 13.0.88"
    assert environment["flags"].startswith("-std=c++20")
