#include "stages/tile_integer/parquet/page_bytes.hpp"

#include <algorithm>
#include <string>

#include "common/format/codag/deflate.hpp"
#include "common/format/error.hpp"
#include "common/format/stream.hpp"
#include "common/format/tile_integer/parquet_column.hpp"
#include "reference_cpu/codag/gzip_file.hpp"

namespace gsst::tile_integer {
namespace {

using format::tile_integer::parquet_magic_bytes;
using format::tile_integer::parquet_tail_bytes;
using format::tile_integer::ParquetError;

[[noreturn]] void refuse_page_size(const CompressedPage& page, const std::string& problem) {
  throw ParquetError(page.number, "uncompressed_page_size",
                     "is " + std::to_string(page.uncompressed_bytes) + ", " + problem);
}

// What the members of `compressed` decode to, which must fill `output`.
void decompress_members(const CompressedPage& page, std::span<const std::uint8_t> compressed,
                        std::span<std::uint8_t> output) {
  std::size_t made = 0;
  const format::WriteFunction write = [&](std::span<const std::uint8_t> bytes) {
    if (bytes.size() > output.size() - made) refuse_page_size(page, "the page decompresses to more");
    std::ranges::copy(bytes, output.begin() + static_cast<std::ptrdiff_t>(made));
    made += bytes.size();
  };
  try {
    reference::codag::decode_gzip(format::reader_of(compressed), write, {}, {},
                                  {.members = 0, .bytes = page.offset + page.plain_bytes});
  } catch (const format::FormatError& error) {
    throw ParquetError(page.number, "GZIP", error.what());
  }
  if (made != output.size()) refuse_page_size(page, "the page decompresses to less");
}

}  // namespace

DecompressedPages::DecompressedPages() : bytes_(parquet_magic_bytes + parquet_tail_bytes) {}

std::uint64_t DecompressedPages::append(const CompressedPage& page) {
  if (page.plain_bytes > page.bytes.size() || page.plain_bytes > page.uncompressed_bytes) {
    throw ParquetError(page.number, "definition_levels_byte_length",
                       "is " + std::to_string(page.plain_bytes) + ", the page has fewer bytes");
  }
  const std::span<const std::uint8_t> plain = page.bytes.first(page.plain_bytes);
  const std::span<const std::uint8_t> rest = page.bytes.subspan(page.plain_bytes);
  const std::uint32_t rest_bytes = page.uncompressed_bytes - page.plain_bytes;
  if (page.is_compressed) {
    // Else a few bytes could ask for any amount of memory.
    if (rest_bytes / format::codag::deflate_bytes_per_payload_byte > rest.size()) {
      refuse_page_size(page, std::to_string(rest.size()) + " bytes cannot decompress to that many");
    }
  } else if (rest.size() != rest_bytes) {
    refuse_page_size(page, "the page is not compressed and has " + std::to_string(page.bytes.size()));
  }
  const std::uint64_t offset = bytes_.size() - parquet_tail_bytes;
  bytes_.resize(bytes_.size() + page.uncompressed_bytes);
  const auto place = std::span(bytes_).subspan(offset, page.uncompressed_bytes);
  std::ranges::copy(plain, place.begin());
  if (!page.is_compressed) {
    std::ranges::copy(rest, place.begin() + page.plain_bytes);
  } else if (rest_bytes != 0 || !rest.empty()) {
    // No values may take no bytes at all.
    decompress_members(page, rest, place.subspan(page.plain_bytes));
  }
  return offset;
}

}  // namespace gsst::tile_integer
