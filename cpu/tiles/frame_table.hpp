#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/format/gsst/tiles.hpp"
#include "cpu/tiles/block_encoder.hpp"
#include "reference_cpu/tile_plan.hpp"

namespace gsst::cpu::tiles {

/// How often each code occurs among some of those of an input.
class CodeUse {
public:
  CodeUse() = default;
  /// Counts those in the first `most_bytes` of the codes of each segment.
  CodeUse(const ParsedCodes& parsed, std::uint32_t code_bits, std::size_t most_bytes);

  /// The part of the codes, 0 to 1, that would have to be others for the use to be `other`.
  double distance(const CodeUse& other) const;
  /// What the distance is expected to be, at most, where these codes are drawn from as many as there may be.
  double chance() const;

private:
  static constexpr std::size_t bins = 256;

  std::array<std::uint32_t, bins> counts_{};
  std::uint64_t total_ = 0;
};

/// A table for an input, which its blocks share where they are like it.
class FrameTable {
public:
  /// Trains the table on `start`, the first bytes of the input, and chooses what `request` leaves open: 8
  /// bits, and the codes of a lane as reference::plan_tiles() does. The request's numbers are valid ones.
  FrameTable(std::span<const std::uint8_t> start, const reference::TileRequest& request);
  FrameTable(const FrameTable&) = delete;
  FrameTable& operator=(const FrameTable&) = delete;

  const format::TileTable& table() const { return table_; }
  const BlockEncoder& encoder() const { return encoder_; }
  const reference::TileChoice& choice() const { return choice_; }
  BlockShape shape() const;
  /// Whether an input with these codes of the table is like the one that the table was trained for: then a
  /// table trained for it alone is not expected to be better.
  bool suits(const ParsedCodes& parsed) const;

private:
  format::TileTable table_;
  BlockEncoder encoder_;
  reference::TileChoice choice_;
  CodeUse use_;
};

}  // namespace gsst::cpu::tiles
