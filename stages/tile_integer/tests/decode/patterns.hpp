#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>

/// For tests: columns of integers of every kind that formats tell apart.
namespace gsst::tile_integer {

/// How the values of a column follow each other.
struct Pattern {
  const char* name;
  /// The lowest bits of value `index`, for a type whose smallest value is `least`.
  std::uint64_t (*value)(std::size_t index, std::uint64_t least, std::mt19937_64& random);
};

/// What decoders and encoders are tested with.
inline constexpr std::array<Pattern, 9> patterns = {{
    {"constant", [](std::size_t, std::uint64_t, std::mt19937_64&) -> std::uint64_t { return 91; }},
    {"ascending", [](std::size_t index, std::uint64_t, std::mt19937_64&) -> std::uint64_t { return index; }},
    {"descending",
     [](std::size_t index, std::uint64_t, std::mt19937_64&) -> std::uint64_t { return 7 - 5 * index; }},
    {"around the smallest value",
     [](std::size_t index, std::uint64_t least, std::mt19937_64&) { return least + index % 7 - 3; }},
    {"alternating extremes",
     [](std::size_t index, std::uint64_t least, std::mt19937_64&) { return least - index % 2; }},
    // Differences of half of the range, which the smallest and the largest difference are.
    {"halves of the range", [](std::size_t index, std::uint64_t,
                               std::mt19937_64&) { return (index % 2 + index % 3) * 0x8080808080808080; }},
    {"an outlier a miniblock",
     [](std::size_t index, std::uint64_t, std::mt19937_64&) {
       return index % 32 == index / 32 % 32 ? std::uint64_t{1} << index / 32 % 64 : index % 4;
     }},
    {"sorted with gaps",
     [](std::size_t index, std::uint64_t, std::mt19937_64& random) { return index * 64 + random() % 64; }},
    {"random", [](std::size_t, std::uint64_t, std::mt19937_64& random) -> std::uint64_t { return random(); }},
}};

}  // namespace gsst::tile_integer
