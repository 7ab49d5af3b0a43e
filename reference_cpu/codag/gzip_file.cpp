#include "reference_cpu/codag/gzip_file.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <stdexcept>
#include <string>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"

#if GSST_WITH_DEFLATE_LIBRARIES
#include <zlib.h>
#endif

namespace gsst::reference::codag {

#if GSST_WITH_DEFLATE_LIBRARIES

namespace {

using format::FormatError;

class GzipDecoder {
public:
  GzipDecoder(const format::ReadFunction& read, const format::WriteFunction& write, const GzipStart& start)
      : read_(read), write_(write), start_(start), input_(buffer_bytes), output_(buffer_bytes) {
    constexpr int gzip_with_whole_window = 15 + 16;
    if (inflateInit2(&state_, gzip_with_whole_window) != Z_OK) throw std::bad_alloc();
  }
  GzipDecoder(const GzipDecoder&) = delete;
  GzipDecoder& operator=(const GzipDecoder&) = delete;
  ~GzipDecoder() { inflateEnd(&state_); }

  format::StreamTotals run(const TakeMember& take_member, const format::ProgressFunction& progress) {
    do {
      member(progress);
      if (take_member) take_member(state_.total_out);
      ++totals_.blocks;
      inflateReset(&state_);
    } while (another_follows());
    totals_.input_bytes = position();
    if (progress) progress(totals_);
    return totals_;
  }

private:
  static constexpr std::size_t buffer_bytes = std::size_t{256} << 10;

  // Of what is read, the next byte that is not used.
  std::uint64_t position() const { return bytes_read_ - state_.avail_in; }

  // Whether there is a next byte.
  bool fill() {
    if (state_.avail_in != 0) return true;
    const std::size_t count = read_(input_);
    state_.next_in = input_.data();
    state_.avail_in = static_cast<uInt>(count);
    bytes_read_ += count;
    return count != 0;
  }

  [[noreturn]] void fail(const std::string& field, const std::string& problem) const {
    throw FormatError(start_.members + totals_.blocks, field,
                      problem + ", at byte " + std::to_string(start_.bytes + position()) + " of the file");
  }

  void member(const format::ProgressFunction& progress) {
    for (int result = Z_OK; result != Z_STREAM_END;) {
      if (!fill()) fail("member", "is cut short");
      state_.next_out = output_.data();
      state_.avail_out = static_cast<uInt>(output_.size());
      result = ::inflate(&state_, Z_NO_FLUSH);
      const std::size_t made = output_.size() - state_.avail_out;
      write_(std::span(output_).first(made));
      totals_.output_bytes += made;
      totals_.input_bytes = position();
      if (result == Z_MEM_ERROR) throw std::bad_alloc();
      // Full output with no input left is no error: the next round reads on.
      if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
        fail("member", state_.msg == nullptr ? "needs a dictionary" : std::string("has an ") + state_.msg);
      }
      if (progress) progress(totals_);
    }
  }

  bool another_follows() {
    bool is_padded = false;
    while (fill() && *state_.next_in == 0) {
      is_padded = true;
      ++state_.next_in;
      --state_.avail_in;
    }
    if (is_padded && state_.avail_in != 0) fail("padding", "is followed by other bytes");
    return state_.avail_in != 0;
  }

  const format::ReadFunction& read_;
  const format::WriteFunction& write_;
  GzipStart start_;
  std::vector<std::uint8_t> input_;
  std::vector<std::uint8_t> output_;
  z_stream state_{};
  std::uint64_t bytes_read_ = 0;
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
