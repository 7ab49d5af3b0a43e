#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cpu/tiles/instruction_sets.hpp"
#include "cpu/tiles/match_index.hpp"

namespace gsst::cpu::tiles {

/// The codes of an input, one segment after the other. The memory is kept for the inputs that come after.
class ParsedCodes {
public:
  /// `input` is not empty.
  void parse(const MatchIndex& index, std::span<const std::uint8_t> input, ParseSegments& parse_segments);

  std::size_t segments() const { return sizes_.size(); }
  std::span<const std::uint8_t> segment(std::size_t number) const {
    return {codes_.get() + number * room_, sizes_[number]};
  }
  /// Of all segments.
  std::size_t bytes() const;

private:
  std::unique_ptr<std::uint8_t[]> codes_;
  std::size_t capacity_ = 0;
  std::size_t room_ = 0;
  std::vector<std::uint32_t> sizes_;
};

}  // namespace gsst::cpu::tiles
