#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/format/stream.hpp"

/// What readers of zlib's formats share. Only for builds with zlib.
namespace gsst::reference::codag {

/// zlib's message where the checksum after a stream is wrong.
inline constexpr std::string_view wrong_data_check = "has an incorrect data check";

/// Bytes that zlib decodes, in memory that does not depend on how many there are.
class ZlibInput {
public:
  /// What a call of next() has done.
  struct Step {
    /// Bytes that it has written.
    std::size_t bytes = 0;
    /// Whether the stream has ended, with its checksum.
    bool is_end = false;
    /// Whether the input ends before the stream does.
    bool is_cut_short = false;
    /// What zlib says is wrong.
    std::optional<std::string> problem = std::nullopt;
  };

  /// `window_bits` say the format, as for inflateInit2(). What is given outlives the object.
  ZlibInput(const format::ReadFunction& read, const format::WriteFunction& write, int window_bits)
      : read_(read), write_(write), input_(buffer_bytes), output_(buffer_bytes) {
    if (inflateInit2(&state_, window_bits) != Z_OK) throw std::bad_alloc();
  }
  ZlibInput(const ZlibInput&) = delete;
  ZlibInput& operator=(const ZlibInput&) = delete;
  ~ZlibInput() { inflateEnd(&state_); }

  /// Of what is read, the number of the next byte that is not used.
  std::uint64_t position() const { return bytes_read_ - state_.avail_in; }

  /// Whether there is a next byte, which the two functions after this one need.
  bool has_byte() {
    if (state_.avail_in != 0) return true;
    const std::size_t count = read_(input_);
    state_.next_in = input_.data();
    state_.avail_in = static_cast<uInt>(count);
    bytes_read_ += count;
    return count != 0;
  }
  std::uint8_t byte() const { return *state_.next_in; }
  void skip_byte() {
    ++state_.next_in;
    --state_.avail_in;
  }

  /// Decodes as much as a buffer holds, and writes it.
  Step next() {
    if (!has_byte()) return {.is_cut_short = true};
    state_.next_out = output_.data();
    state_.avail_out = static_cast<uInt>(output_.size());
    const int result = ::inflate(&state_, Z_NO_FLUSH);
    Step step = {.bytes = output_.size() - state_.avail_out, .is_end = result == Z_STREAM_END};
    write_(std::span(output_).first(step.bytes));
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    // Full output with no input left is no error: the next call reads on.
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
      step.problem = state_.msg == nullptr ? "needs a dictionary" : std::string("has an ") + state_.msg;
    }
    return step;
  }

  /// What the stream has decoded to so far, in bytes.
  std::uint64_t made() const { return state_.total_out; }

  /// Makes it ready for another stream.
  void start_again() { inflateReset(&state_); }

private:
  static constexpr std::size_t buffer_bytes = std::size_t{256} << 10;

  const format::ReadFunction& read_;
  const format::WriteFunction& write_;
  std::vector<std::uint8_t> input_;
  std::vector<std::uint8_t> output_;
  z_stream state_{};
  std::uint64_t bytes_read_ = 0;
};

}  // namespace gsst::reference::codag
