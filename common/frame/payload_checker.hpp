#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "common/format/payload_rules.hpp"
#include "common/frame/frame.hpp"

namespace gsst::format {

/// Checks the payloads of a frame's blocks, in order, by the rules of its format.
class PayloadChecker {
public:
  explicit PayloadChecker(const FrameHeader& header);

  /// Checks `payload`, that of the block that follows the one checked last, whose record is `record`. After
  /// it, decoding needs to check nothing but the codes and the output's checksum. Throws FormatError naming
  /// the block.
  CheckedPayload check_next(std::span<const std::uint8_t> payload, const BlockRecord& record);

private:
  FrameHeader header_;
  std::unique_ptr<PayloadPass> pass_;
  std::uint64_t next_block_ = 0;
};

}  // namespace gsst::format
