#pragma once

#include <cstdint>

namespace gsst::experiments {

/// Lanes of a warp that compute: all the same, or the first one alone.
enum class ComputingLanes { one, all };

/// Warps that run at the same time at most.
inline constexpr std::uint32_t most_arithmetic_warps = 8192;

/// x becomes x * multiplier + increment, modulo 2^32.
inline constexpr std::uint32_t arithmetic_multiplier = 1664525;
inline constexpr std::uint32_t arithmetic_increment = 1013904223;

/// Arithmetic on words that warps load. The functions are those of stage::KernelsOn<RepeatedArithmetic>.
struct RepeatedArithmetic {
  /// Puts on `stream`: output word i becomes input word i after `operations` steps. A warp has every n-th
  /// word, of n warps, which `lanes` of it load, and one lane stores. Both arrays have `words` words, one or
  /// more, of the executor's memory.
  void (*enqueue)(ComputingLanes lanes, const std::uint32_t* input, std::uint64_t words,
                  std::uint32_t operations, std::uint32_t* output, void* stream);
};

}  // namespace gsst::experiments
