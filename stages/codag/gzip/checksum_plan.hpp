#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "common/stage/plan.hpp"
#include "common/stage/stage.hpp"

namespace gsst::codag::gzip {

/// The checksum of what a stream decodes to.
enum class StreamChecksum : std::uint8_t {
  /// Of gzip (RFC 1952).
  crc32,
  /// Of zlib (RFC 1950).
  adler32,
};

/// What messages call it.
constexpr const char* name_of(StreamChecksum checksum) {
  return checksum == StreamChecksum::crc32 ? "CRC-32" : "Adler-32";
}

/// A plan that compares the checksum of blocks, of that many bytes each, with those of an index, after a plan
/// of a decoder on the same stream. Its parts are, in this order,
///   output   input    the bytes of all blocks, at any address
///   tables   state
///   scratch  scratch
///   status   status   a word for each block, aligned to 4: those that are 0 are set to
///                     BlockStatus::wrong_checksum where the checksum differs
///   index    input    an entry for each block, at any address, with the checksum that is stored
/// Problems are of format deflate. Throws std::logic_error if this program has no kernels for `executor`.
std::unique_ptr<stage::Plan> make_checksum_plan(StreamChecksum checksum, stage::Executor executor,
                                                std::span<const std::uint32_t> block_bytes);

}  // namespace gsst::codag::gzip
