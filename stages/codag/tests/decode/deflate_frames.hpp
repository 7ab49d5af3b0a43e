#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/format/codag/codag.hpp"
#include "common/format/codag/deflate.hpp"
#include "reference_cpu/codag/inflate.hpp"
#include "reference_cpu/tile_integer/file_writer.hpp"
#include "stages/codag/tests/decode/chunks.hpp"

/// For tests of stages that decode format deflate: frames of given streams, and what the oracle says of them.
namespace gsst::codag {

/// The status word of a payload that should decode to `bytes` bytes.
inline std::uint32_t deflate_status(const reference::codag::Inflated& inflated, std::size_t bytes) {
  using format::codag::DeflateStatus;
  DeflateStatus status = inflated.status;
  if (status == DeflateStatus::decoded && inflated.bytes.size() < bytes) {
    status = DeflateStatus::output_too_short;
  }
  return status == DeflateStatus::decoded ? 0 : format::codag::deflate_status_word(status, inflated.position);
}

/// A frame with these payloads; each block has the same number of bytes, at least 2.
inline Chunk frame_of_streams(const std::vector<Chunk>& streams, std::size_t block_bytes) {
  // The first two bytes of a block are the number of its payload: the encoder's threads do not say it.
  Chunk input(streams.size() * block_bytes);
  for (std::size_t number = 0; number < streams.size(); ++number) {
    input[number * block_bytes] = static_cast<std::uint8_t>(number);
    input[number * block_bytes + 1] = static_cast<std::uint8_t>(number >> 8);
  }
  Chunk frame;
  reference::tile_integer::write_frame_file(
      format::codag::deflate_format, format::reader_of(input),
      [&](std::span<const std::uint8_t> bytes) { frame.insert(frame.end(), bytes.begin(), bytes.end()); },
      {.block_bytes = block_bytes, .threads = 1}, {},
      [&](std::span<const std::uint8_t> block) {
        return reference::tile_integer::BlockPayload{
            .layout = format::codag::coded_layout,
            .payload = streams.at(block[0] + std::size_t{256} * block[1])};
      });
  return frame;
}

}  // namespace gsst::codag
