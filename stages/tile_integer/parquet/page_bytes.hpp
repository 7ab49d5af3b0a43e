#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

/// Pages of Parquet files that are compressed with GZIP, on the host.
namespace gsst::tile_integer {

/// A page's bytes after its header, as the header says them.
struct CompressedPage {
  /// Of the column: for messages.
  std::uint64_t number;
  /// In the file, of `bytes`.
  std::uint64_t offset;
  std::span<const std::uint8_t> bytes;
  /// How many of them come first and are not compressed.
  std::uint32_t plain_bytes;
  bool is_compressed;
  std::uint32_t uncompressed_bytes;
};

/// Pages one after the other, between as many bytes 0 as precede and follow those of a file: the places of a
/// column whose pages are compressed are in these.
class DecompressedPages {
public:
  DecompressedPages();

  /// Appends a page, decompressed by zlib, which checks its CRC-32. Returns where it is. Throws
  /// format::tile_integer::ParquetError.
  std::uint64_t append(const CompressedPage& page);

  std::span<const std::uint8_t> bytes() const { return bytes_; }
  /// The bytes, which nothing is appended to any more.
  std::vector<std::uint8_t> take() { return std::move(bytes_); }

private:
  std::vector<std::uint8_t> bytes_;
};

}  // namespace gsst::tile_integer
