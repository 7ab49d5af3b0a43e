#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/stage/plans_of_stage.hpp"

namespace gsst::experiments {

/// What a decoder of frames must know of a bare file of zero-length coding (FORMAT.md, section 11): where
/// its blocks are. A frame stores a block as it is where coding does not pay; a bare file has elements
/// always.
struct BareFile {
  /// Without parameters; its index is apart.
  stage::DecodeSubject subject;
  /// The entries of the index, as a frame has them.
  std::vector<std::uint8_t> index;
};

/// Reads the chain of blocks of `file`, the codec's for `uncompressed_bytes` bytes in blocks of
/// `block_bytes`. Throws MismatchError where it has other blocks.
BareFile read_bare_file(std::span<const std::uint8_t> file, std::uint64_t block_bytes,
                        std::uint64_t uncompressed_bytes);

}  // namespace gsst::experiments
