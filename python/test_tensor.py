"""Raw bytes exchanged through DLPack."""

import gsst
import numpy as np
import pytest

TEXT = b"she sells sea shells by the sea shore\n" * 300


class OnlyTensor:
    """A tensor that is no buffer."""

    def __init__(self, array: np.ndarray, device: tuple[int, int] = (1, 0)) -> None:
        self._array = array
        self._device = device

    def __dlpack__(self, **kwargs: object) -> object:
        return self._array.__dlpack__(**kwargs)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device


@pytest.mark.parametrize("type_name", ["uint8", "uint16", "float32"])
def test_a_tensor_is_compressed_as_its_bytes(type_name: str) -> None:
    array = np.frombuffer(TEXT, type_name).reshape(10, -1)
    assert gsst.compress(OnlyTensor(array), block_bytes=4000) == gsst.compress(TEXT, block_bytes=4000)
    assert gsst.compress(OnlyTensor(array[3:5])) == gsst.compress(array[3:5].tobytes())


def test_a_frame_can_be_a_tensor_and_so_can_what_comes_out() -> None:
    frame = np.frombuffer(gsst.compress(TEXT, block_bytes=4000), np.uint8)
    assert gsst.decompress(OnlyTensor(frame)) == TEXT
    assert gsst.inspect(OnlyTensor(frame)).block_bytes == 4000
    tensor = gsst.decompress_to_tensor(OnlyTensor(frame))
    assert tensor.__dlpack_device__() == (1, 0)
    array = np.from_dlpack(tensor)
    assert array.dtype == np.uint8
    del tensor
    assert array.tobytes() == TEXT


def test_who_takes_a_tensor_shares_its_memory() -> None:
    tensor = gsst.decompress_to_tensor(gsst.compress(TEXT))
    arrays = [np.from_dlpack(tensor), np.from_dlpack(tensor)]
    assert np.shares_memory(*arrays)


def test_no_bytes_are_a_tensor_too() -> None:
    frame = gsst.compress(OnlyTensor(np.zeros((0, 3), np.uint8)))
    assert frame == gsst.compress(b"")
    assert np.from_dlpack(gsst.Frame(frame).decompress_to_tensor()).size == 0


def test_a_tensor_with_gaps_is_refused() -> None:
    for array in (np.zeros((4, 4), np.uint8)[:, :3], np.zeros((4, 4), np.uint8).T[:2]):
        with pytest.raises(gsst.Error, match="contiguous"):
            gsst.compress(OnlyTensor(array))


def test_memory_of_another_device_is_refused() -> None:
    with pytest.raises(gsst.Error, match="type 2") as raised:
        gsst.compress(OnlyTensor(np.zeros(3, np.uint8), device=(2, 0)))
    assert raised.value.code == gsst.ErrorCode.WRONG_MEMORY
