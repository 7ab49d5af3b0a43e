#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "common/format/zero_length/zero_length.hpp"
#include "stages/zero_length/03_simd/run_masks.hpp"

/// The encoder around the steps of an instruction set. `Instructions` has
///   Bytes                    64 bytes in registers or in memory, with the mask `zeros`
///   load(input)              them from any address
///   write(bytes, masks, before, output)
///                            writes what the masks say and returns the end. `before` zeros precede the
///                            bytes; no run has more than 252. Stores at most 192 bytes
///   prefetch(input, output)  asks for what later steps need
/// It is a type of an unnamed namespace, so that no two files share a function compiled for different
/// processors; for the same reason no function of the standard library is called here but what becomes a call
/// to the C library.
namespace gsst::zero_length {

/// Two steps: of the last bytes, and of what looks ahead from them.
inline constexpr int tail_bytes = 2 * step_bytes;

/// Writes a whole run of `length` zeros (FORMAT.md, section 11.1): at most that many bytes.
[[gnu::always_inline]] inline std::uint8_t* write_run(std::size_t length, std::uint8_t* output) {
  using namespace format::zero_length;
  for (; length >= longest_run; length -= longest_run) {
    *output++ = marker;
    *output++ = static_cast<std::uint8_t>(longest_run);
  }
  if (length >= shortest_run) {
    *output++ = marker;
    *output++ = static_cast<std::uint8_t>(length);
  } else {
    for (; length != 0; --length) *output++ = 0;
  }
  return output;
}

/// The first byte from `input` on that is not 0, or `end`.
template <typename Instructions>
const std::uint8_t* end_of_zeros(const std::uint8_t* input, const std::uint8_t* end) {
  while (end - input >= step_bytes) {
    const std::uint64_t zeros = Instructions::load(input).zeros;
    if (~zeros != 0) return input + __builtin_ctzll(~zeros);
    input += step_bytes;
  }
  while (input != end && *input == 0) ++input;
  return input;
}

/// Writes the elements of the last `bytes` bytes, fewer than tail_bytes, after 64 bytes with those zeros:
/// they are copied to where there is room around them.
template <typename Instructions>
std::uint8_t* write_tail(const std::uint8_t* input, std::size_t bytes, std::uint64_t zeros_before,
                         std::uint8_t* output) {
  // No zeros, and each is one byte of output.
  constexpr int filling = 1;
  alignas(step_bytes) std::uint8_t copy[tail_bytes + step_bytes];
  // The last store may reach over what is written.
  alignas(step_bytes) std::uint8_t written[2 * tail_bytes + step_bytes];
  std::memcpy(copy, input, bytes);
  std::memset(copy + bytes, filling, sizeof copy - bytes);
  std::uint8_t* end = written;
  unsigned before = zeros_at_end(zeros_before);
  for (int step = 0; step < tail_bytes; step += step_bytes) {
    const auto current = Instructions::load(copy + step);
    const std::uint64_t zeros_after = Instructions::load(copy + step + step_bytes).zeros;
    end = Instructions::write(current, run_masks(zeros_before, current.zeros, zeros_after), before, end);
    before = ~current.zeros == 0 ? before + step_bytes : zeros_at_end(current.zeros);
    zeros_before = current.zeros;
  }
  const std::size_t written_bytes = static_cast<std::size_t>(end - written) - (tail_bytes - bytes);
  std::memcpy(output, written, written_bytes);
  return output + written_bytes;
}

/// Writes the elements of the `bytes` bytes at `block` to `elements`, which has twice as many, and returns
/// the bytes of the elements. Reads and writes nothing outside of the two.
template <typename Instructions>
std::size_t encode_with(const std::uint8_t* block, std::size_t bytes, std::uint8_t* elements) {
  const std::uint8_t* input = block;
  const std::uint8_t* const end = block + bytes;
  std::uint8_t* output = elements;
  std::uint64_t zeros_before = 0;
  while (end - input >= tail_bytes) {
    auto current = Instructions::load(input);
    // A run of which 64 bytes in a row are zeros is found to its end first. No other has more than 126, so
    // that all others fit into one element. Nothing of it is written yet: at least two zeros follow what is.
    while (~current.zeros != 0) {
      const auto next = Instructions::load(input + step_bytes);
      Instructions::prefetch(input, output);
      output = Instructions::write(current, run_masks(zeros_before, current.zeros, next.zeros),
                                   zeros_at_end(zeros_before), output);
      zeros_before = current.zeros;
      input += step_bytes;
      current = next;
      if (end - input < tail_bytes) break;
    }
    if (~current.zeros != 0 || end - input < tail_bytes) break;
    const std::uint8_t* const run_end = end_of_zeros<Instructions>(input + step_bytes, end);
    output = write_run(static_cast<std::size_t>(run_end - input) + zeros_at_end(zeros_before), output);
    input = run_end;
    zeros_before = 0;
  }
  output = write_tail<Instructions>(input, static_cast<std::size_t>(end - input), zeros_before, output);
  return static_cast<std::size_t>(output - elements);
}

}  // namespace gsst::zero_length
