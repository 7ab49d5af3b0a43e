#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "experiments/measure_peers/block_compressor.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::experiments {

/// Compresses and decompresses from memory to memory, with a number of threads.
class MemoryCodec {
public:
  /// How rows name it; `parameters` lack the block's bytes and the threads.
  struct Name {
    std::string stage;
    std::string variant;
    nlohmann::ordered_json parameters;
  };

  explicit MemoryCodec(Name name) : name_(std::move(name)) {}
  virtual ~MemoryCodec() = default;
  MemoryCodec(const MemoryCodec&) = delete;
  MemoryCodec& operator=(const MemoryCodec&) = delete;

  const Name& name() const { return name_; }

  /// Compresses into memory of its own, in the place of what is there.
  virtual void compress(std::span<const std::uint8_t> input) = 0;
  /// All that is stored of what was compressed last.
  virtual std::uint64_t compressed_bytes() const = 0;
  /// Decompresses what was compressed last into `output`, which has exactly its uncompressed bytes.
  virtual void decompress(std::span<std::uint8_t> output) = 0;

private:
  Name name_;
};

/// Uncompressed bytes of a block, and how many threads work on blocks at the same time.
struct Blocks {
  std::uint64_t bytes;
  unsigned threads;
};

/// A format of this project with checksums: compressed by what the command takes, decompressed by the
/// library. The stage is `library/FORMAT`.
std::unique_ptr<MemoryCodec> gsst_codec(format::BlockFormat format, unsigned level, const Blocks& blocks);

/// FSST's codes, format blocks at level 1: decompressed without checksums by a loop with the steps of the one
/// in FSST's library. The stage is `reference_cpu/fast`.
std::unique_ptr<MemoryCodec> fsst_codec(const Blocks& blocks);

/// A frame of `compressor` for each block.
std::unique_ptr<MemoryCodec> peer_codec(const BlockCompressor& compressor, const Blocks& blocks);

}  // namespace gsst::experiments
