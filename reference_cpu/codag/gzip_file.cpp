#include "reference_cpu/codag/gzip_file.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"

#if GSST_WITH_DEFLATE_LIBRARIES
#include "reference_cpu/codag/zlib_input.hpp"
#endif

namespace gsst::reference::codag {

#if GSST_WITH_DEFLATE_LIBRARIES

namespace {

using format::FormatError;

class GzipDecoder {
public:
  GzipDecoder(const format::ReadFunction& read, const format::WriteFunction& write, const GzipStart& start)
      : start_(start), input_(read, write, gzip_with_whole_window) {}

  format::StreamTotals run(const TakeMember& take_member, const format::ProgressFunction& progress) {
    do {
      member(progress);
      if (take_member) take_member(input_.made());
      ++totals_.blocks;
      input_.start_again();
    } while (another_follows());
    totals_.input_bytes = input_.position();
    if (progress) progress(totals_);
    return totals_;
  }

private:
  static constexpr int gzip_with_whole_window = 15 + 16;

  [[noreturn]] void fail(const std::string& field, const std::string& problem) const {
    throw FormatError(
        start_.members + totals_.blocks, field,
        problem + ", at byte " + std::to_string(start_.bytes + input_.position()) + " of the file");
  }

  void member(const format::ProgressFunction& progress) {
    for (ZlibInput::Step step; !step.is_end;) {
      step = input_.next();
      totals_.output_bytes += step.bytes;
      totals_.input_bytes = input_.position();
      if (step.is_cut_short) fail("member", "is cut short");
      if (step.problem) fail("member", *step.problem);
      if (progress) progress(totals_);
    }
  }

  bool another_follows() {
    bool is_padded = false;
    for (; input_.has_byte() && input_.byte() == 0; input_.skip_byte()) is_padded = true;
    if (is_padded && input_.has_byte()) fail("padding", "is followed by other bytes");
    return input_.has_byte();
  }

  GzipStart start_;
  ZlibInput input_;
  format::StreamTotals totals_;
};

// What of a member says how much work was done (RFC 1952, section 2.3.1).
std::uint8_t extra_flags(const DeflateChoice& choice) {
  constexpr std::uint8_t slowest = 2;
  constexpr std::uint8_t fastest = 4;
  return choice.level >= 9 ? slowest : choice.level == 1 ? fastest : std::uint8_t{0};
}

constexpr std::uint8_t unknown_system = 255;
constexpr std::size_t trailer_bytes = 8;

// What follows a member's header.
void append_stream(std::vector<std::uint8_t>& member, const std::vector<std::uint8_t>& stream,
                   std::span<const std::uint8_t> bytes) {
  member.insert(member.end(), stream.begin(), stream.end());
  std::array<std::uint8_t, trailer_bytes> trailer{};
  format::store_little_endian<4>(trailer.data(), crc32_z(0, bytes.data(), bytes.size()));
  format::store_little_endian<4>(trailer.data() + 4, bytes.size());
  member.insert(member.end(), trailer.begin(), trailer.end());
}

}  // namespace

format::StreamTotals decode_gzip(const format::ReadFunction& read, const format::WriteFunction& write,
                                 const TakeMember& take_member, const format::ProgressFunction& progress,
                                 const GzipStart& start) {
  return GzipDecoder(read, write, start).run(take_member, progress);
}

std::vector<std::uint8_t> encode_gzip_member(std::span<const std::uint8_t> bytes,
                                             const DeflateChoice& choice) {
  std::vector<std::uint8_t> member = {0x1f,          0x8b, Z_DEFLATED, 0, 0, 0, 0, 0, extra_flags(choice),
                                      unknown_system};
  append_stream(member, encode_deflate(bytes, choice, most_encoded_bytes(bytes.size())), bytes);
  return member;
}

std::vector<std::uint8_t> encode_bgzf_member(std::span<const std::uint8_t> bytes,
                                             const DeflateChoice& choice) {
  constexpr std::size_t size_offset = 16;
  constexpr std::size_t header_bytes = size_offset + 2;
  constexpr std::size_t most_stream_bytes = 65536 - header_bytes - trailer_bytes;
  std::vector<std::uint8_t> member(bgzf_end.begin(), bgzf_end.begin() + header_bytes);
  std::vector<std::uint8_t> stream = encode_deflate(bytes, choice, most_stream_bytes);
  // Stored as they are, they fit.
  if (stream.empty()) stream = encode_deflate(bytes, {.level = 0}, most_stream_bytes);
  append_stream(member, stream, bytes);
  format::store_little_endian<2>(member.data() + size_offset, member.size() - 1);
  return member;
}

#else

format::StreamTotals decode_gzip(const format::ReadFunction& /*read*/, const format::WriteFunction& /*write*/,
                                 const TakeMember& /*take_member*/,
                                 const format::ProgressFunction& /*progress*/, const GzipStart& /*start*/) {
  throw std::runtime_error("format gzip: this build is without zlib, which decodes it");
}

std::vector<std::uint8_t> encode_gzip_member(std::span<const std::uint8_t> bytes,
                                             const DeflateChoice& choice) {
  return encode_deflate(bytes, choice, most_encoded_bytes(bytes.size()));
}

std::vector<std::uint8_t> encode_bgzf_member(std::span<const std::uint8_t> bytes,
                                             const DeflateChoice& choice) {
  return encode_gzip_member(bytes, choice);
}

#endif

}  // namespace gsst::reference::codag
