import shutil
from pathlib import Path

import pytest

from tools.repository import ROOT
from tools.shared_members import definition_of, included, members_of, with_members

needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ lays out structures")

HEADER = """\
namespace a::b {

struct Other {
  int x;
};

/// What threads share.
struct Shared {
  using Word = std::uint64_t;
  static constexpr int size = 4;
  /// By code.
  std::uint64_t symbols[4];
  std::uint8_t lengths[size];
  const std::uint8_t* codes = nullptr;
  int count() const { return size; }
};

}  // namespace a::b
"""


def test_a_structure_is_found_with_its_namespace_and_members(tmp_path: Path) -> None:
    (tmp_path / "kernel.cuh").write_text('#include "shared.cuh"\n#include <cstdint>\n')
    (tmp_path / "shared.cuh").write_text(HEADER)
    files = included([tmp_path / "kernel.cuh"], tmp_path)
    assert [path.name for path in files] == ["kernel.cuh", "shared.cuh"]
    found = definition_of("Shared", files)
    assert found == (tmp_path / "shared.cuh", "a::b::Shared", ["symbols", "lengths", "codes"])
    assert definition_of("Nothing", files) is None


@needs_compiler
def test_a_byte_of_shared_memory_gets_the_name_of_its_member() -> None:
    message = "thread 1 reads byte 2304 of shared memory at a.cuh:1; thread 0 writes"
    assert with_members(message, "gsst/03_shared_memory", ROOT) == (
        "thread 1 reads byte 2304 of shared memory, SharedHeader::codes, at a.cuh:1; thread 0 writes"
    )
    # Past the structure are the buffers of threads.
    far = "byte 4000 of shared memory at"
    assert with_members(far, "gsst/03_shared_memory", ROOT) == far


@needs_compiler
def test_members_are_those_of_the_compiler() -> None:
    assert members_of("gsst/03_shared_memory", ROOT) == [
        ("SharedHeader::symbols", 0, 2048),
        ("SharedHeader::lengths", 2048, 256),
        ("SharedHeader::codes", 2304, 8),
        ("SharedHeader::code_bytes", 2312, 4),
    ]


def test_a_stage_without_such_a_structure_has_no_members() -> None:
    message = "byte 0 of shared memory"
    assert with_members(message, "gsst/01_blocks", ROOT) == message
