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
  /// 0 to 9 are zlib's, 12 is libdeflate's highest.
  unsigned level = 6;
  /// A number of deflate_strategies; with level 12 only 0.
  unsigned strategy = 0;
};

/// zlib's levels, and one of libdeflate.
inline constexpr std::uint64_t libdeflate_level = 12;
inline constexpr std::array<std::uint64_t, 11> deflate_levels = {
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, libdeflate_level};
/// By the numbers that zlib has for them.
inline constexpr std::array<std::string_view, 5> deflate_strategies = {"default", "filtered", "huffman",
                                                                       "rle", "fixed"};

/// The options of codecs that encode Deflate, as --help lists them.
inline constexpr std::array<CodecOption, 2> deflate_options = {{
    {.name = "level",
     .help = "Level of zlib, 0 to 9 (default 6), or 12 for libdeflate's\n"
             "highest; for formats deflate and gzip",
     .values = deflate_levels},
    {.name = "strategy",
     .help = "Strategy of zlib: default, filtered, huffman, rle or fixed;\n"
             "for formats deflate and gzip",
     .names = deflate_strategies},
}};

/// What the options say, as far as they are given. Throws std::invalid_argument where they do not go
/// together.
DeflateChoice deflate_choice(const format::CodecOptions& options);

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
