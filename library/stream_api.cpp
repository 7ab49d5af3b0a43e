#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "gsst/stream.h"
#include "library/arguments.hpp"
#include "library/failure.hpp"
#include "library/known_struct.hpp"
#include "library/options.hpp"
#include "library/streams.hpp"

// The functions of stream.h: they check pointers and structs, and turn exceptions into codes.

namespace gsst::library {

template <>
inline constexpr std::size_t first_struct_bytes<gsst_stream> = 40;
template <>
inline constexpr std::size_t first_struct_bytes<gsst_stream_info> = 32;

namespace {

void check_not_stopped(const char* function, int status) {
  if (status == 0) return;
  throw ApiError(GSST_ERROR_STOPPED,
                 std::string(function) + " of the stream returned " + std::to_string(status));
}

// Fills buffers with as many calls of the caller's function as that takes.
class Reader {
public:
  explicit Reader(const gsst_stream& stream) : stream_(stream) {}

  std::size_t operator()(std::span<std::uint8_t> buffer) {
    std::size_t filled = 0;
    while (filled < buffer.size() && !has_ended_) filled += read_some(buffer.subspan(filled));
    return filled;
  }

private:
  std::size_t read_some(std::span<std::uint8_t> buffer) {
    std::size_t bytes = 0;
    check_not_stopped("read", stream_.read(stream_.read_context, buffer.data(), buffer.size(), &bytes));
    if (bytes > buffer.size()) {
      throw std::invalid_argument("read of the stream has put " + std::to_string(bytes) +
                                  " bytes where there was room for " + std::to_string(buffer.size()));
    }
    has_ended_ = bytes == 0;
    return bytes;
  }

  gsst_stream stream_;
  bool has_ended_ = false;
};

// Calls work(read, write) with the functions of `stream`, and stores what went through.
template <typename Work>
gsst_error run_stream(const gsst_stream* stream, gsst_stream_info* info, gsst_message* message,
                      const Work& work) {
  return report_errors(message, [&] {
    check_not_null(stream, "stream");
    const gsst_stream given = known_struct("stream", stream);
    check_zero("stream: reserved", given.reserved);
    if (given.read == nullptr) throw ApiError(GSST_ERROR_NULL_POINTER, "stream: read is null");
    if (given.write == nullptr) throw ApiError(GSST_ERROR_NULL_POINTER, "stream: write is null");
    if (info != nullptr) known_struct_bytes("info", info);
    const format::WriteFunction write = [&](std::span<const std::uint8_t> bytes) {
      if (bytes.empty()) return;
      check_not_stopped("write", given.write(given.write_context, bytes.data(), bytes.size()));
    };
    const format::StreamTotals totals = work(Reader(given), write);
    if (info == nullptr) return;
    store_struct("info",
                 gsst_stream_info{.struct_bytes = 0,
                                  .reserved = 0,
                                  .input_bytes = totals.input_bytes,
                                  .output_bytes = totals.output_bytes,
                                  .block_count = totals.blocks},
                 info);
  });
}

}  // namespace
}  // namespace gsst::library

gsst_error gsst_compress_stream(const gsst_stream* stream, const gsst_compress_options* options,
                                gsst_stream_info* info, gsst_message* message) {
  return gsst::library::run_stream(stream, info, message, [&](const auto& read, const auto& write) {
    return gsst::library::compress_stream(read, write, gsst::library::compress_options(options));
  });
}

gsst_error gsst_decompress_stream(const gsst_stream* stream, const gsst_decompress_options* options,
                                  gsst_stream_info* info, gsst_message* message) {
  return gsst::library::run_stream(stream, info, message, [&](const auto& read, const auto& write) {
    return gsst::library::decompress_stream(read, write, gsst::library::decompress_options(options));
  });
}
