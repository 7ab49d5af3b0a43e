#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace gsst::format {

/// How a frame checks its blocks and its index (FORMAT.md, section 6).
enum class ChecksumKind : std::uint8_t {
  /// xxh64 of all bytes: one chain of operations from the first to the last.
  xxh64 = 1,
  /// xxh64 of the little-endian xxh64s of the bytes' pieces: as many chains as there are pieces.
  xxh64_tree = 2,
};

/// Bytes of a piece of ChecksumKind::xxh64_tree; the last one may have less.
inline constexpr std::size_t checksum_piece_bytes = 4096;

/// "xxh64" or "xxh64-tree".
std::string_view checksum_kind_name(ChecksumKind kind);

/// xxh64 with seed 0 of `bytes`, the checksum of a frame's header.
std::uint64_t checksum(std::span<const std::uint8_t> bytes);

/// The checksum of that kind of a block's output or of an index.
std::uint64_t checksum(ChecksumKind kind, std::span<const std::uint8_t> bytes);

}  // namespace gsst::format
