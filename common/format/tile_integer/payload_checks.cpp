#include "common/format/tile_integer/payload_checks.hpp"

#include <cstddef>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"

namespace gsst::format::tile_integer {

std::uint32_t word_at(std::span<const std::uint8_t> payload, std::uint64_t word) {
  return static_cast<std::uint32_t>(load_little_endian<word_bytes>(payload.data() + word * word_bytes));
}

void throw_cut(std::span<const std::uint8_t> payload, const std::string& what, std::uint64_t block) {
  throw FormatError(block, "payload bytes",
                    "are " + std::to_string(payload.size()) + ", which is too few for " + what);
}

std::uint32_t checked_miniblock_words(std::span<const std::uint8_t> widths, std::uint32_t max_width,
                                      const Place& place, std::uint64_t block) {
  std::uint32_t words = 0;
  for (std::size_t miniblock = 0; miniblock < widths.size(); ++miniblock) {
    if (widths[miniblock] > max_width) {
      throw FormatError(block, "widths",
                        "of miniblock " + std::to_string(miniblock) + place.text() + " is " +
                            std::to_string(widths[miniblock]) + ", expected at most " +
                            std::to_string(max_width));
    }
    words += widths[miniblock];
  }
  return words;
}

}  // namespace gsst::format::tile_integer
