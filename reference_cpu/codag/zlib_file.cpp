#include "reference_cpu/codag/zlib_file.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "common/format/bytes.hpp"
#include "common/format/codag/zlib_header.hpp"
#include "common/format/error.hpp"

#if GSST_WITH_DEFLATE_LIBRARIES
#include "reference_cpu/codag/zlib_input.hpp"
#endif

namespace gsst::reference::codag {

#if GSST_WITH_DEFLATE_LIBRARIES

namespace {

constexpr int zlib_with_whole_window = 15;

[[noreturn]] void refuse_zlib_file(const std::string& field, const std::string& problem, std::uint64_t byte) {
  throw format::FormatError(0, field, problem + ", at byte " + std::to_string(byte) + " of the file");
}

// A header, whose FLEVEL says how much work was done (RFC 1950, section 2.2).
std::array<std::uint8_t, format::codag::zlib_header_bytes> header_of_zlib(const DeflateChoice& choice) {
  constexpr std::uint8_t deflate_with_whole_window = 0x78;
  const unsigned work = choice.level < 2 ? 0 : choice.level < 6 ? 1 : choice.level == 6 ? 2 : 3;
  const unsigned flags = work << 6;
  const unsigned rest = (deflate_with_whole_window * 256U + flags) % 31;
  return {deflate_with_whole_window, static_cast<std::uint8_t>(flags + (31 - rest) % 31)};
}

}  // namespace

format::StreamTotals decode_zlib(const format::ReadFunction& read, const format::WriteFunction& write,
                                 const format::ProgressFunction& progress) {
  const std::vector<std::uint8_t> header = format::read_up_to(read, format::codag::zlib_header_bytes);
  format::codag::check_zlib_header(header);
  // zlib gets the header too.
  bool has_header = false;
  const format::ReadFunction read_all = [&](std::span<std::uint8_t> buffer) -> std::size_t {
    if (has_header) return read(buffer);
    has_header = true;
    std::ranges::copy(header, buffer.begin());
    return header.size() + read(buffer.subspan(header.size()));
  };
  ZlibInput input(read_all, write, zlib_with_whole_window);
  format::StreamTotals totals;
  for (ZlibInput::Step step; !step.is_end;) {
    step = input.next();
    totals.output_bytes += step.bytes;
    totals.input_bytes = input.position();
    if (step.is_cut_short) refuse_zlib_file("stream", "is cut short", input.position());
    if (step.problem == wrong_data_check) {
      refuse_zlib_file("Adler-32", "is not that of the decompressed bytes",
                       input.position() - format::codag::zlib_trailer_bytes);
    }
    if (step.problem) refuse_zlib_file("stream", *step.problem, input.position());
    if (progress) progress(totals);
  }
  if (input.has_byte()) refuse_zlib_file("stream", "is followed by other bytes", input.position());
  totals.blocks = 1;
  if (progress) progress(totals);
  return totals;
}

std::vector<std::uint8_t> encode_zlib(std::span<const std::uint8_t> bytes, const DeflateChoice& choice) {
  const std::array header = header_of_zlib(choice);
  std::vector<std::uint8_t> file(header.begin(), header.end());
  const std::vector<std::uint8_t> stream = encode_deflate(bytes, choice, most_encoded_bytes(bytes.size()));
  file.insert(file.end(), stream.begin(), stream.end());
  std::array<std::uint8_t, format::codag::zlib_trailer_bytes> trailer{};
  format::store_big_endian<trailer.size()>(trailer.data(), adler32_z(1, bytes.data(), bytes.size()));
  file.insert(file.end(), trailer.begin(), trailer.end());
  return file;
}

#else

format::StreamTotals decode_zlib(const format::ReadFunction& /*read*/, const format::WriteFunction& /*write*/,
                                 const format::ProgressFunction& /*progress*/) {
  throw std::runtime_error("files of zlib: this build is without zlib, which reads them");
}

std::vector<std::uint8_t> encode_zlib(std::span<const std::uint8_t> /*bytes*/,
                                      const DeflateChoice& /*choice*/) {
  throw std::runtime_error("files of zlib: this build is without zlib, which writes them");
}

#endif

}  // namespace gsst::reference::codag
