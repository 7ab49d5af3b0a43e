#pragma once

#include <cstdint>

#include "stages/search/shared/rare_call.hpp"
#include "stages/search/shared/search_on_device.hpp"
#include "stages/search/shared/text_walk.cuh"

// The window's automaton over codes: where a code leads from a state.
namespace gsst::search::kernels {
namespace {

// Codes whose output holds the last bytes that a window needs: all but one of them, and a code puts out one
// byte or more.
constexpr std::uint32_t warm_up_codes = most_window_bytes - 1;

// What `code`, of the table of `block`, puts out; nothing if that is a half of a byte.
__device__ inline CodeOutput whole_output(const SearchOnDevice& search, const SearchedBlock& block,
                                          std::uint32_t code) {
  if (block.has_halves() && code < block.first_stored_code) return {.symbol = 0, .length = 0};
  return output_of_code(search, block, code);
}

// The state after a code with that whole_output() from `state`; window_bytes: the window has been seen, or
// what the code puts out is not known. Codes without output are such, since more than warm_up_codes codes
// may matter then, and halves of bytes. No code leads out of window_bytes.
__device__ inline std::uint32_t state_after_output(const Pattern& pattern, const CodeOutput& output,
                                                   std::uint32_t state) {
  if (output.length == 0) return pattern.window_bytes;
  for (std::uint32_t i = 0; i < output.length && state != pattern.window_bytes; ++i) {
    state = pattern.next[state][output.symbol >> (8 * i) & 0xff];
  }
  return state;
}

// The state in front of the first code of block `block`: that of the text before, whatever blocks it is in.
__device__ GSST_RARE_CALL std::uint32_t state_before_block(const SearchOnDevice& search,
                                                           std::uint32_t block) {
  const Pattern& pattern = *search.pattern;
  TextBefore before(search, block, 0);
  std::uint64_t bytes = 0;
  std::uint32_t count = 0;
  for (; count + 1 < pattern.window_bytes; ++count) {
    const std::int32_t byte = before.next();
    if (byte == no_byte) break;
    bytes |= static_cast<std::uint64_t>(byte) << (8 * count);
  }
  std::uint32_t state = 0;
  for (; count > 0; --count) state = pattern.next[state][bytes >> (8 * (count - 1)) & 0xff];
  return state;
}

}  // namespace
}  // namespace gsst::search::kernels
