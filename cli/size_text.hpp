#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gsst::cli {

/// Reads a number of bytes as people write it: digits, then nothing or one of K, M, G, KiB, MiB, GiB (2^10,
/// 2^20, 2^30). Nothing for any other text and for more than 64 bits.
std::optional<std::uint64_t> parse_size(std::string_view text);

}  // namespace gsst::cli
