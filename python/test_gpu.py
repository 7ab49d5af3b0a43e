"""The module gsst.gpu: what it says where it is missing, refuses without a GPU, and does on one."""

import doctest
import importlib
import importlib.util
from pathlib import Path
from types import ModuleType

import gsst
import numpy as np
import pyarrow as pa
import pytest

TEXT = b"she sells sea shells by the sea shore, and the shells she sells are sea shells\n" * 5_000

PAGE = Path(__file__).resolve().parent.parent / "docs/python_gpu.md"

IS_BUILT = importlib.util.find_spec("gsst._gpu") is not None
needs_build = pytest.mark.skipif(not IS_BUILT, reason="the package was built without CUDA")


def has_gpu() -> bool:
    return IS_BUILT and importlib.import_module("gsst.gpu").device_count() > 0


needs_gpu = pytest.mark.skipif(not has_gpu(), reason="no GPU, or the package was built without CUDA")


@pytest.fixture
def gpu() -> ModuleType:
    return importlib.import_module("gsst.gpu")


class MovedTensor:
    """A tensor that says that it is on another device."""

    def __init__(self, tensor: gsst.Tensor, device: tuple[int, int]) -> None:
        self._tensor = tensor
        self._device = device

    def __dlpack__(self, **kwargs: object) -> object:
        return self._tensor.__dlpack__(**kwargs)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device


class StringsOnCpu:
    """An Arrow array on the CPU that only has the interface that names a device."""

    def __init__(self, column: gsst.Column) -> None:
        self._column = column

    def __arrow_c_device_array__(
        self, requested_schema: object | None = None, **kwargs: object
    ) -> tuple[object, object]:
        return self._column.__arrow_c_device_array__(requested_schema, **kwargs)


@pytest.mark.skipif(IS_BUILT, reason="the package was built with CUDA")
def test_a_package_without_cuda_says_how_one_with_it_is_built() -> None:
    with pytest.raises(ImportError, match="GSST_CUDA=ON"):
        importlib.import_module("gsst.gpu")


@needs_build
def test_data_on_the_cpu_is_refused(gpu: ModuleType) -> None:
    for data in (TEXT, np.zeros(3, np.uint8)):
        for compress in (gpu.compress, gpu.compress_to_tensor):
            with pytest.raises(gsst.Error, match=r"GPU.*gsst\.compress") as raised:
                compress(data)
            assert raised.value.code == gsst.ErrorCode.WRONG_MEMORY
    column = gsst.Column(gsst.compress_column(pa.array(["a", "b"])))
    with pytest.raises(gsst.Error, match="type 1") as raised:
        gpu.compress_column(StringsOnCpu(column))
    assert raised.value.code == gsst.ErrorCode.WRONG_MEMORY


@needs_build
def test_a_gpu_that_is_not_there_is_refused(gpu: ModuleType) -> None:
    column = gpu.decompress_column(gsst.compress_column(pa.array(["a"])), device=1000)
    frame = gsst.compress(TEXT)
    moved = MovedTensor(np.zeros(3, np.uint8), (2, 1000))
    for call in (
        lambda: gpu.decompress_to_tensor(frame, device=1000),
        lambda: gpu.decompress_to_tensor(frame, device=-1),
        lambda: gpu.compress(moved),
        column.__arrow_c_device_array__,
    ):
        with pytest.raises(gsst.Error, match="there is no GPU") as raised:
            call()
        assert raised.value.code == gsst.ErrorCode.WRONG_DEVICE


@needs_build
def test_wrong_options_are_refused(gpu: ModuleType) -> None:
    moved = MovedTensor(np.zeros(3, np.uint8), (2, 0))
    with pytest.raises(gsst.Error, match="block_bytes is 0"):
        gpu.compress(moved, block_bytes=0)
    with pytest.raises(gsst.Error, match="expected one of"):
        gpu.compress(moved, format="split")
    with pytest.raises(gsst.Error, match="not a gsst column"):
        gpu.decompress_column(b"not a column")
    with pytest.raises(gsst.Error, match="the column has 2 parts"):
        gpu.decompress_column(gsst.compress_column(pa.array(["a"])) * 2)
    with pytest.raises(NotImplementedError, match="stream"):
        gpu.decompress_column(gsst.compress_column(pa.array(["a"]))).__arrow_c_device_array__(stream=3)


