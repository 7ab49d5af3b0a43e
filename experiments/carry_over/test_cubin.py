import pytest

from experiments.carry_over.cubin import CubinError, plain_name, read_kernels


def test_a_plain_name_has_no_unnamed_namespace() -> None:
    name = "_ZN45_GLOBAL__N__52ef4a15_8_stage_cu_81437991_40629one_front12decode_tilesEv"
    other = "_ZN49_GLOBAL__N__9c0ffee1_12_elsewhere_cu_00112233_4319one_front12decode_tilesEv"
    assert plain_name(name) == "_ZN9one_front12decode_tilesEv"
    assert plain_name(other) == plain_name(name)
    named = "_ZN4gsst11experiments48_GLOBAL__N__0ca66516_15_device_check_cu_36f24afa6invertEPhPKhm"
    assert plain_name(named) == "_ZN4gsst11experiments6invertEPhPKhm"
    assert plain_name("_Z6invertPh") == "_Z6invertPh"


@pytest.mark.parametrize("data", [b"", b"no ELF file", b"\x7fELF\x02\x01\x01"])
def test_what_is_no_cubin_is_refused(data: bytes) -> None:
    with pytest.raises(CubinError):
        read_kernels(data)
