#include "stages/codag/orc/orc_streams.hpp"

#include <zlib.h>

#include <cstddef>
#include <new>

namespace gsst::codag::orc {
namespace {

// Raw Deflate of zlib, one chunk after another.
class ChunkInflater {
public:
  // For chunks of at most `most` bytes.
  explicit ChunkInflater(std::uint64_t most) : buffer_(static_cast<std::size_t>(most)) {
    constexpr int window_bits_of_raw_deflate = -15;
    if (inflateInit2(&stream_, window_bits_of_raw_deflate) != Z_OK) throw std::bad_alloc();
  }
  ChunkInflater(const ChunkInflater&) = delete;
  ChunkInflater& operator=(const ChunkInflater&) = delete;
  ~ChunkInflater() { inflateEnd(&stream_); }

  // Appends what `chunk` holds. Returns whether it is a whole Deflate stream that is not too long.
  bool append(std::span<const std::uint8_t> chunk, std::vector<std::uint8_t>& output) {
    if (inflateReset(&stream_) != Z_OK) return false;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): zlib's type; it reads only.
    stream_.next_in = const_cast<std::uint8_t*>(chunk.data());
    stream_.avail_in = static_cast<uInt>(chunk.size());
    stream_.next_out = buffer_.data();
    stream_.avail_out = static_cast<uInt>(buffer_.size());
    if (inflate(&stream_, Z_FINISH) != Z_STREAM_END || stream_.avail_in != 0) return false;
    output.insert(output.end(), buffer_.data(), stream_.next_out);
    return true;
  }

private:
  z_stream stream_ = {};
  std::vector<std::uint8_t> buffer_;
};

std::string chunk_place(const std::string& place, std::uint64_t offset) {
  return place + ", chunk at byte " + std::to_string(offset);
}

}  // namespace

std::vector<OrcChunk> orc_chunks(std::span<const std::uint8_t> stored, std::uint64_t chunk_bytes,
                                 const std::string& place) {
  std::vector<OrcChunk> chunks;
  for (std::size_t offset = 0; offset < stored.size();) {
    const auto rest = stored.subspan(offset);
    if (rest.size() < orc_chunk_header_bytes) {
      throw OrcError(chunk_place(place, offset), "its header is cut off");
    }
    const std::uint32_t header =
        std::uint32_t{rest[0]} | std::uint32_t{rest[1]} << 8 | std::uint32_t{rest[2]} << 16;
    const std::size_t size = header >> 1;
    if (size > rest.size() - orc_chunk_header_bytes) {
      throw OrcError(chunk_place(place, offset), "its header says " + std::to_string(size) + " bytes, and " +
                                                     std::to_string(rest.size() - orc_chunk_header_bytes) +
                                                     " follow");
    }
    const bool is_stored = (header & 1) != 0;
    if (is_stored && size > chunk_bytes) {
      throw OrcError(chunk_place(place, offset), "holds " + std::to_string(size) +
                                                     " bytes, and the file's chunks at most " +
                                                     std::to_string(chunk_bytes));
    }
    chunks.push_back({.offset = offset, .bytes = size, .is_stored = is_stored});
    offset += orc_chunk_header_bytes + size;
  }
  return chunks;
}

OrcError no_deflate_stream(const std::string& place, std::uint64_t offset, std::uint64_t chunk_bytes) {
  return {chunk_place(place, offset),
          "is no Deflate stream of at most " + std::to_string(chunk_bytes) + " bytes"};
}

std::vector<std::uint8_t> uncompressed_orc(std::span<const std::uint8_t> stored, OrcCompression compression,
                                           std::uint64_t chunk_bytes, const std::string& place) {
  if (compression == OrcCompression::none) return {stored.begin(), stored.end()};
  std::vector<std::uint8_t> output;
  ChunkInflater inflater(chunk_bytes);
  for (const OrcChunk& chunk : orc_chunks(stored, chunk_bytes, place)) {
    const auto bytes = stored.subspan(static_cast<std::size_t>(chunk.offset + orc_chunk_header_bytes),
                                      static_cast<std::size_t>(chunk.bytes));
    if (chunk.is_stored) {
      output.insert(output.end(), bytes.begin(), bytes.end());
    } else if (!inflater.append(bytes, output)) {
      throw no_deflate_stream(place, chunk.offset, chunk_bytes);
    }
  }
  return output;
}

}  // namespace gsst::codag::orc
