#include <bzlib.h>

#include <memory>

#include "experiments/measure_cpu/codec.hpp"
#include "experiments/measure_cpu_stages/file_tool.hpp"
#include "reference_cpu/parallel.hpp"

namespace gsst::experiments {
namespace {

using Chars = std::vector<std::uint8_t>;

constexpr int bzip2_level = 9;
constexpr std::size_t bzip2_buffer_bytes = std::size_t{64} << 10;
// What a block of level 9 holds, which pbzip2 takes for a piece.
constexpr std::size_t bzip2_piece_bytes = 900'000;

char* chars(Chars& bytes) {
  return reinterpret_cast<char*>(bytes.data());
}

void check_bzip2(int status, const char* what) {
  if (status < BZ_OK) throw CodecError(std::string("bzip2 failed to ") + what);
}

void bzip2_compress_stream(const format::ReadFunction& read, const format::WriteFunction& write) {
  bz_stream stream = {};
  check_bzip2(BZ2_bzCompressInit(&stream, bzip2_level, 0, 0), "compress");
  const std::unique_ptr<bz_stream, int (*)(bz_stream*)> end(&stream, BZ2_bzCompressEnd);
  Chars input(bzip2_buffer_bytes);
  Chars output(bzip2_buffer_bytes);
  int status = BZ_RUN_OK;
  for (bool is_last = false; status != BZ_STREAM_END;) {
    if (stream.avail_in == 0 && !is_last) {
      stream.avail_in = static_cast<unsigned>(read(input));
      stream.next_in = chars(input);
      is_last = stream.avail_in < input.size();
    }
    stream.next_out = chars(output);
    stream.avail_out = static_cast<unsigned>(output.size());
    status = BZ2_bzCompress(&stream, is_last ? BZ_FINISH : BZ_RUN);
    check_bzip2(status, "compress");
    write({output.data(), output.size() - stream.avail_out});
  }
}

Chars bzip2_compress_piece(Chars& piece) {
  // What the library's manual states for the output of incompressible input: 1 % and 600 bytes more.
  Chars compressed(piece.size() + piece.size() / 100 + 601);
  auto bytes = static_cast<unsigned>(compressed.size());
  check_bzip2(BZ2_bzBuffToBuffCompress(chars(compressed), &bytes, chars(piece),
                                       static_cast<unsigned>(piece.size()), bzip2_level, 0, 0),
              "compress");
  compressed.resize(bytes);
  return compressed;
}

void bzip2_compress_pieces(const format::ReadFunction& read, const format::WriteFunction& write,
                           unsigned threads) {
  for (bool is_last = false; !is_last;) {
    std::vector<Chars> pieces;
    while (pieces.size() < threads && !is_last) {
      Chars piece(bzip2_piece_bytes);
      piece.resize(read(piece));
      is_last = piece.size() < bzip2_piece_bytes;
      if (!piece.empty()) pieces.push_back(std::move(piece));
    }
    reference::parallel_for(pieces.size(), threads,
                            [&](std::size_t index) { pieces[index] = bzip2_compress_piece(pieces[index]); });
    for (const Chars& piece : pieces) write(piece);
  }
}

// All streams of a file, one after the other.
void bzip2_decompress_streams(const format::ReadFunction& read, const format::WriteFunction& write) {
  Chars input(bzip2_buffer_bytes);
  Chars output(bzip2_buffer_bytes);
  unsigned left = static_cast<unsigned>(read(input));
  char* next = chars(input);
  while (left != 0) {
    bz_stream stream = {};
    check_bzip2(BZ2_bzDecompressInit(&stream, 0, 0), "decompress");
    const std::unique_ptr<bz_stream, int (*)(bz_stream*)> end(&stream, BZ2_bzDecompressEnd);
    for (int status = BZ_OK; status != BZ_STREAM_END;) {
      if (left == 0) {
        left = static_cast<unsigned>(read(input));
        next = chars(input);
        if (left == 0) throw CodecError("the bzip2 file ends early");
      }
      stream.next_in = next;
      stream.avail_in = left;
      stream.next_out = chars(output);
      stream.avail_out = static_cast<unsigned>(output.size());
      status = BZ2_bzDecompress(&stream);
      check_bzip2(status, "decompress");
      next = stream.next_in;
      left = stream.avail_in;
      write({output.data(), output.size() - stream.avail_out});
    }
    if (left != 0) continue;
    left = static_cast<unsigned>(read(input));
    next = chars(input);
  }
}

std::string bzip2_variant() {
  return std::string("level 9, libbz2 ") + BZ2_bzlibVersion();
}

}  // namespace

FileTool bzip2_tool() {
  return {
      .name = "bzip2",
      .stage = "peer/bzip2",
      .variant = bzip2_variant(),
      .compress = [](const auto& read, const auto& write, unsigned) { bzip2_compress_stream(read, write); },
      .decompress = bzip2_decompress_streams};
}

FileTool pbzip2_tool() {
  return {.name = "pbzip2",
          .stage = "peer/pbzip2",
          .variant = bzip2_variant(),
          .compress = bzip2_compress_pieces,
          .decompress = bzip2_decompress_streams};
}

}  // namespace gsst::experiments
