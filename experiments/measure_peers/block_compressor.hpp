#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace gsst::experiments {

/// What one thread compresses and decompresses blocks with: it keeps the memory that the library works in.
struct BlockCoder {
  /// Writes the frame of a block to the start of `output` and returns its bytes. Throws CodecError.
  std::function<std::size_t(std::span<const std::uint8_t> block, std::span<std::uint8_t> output)> compress;
  /// Decompresses a frame into `block`, which has exactly the uncompressed size, and compares its checksum.
  /// Throws CodecError, also for another size.
  std::function<void(std::span<const std::uint8_t> frame, std::span<std::uint8_t> block)> decompress;
};

/// A library of others at one level. Each block is a frame with a checksum of its content, as the library's
/// command writes it.
struct BlockCompressor {
  /// As in a row: `peer/zstd`.
  std::string stage;
  /// As in a row: `level 3`.
  std::string variant;
  /// The level, the library's version and the checksum.
  nlohmann::ordered_json parameters;
  /// The most bytes of the frame of a block of `block_bytes`.
  std::function<std::size_t(std::size_t block_bytes)> most_bytes;
  std::function<BlockCoder()> make_coder;
};

/// Each is built only where its library was found; linked_peers() knows which.
std::vector<BlockCompressor> zstd_compressors();
std::vector<BlockCompressor> lz4_compressors();

/// A library of others.
struct LinkedPeer {
  /// As in `peer/NAME` and in "missing codec: NAME".
  std::string name;
  /// Its levels; null where the library was not found when this program was built.
  std::vector<BlockCompressor> (*compressors)();
};

/// Every peer, also the missing ones, in the order of the rows.
const std::vector<LinkedPeer>& linked_peers();

}  // namespace gsst::experiments
