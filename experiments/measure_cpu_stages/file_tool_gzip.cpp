#include <zlib.h>

#include <memory>

#include "experiments/measure_cpu/codec.hpp"
#include "experiments/measure_cpu_stages/file_tool.hpp"

namespace gsst::experiments {
namespace {

using Buffer = std::vector<std::uint8_t>;

constexpr std::size_t gzip_buffer_bytes = std::size_t{64} << 10;
// A window of 32 KiB, and gzip's header and checksum.
constexpr int gzip_window_bits = 15 + 16;

void check_gzip(int status, const char* what) {
  if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
    throw CodecError(std::string("zlib failed to ") + what);
  }
}

// Hands what the stream has written to `write` and gives it the buffer again.
void flush_gzip(z_stream& stream, Buffer& output, const format::WriteFunction& write) {
  write({output.data(), output.size() - stream.avail_out});
  stream.next_out = output.data();
  stream.avail_out = static_cast<unsigned>(output.size());
}

void gzip_compress(const format::ReadFunction& read, const format::WriteFunction& write) {
  z_stream stream = {};
  check_gzip(
      deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window_bits, 8, Z_DEFAULT_STRATEGY),
      "compress");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, deflateEnd);
  Buffer input(gzip_buffer_bytes);
  Buffer output(gzip_buffer_bytes);
  int status = Z_OK;
  for (bool is_last = false; status != Z_STREAM_END;) {
    if (stream.avail_in == 0 && !is_last) {
      stream.avail_in = static_cast<unsigned>(read(input));
      stream.next_in = input.data();
      is_last = stream.avail_in < input.size();
    }
    stream.next_out = output.data();
    stream.avail_out = static_cast<unsigned>(output.size());
    status = deflate(&stream, is_last ? Z_FINISH : Z_NO_FLUSH);
    check_gzip(status, "compress");
    flush_gzip(stream, output, write);
  }
}

void gzip_decompress(const format::ReadFunction& read, const format::WriteFunction& write) {
  z_stream stream = {};
  check_gzip(inflateInit2(&stream, gzip_window_bits), "decompress");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, inflateEnd);
  Buffer input(gzip_buffer_bytes);
  Buffer output(gzip_buffer_bytes);
  for (int status = Z_OK; status != Z_STREAM_END;) {
    if (stream.avail_in == 0) {
      stream.avail_in = static_cast<unsigned>(read(input));
      stream.next_in = input.data();
      if (stream.avail_in == 0) throw CodecError("the gzip file ends early");
    }
    stream.next_out = output.data();
    stream.avail_out = static_cast<unsigned>(output.size());
    status = inflate(&stream, Z_NO_FLUSH);
    check_gzip(status, "decompress");
    flush_gzip(stream, output, write);
  }
}

}  // namespace

FileTool gzip_tool() {
  return {.name = "gzip",
          .stage = "peer/gzip",
          .variant = std::string("level 6, zlib ") + zlibVersion(),
          .compress = [](const auto& read, const auto& write, unsigned) { gzip_compress(read, write); },
          .decompress = gzip_decompress};
}

}  // namespace gsst::experiments
