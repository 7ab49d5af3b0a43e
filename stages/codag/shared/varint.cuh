#pragma once

#include <cstdint>

#include "common/format/codag/codag.hpp"
#include "common/stage/launch.hpp"

// Numbers of as many bytes as they need, seven bits in each.
namespace gsst::codag {
namespace {

// Fetches a varint; false where it has more than 64 bits. One that is cut is complete as the stream goes on
// with 0 past its end.
template <typename Input>
__device__ inline bool fetch_varint(Input& input, std::uint64_t& number) {
  number = 0;
  for (std::uint32_t i = 0; i < format::codag::max_varint_bytes; ++i) {
    const std::uint32_t byte = input.fetch_byte();
    number |= std::uint64_t{byte & 0x7fU} << 7 * i;
    if (byte < 0x80) {
      return i + 1 < format::codag::max_varint_bytes || byte <= format::codag::max_last_varint_byte;
    }
  }
  return false;
}

// The same; signed numbers are zigzag codes.
template <typename Input>
__device__ inline bool fetch_number(Input& input, bool is_signed, std::uint64_t& number) {
  std::uint64_t code = 0;
  const bool is_whole = fetch_varint(input, code);
  number = is_signed ? format::codag::zigzag_decoded(code) : code;
  return is_whole;
}

}  // namespace
}  // namespace gsst::codag
