#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference_cpu/codec.hpp"

/// Encoding of raw Deflate by the distribution's libraries.
namespace gsst::reference::codag {

/// How a stream is made.
struct DeflateChoice {
  /// 0 to max_deflate_level.
  unsigned level = 1;
  /// A number of deflate_strategies; above zlib's levels only 0.
  unsigned strategy = 0;
};

/// Levels are 0 to this one: up to 9 they are zlib's, above libdeflate's.
inline constexpr unsigned max_deflate_level = 12;
inline constexpr unsigned max_zlib_level = 9;
/// By the numbers that zlib has for them.
inline constexpr std::array<std::string_view, 5> deflate_strategies = {"default", "filtered", "huffman",
                                                                       "rle", "fixed"};

/// The options of codecs that encode Deflate, as --help lists them.
inline constexpr std::array<CodecOption, 2> deflate_options = {{
    {.name = "level",
     .help = "As -1 to -9, and further levels: 0 to 9 are zlib's, 10 to 12\n"
             "libdeflate's; for deflate, gzip and zlib",
     .least = 0,
     .most = max_deflate_level},
    {.name = "strategy",
     .help = "Strategy of zlib: default, filtered, huffman, rle or fixed;\n"
             "for deflate, gzip and zlib",
     .names = deflate_strategies},
}};

/// What the settings say. Throws std::invalid_argument where they do not go together.
DeflateChoice deflate_choice(const format::EncodeSettings& settings);

/// The choice in words that a number of blocks follows.
std::string deflate_text(const DeflateChoice& choice);

/// Encodes `bytes` as one raw Deflate stream. Empty if that takes more than `most_bytes` bytes, which no
/// stream is. Throws std::runtime_error in a build without the libraries, as that of the library alone is.
std::vector<std::uint8_t> encode_deflate(std::span<const std::uint8_t> bytes, const DeflateChoice& choice,
                                         std::uint64_t most_bytes);

/// No stream of that many bytes takes more, whatever the choice.
constexpr std::uint64_t most_encoded_bytes(std::uint64_t bytes) {
  // All literals with the fixed code's 9 bits take less.
  return bytes + bytes / 4 + 1024;
}

}  // namespace gsst::reference::codag
