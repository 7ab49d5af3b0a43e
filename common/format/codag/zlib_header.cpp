#include "common/format/codag/zlib_header.hpp"

#include <string>

#include "common/format/error.hpp"

namespace gsst::format::codag {
namespace {

[[noreturn]] void refuse_zlib_header(const std::string& field, const std::string& problem, std::size_t byte) {
  throw FormatError(0, field, problem + ", at byte " + std::to_string(byte) + " of the file");
}

}  // namespace

void check_zlib_header(std::span<const std::uint8_t> start) {
  if (start.size() < zlib_header_bytes) refuse_zlib_header("header", "is cut short", start.size());
  const std::uint32_t method = start[0] & 0xfU;
  const std::uint32_t window = start[0] >> 4U;
  constexpr std::uint32_t deflate_method = 8;
  constexpr std::uint32_t largest_window = 7;
  constexpr std::uint32_t has_dictionary = 0x20;
  // FCHECK makes the two bytes, the first one the higher, a multiple of it.
  constexpr std::uint32_t check_divisor = 31;
  if ((std::uint32_t{start[0]} << 8U | start[1]) % check_divisor != 0) {
    refuse_zlib_header("FCHECK", "is not that of a header of zlib", 1);
  }
  if (method != deflate_method) refuse_zlib_header("CM", "is " + std::to_string(method) + ", not 8", 0);
  if (window > largest_window) {
    refuse_zlib_header("CINFO", "is " + std::to_string(window) + ", above 7", 0);
  }
  if ((start[1] & has_dictionary) != 0) {
    refuse_zlib_header("FDICT", "is set: the stream needs a dictionary, which is not in the file", 1);
  }
}

}  // namespace gsst::format::codag
