#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reference_cpu/stream_codec.hpp"

namespace gsst::fuzz {

/// Decompresses `input` through decompress_stream(). Throws format::FormatError.
inline std::vector<std::uint8_t> decode_as_stream(std::span<const std::uint8_t> input, bool fsst_file) {
  std::vector<std::uint8_t> output;
  reference::decompress_stream(
      [&](std::span<std::uint8_t> buffer) {
        const auto piece = input.first(std::min(buffer.size(), input.size()));
        std::copy(piece.begin(), piece.end(), buffer.begin());
        input = input.subspan(piece.size());
        return piece.size();
      },
      [&](std::span<const std::uint8_t> bytes) { output.insert(output.end(), bytes.begin(), bytes.end()); },
      {.fsst_file = fsst_file, .threads = 1});
  return output;
}

}  // namespace gsst::fuzz
