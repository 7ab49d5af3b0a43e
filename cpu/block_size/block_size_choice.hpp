#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "common/format/encoding.hpp"

namespace gsst::cpu {

/// The choice looks at this many bytes at the start of an input, at most.
inline constexpr std::uint64_t most_looked_at_bytes = std::uint64_t{32} << 20;

/// The sizes to choose from: with codes of 8 bits small and large ones, with wide codes, whose tables have
/// several times the bytes, medium and large ones. The large one is that of encoders that do not choose.
inline constexpr std::uint64_t small_block_bytes = std::uint64_t{256} << 10;
inline constexpr std::uint64_t medium_block_bytes = std::uint64_t{1} << 20;
inline constexpr std::uint64_t large_block_bytes = std::uint64_t{4} << 20;

/// Fills `buffer` with the input's bytes from `offset` on.
using ReadAtFunction = std::function<void(std::uint64_t offset, std::span<std::uint8_t> buffer)>;

struct BlockSizeChoice {
  std::uint64_t block_bytes;
  /// What it was chosen by, in words that others follow: `blocks of 4194304 bytes chosen: ...`.
  std::string reason;
};

/// Chooses the size of blocks for an input that is encoded to format tiles with `settings`, whose first
/// `bytes` can be read: the first most_looked_at_bytes, or all. Where the text changes, tables for smaller
/// blocks fit better, and each takes time to train and bytes to store; blocks that are alike share one.
/// Smaller blocks are chosen if the bytes in them, by a sample, differ enough from those in a large one. The
/// same input and settings give the same choice on every machine. Throws what `read_at` throws.
BlockSizeChoice choose_block_size(std::uint64_t bytes, const ReadAtFunction& read_at,
                                  const format::EncodeSettings& settings);

/// The same for an input in memory.
BlockSizeChoice choose_block_size(std::span<const std::uint8_t> input,
                                  const format::EncodeSettings& settings);

}  // namespace gsst::cpu
