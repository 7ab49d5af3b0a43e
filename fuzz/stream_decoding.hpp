#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/format/stream.hpp"
#include "reference_cpu/stream_codec.hpp"

namespace gsst::fuzz {

/// Decompresses `input` through decompress_stream(). Throws format::FormatError.
inline std::vector<std::uint8_t> decode_as_stream(std::span<const std::uint8_t> input, bool fsst_file) {
  std::vector<std::uint8_t> output;
  reference::decompress_stream(format::reader_of(input), format::writer_to(output),
                               {.fsst_file = fsst_file, .threads = 1});
  return output;
}

}  // namespace gsst::fuzz
