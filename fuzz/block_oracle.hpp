#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/format/payload_rules.hpp"
#include "common/frame/frame.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::fuzz {

/// What the rules and the codec of a frame's format say of its blocks, one by one and in rising order. A
/// block that is refused may be left out, or another one be tried in its place.
class BlockOracle {
public:
  /// Throws std::invalid_argument for a format whose blocks no frame holds.
  explicit BlockOracle(const format::FrameHeader& header);

  /// Checks `payload` as the one of block `block` with `record`. Throws format::FormatError.
  format::CheckedPayload check(std::span<const std::uint8_t> payload, const format::BlockRecord& record,
                               std::uint64_t block);

  /// The uncompressed bytes of a payload for which check() has returned `checked`. Throws format::FormatError
  /// if its codes break a rule. Does not compare checksums.
  std::vector<std::uint8_t> decode(std::span<const std::uint8_t> payload, const format::BlockRecord& record,
                                   const format::CheckedPayload& checked, std::uint64_t block) const;

private:
  format::FrameHeader header_;
  const reference::Codec& codec_;
  std::unique_ptr<format::PayloadPass> pass_;
};

/// Decompresses `frame` block by block and checks all checksums. Throws format::FormatError.
std::vector<std::uint8_t> decode_by_blocks(std::span<const std::uint8_t> frame);

}  // namespace gsst::fuzz
