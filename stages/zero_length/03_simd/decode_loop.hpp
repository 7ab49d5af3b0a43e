#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "common/format/zero_length/zero_length.hpp"

/// The decoder around the steps of an instruction set. `Instructions` has
///   usual_steps(cursor)  decodes as many bytes as it can of what most blocks consist of, literals and
///                        runs of four, by the same operations whatever they are; may do nothing
///   step(cursor)         decodes up to 64 bytes of elements. Returns false where it meets what it does not
///                        decode: the decoder that goes byte by byte goes on, and says what is wrong if
///                        something is.
/// Both begin at an element and end at one. step() is called where has_room(); usual_steps() asks itself.
/// It is a type of an unnamed namespace, as the encoder's.
namespace gsst::zero_length {

/// What is left of a block: an element starts at `input`.
struct DecodeCursor {
  const std::uint8_t* input;
  const std::uint8_t* input_end;
  std::uint8_t* output;
  std::uint8_t* output_end;
};

/// Whether a step may read and write what it likes: 128 bytes of input and 256 of output are left.
[[gnu::always_inline]] inline bool has_room(const DecodeCursor& cursor) {
  return cursor.input_end - cursor.input >= 128 && cursor.output_end - cursor.output >= 256;
}

/// Decodes at least `bytes` bytes of elements, or all that are left, one after the other. Stops at the first
/// element that has no meaning or no room; Status::decoded otherwise.
[[gnu::always_inline]] inline format::zero_length::Status decode_bytes(DecodeCursor& cursor,
                                                                       std::ptrdiff_t bytes) {
  using namespace format::zero_length;
  const std::uint8_t* const stop =
      cursor.input_end - cursor.input <= bytes ? cursor.input_end : cursor.input + bytes;
  while (cursor.input < stop) {
    const std::uint8_t byte = *cursor.input;
    if (byte != marker) {
      if (cursor.output == cursor.output_end) return Status::output_too_long;
      *cursor.output++ = byte;
      ++cursor.input;
      continue;
    }
    if (cursor.input_end - cursor.input < 2) return Status::marker_at_end;
    const std::uint8_t length = cursor.input[1];
    if (length > longest_run) return Status::unused_length;
    const std::ptrdiff_t count = length == literal_marker ? 1 : length;
    if (count > cursor.output_end - cursor.output) return Status::output_too_long;
    if (length == literal_marker) {
      *cursor.output = marker;
    } else {
      std::memset(cursor.output, 0, static_cast<std::size_t>(count));
    }
    cursor.output += count;
    cursor.input += 2;
  }
  return Status::decoded;
}

/// Decodes the first `bytes` bytes of elements, at most 64, of which those in `markers` are markers: copies
/// what is between them. Returns false, with the cursor at an element, where one has no meaning or little
/// room is left. `Instructions` has copy_step(to, from) and zero_step(to) for 64 bytes.
template <typename Instructions>
[[gnu::always_inline]] inline bool step_by_elements(DecodeCursor& cursor, std::uint64_t markers,
                                                    unsigned bytes) {
  using namespace format::zero_length;
  // What is copied and then written for an element, and 64 bytes for what follows the last one.
  constexpr std::ptrdiff_t room = 64 + 64 + 64 + longest_run;
  const std::uint8_t* const start = cursor.input;
  for (; markers != 0; markers &= markers - 1) {
    const std::uint8_t* const element = start + __builtin_ctzll(markers);
    const std::uint8_t length = element[1];
    if (length > longest_run || cursor.output_end - cursor.output < room) return false;
    Instructions::copy_step(cursor.output, cursor.input);
    cursor.output += element - cursor.input;
    cursor.input = element + 2;
    Instructions::zero_step(cursor.output);
    if (length == literal_marker) *cursor.output = marker;
    if (length > 64) std::memset(cursor.output + 64, 0, length - 64U);
    cursor.output += length == literal_marker ? 1 : length;
  }
  if (cursor.input < start + bytes) {
    Instructions::copy_step(cursor.output, cursor.input);
    cursor.output += start + bytes - cursor.input;
    cursor.input = start + bytes;
  }
  return true;
}

/// Decodes the `payload_bytes` bytes at `payload` to exactly `output_bytes` bytes at `output`. Reads and
/// writes nothing outside of the two, whatever the elements say.
template <typename Instructions>
format::zero_length::Status decode_with(const std::uint8_t* payload, std::size_t payload_bytes,
                                        std::uint8_t* output, std::size_t output_bytes) {
  using format::zero_length::Status;
  DecodeCursor cursor = {payload, payload + payload_bytes, output, output + output_bytes};
  while (has_room(cursor)) {
    Instructions::usual_steps(cursor);
    if (!has_room(cursor)) break;
    if (Instructions::step(cursor)) continue;
    const Status status = decode_bytes(cursor, 64);
    if (status != Status::decoded) return status;
  }
  const Status status = decode_bytes(cursor, cursor.input_end - cursor.input);
  if (status != Status::decoded) return status;
  return cursor.output == cursor.output_end ? Status::decoded : Status::output_too_short;
}

}  // namespace gsst::zero_length