@needs_gpu
@pytest.mark.parametrize("format", ["blocks", "splits", "coalesced", "tiles"])
def test_frames_of_the_cpu_are_decompressed(gpu: ModuleType, format: gsst.Format) -> None:
    frame = gsst.compress(TEXT, format=format, block_bytes=50_001)
    tensor = gpu.decompress_to_tensor(frame)
    assert tensor.__dlpack_device__() == (2, 0)
    assert gsst.decompress(gpu.compress(tensor)) == TEXT


@needs_gpu
@pytest.mark.parametrize("format", ["splits", "tiles"])
@pytest.mark.parametrize("data", [b"", b"q", TEXT, TEXT[:70_003]])
def test_what_a_gpu_compresses_both_decompress(gpu: ModuleType, format: str, data: bytes) -> None:
    tensor = gpu.decompress_to_tensor(gsst.compress(data))
    frame = gpu.compress(tensor, format=format, block_bytes=30_000)
    assert gsst.decompress(frame) == data
    assert gsst.inspect(frame).format == format
    assert gsst.inspect(frame).block_bytes == 30_000
    on_gpu = gpu.compress_to_tensor(tensor, format=format, block_bytes=30_000)
    again = gpu.decompress_to_tensor(on_gpu)
    assert again.__dlpack_device__() == (2, 0)
    assert gsst.decompress(gpu.compress(again)) == data


@needs_gpu
def test_without_a_format_frames_are_of_tiles(gpu: ModuleType) -> None:
    tensor = gpu.decompress_to_tensor(gsst.compress(TEXT))
    assert gsst.inspect(gpu.compress(tensor)).format == "tiles"
    with pytest.raises(gsst.Error, match="splits is 50, expected 0 for format tiles"):
        gpu.compress(tensor, splits=50)


@needs_gpu
def test_options_of_splits_are_taken(gpu: ModuleType) -> None:
    tensor = gpu.decompress_to_tensor(gsst.compress(TEXT))
    info = gsst.inspect(
        gpu.compress(tensor, format="splits", block_bytes=40_000, splits=50, blocks_per_table=2)
    )
    assert (info.block_bytes, info.splits) == (40_000, 50)


@needs_gpu
def test_damage_is_found(gpu: ModuleType) -> None:
    frame = bytearray(gsst.compress(TEXT, format="splits"))
    frame[3000] ^= 1
    with pytest.raises(gsst.Error, match="block 0"):
        gpu.decompress_to_tensor(frame)
    with pytest.raises(gsst.Error, match="trailer"):
        gpu.decompress_to_tensor(frame[:-1])


@needs_gpu
@pytest.mark.parametrize("format", ["splits", "tiles"])
@pytest.mark.parametrize("type_name", ["string", "large_string", "binary"])
def test_columns_go_to_the_gpu_and_back(gpu: ModuleType, format: str, type_name: str) -> None:
    strings = [None, "", "furiously regular deposits", "carefully final foxes"] * 3_000
    array = pa.array(strings, pa.string()).cast(type_name)
    column = gsst.compress_column(array.slice(5, 11_000))
    on_gpu = gpu.decompress_column(column)
    assert len(on_gpu) == 11_000
    for code_bits in (8, 10, 12) if format == "tiles" else (None,):
        packed = gpu.compress_column(on_gpu, format=format, code_bits=code_bits)
        assert pa.array(gsst.Column(packed)).equals(array.slice(5, 11_000))


@needs_gpu
def test_torch_exchanges_tensors(gpu: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    data = torch.arange(1 << 20, device="cuda").to(torch.uint8) // 3
    frame = gpu.compress(data)
    assert gsst.decompress(frame) == bytes(data.cpu().numpy())
    back = torch.from_dlpack(gpu.decompress_to_tensor(frame))
    assert torch.equal(back, data)
    with pytest.raises(gsst.Error, match="contiguous"):
        gpu.compress(data.reshape(1024, 1024)[:, :5])


@needs_gpu
def test_examples_of_the_page_give_what_is_printed_there() -> None:
    pytest.importorskip("torch")
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert tried > 5
    assert failed == 0


@needs_build
def test_everything_is_typed_and_documented(gpu: ModuleType) -> None:
    assert (Path(gpu.__file__).parent / "_gpu.pyi").exists()
    assert [name for name in gpu.__all__ if not getattr(gpu, name).__doc__] == []
