#include "library/frame_outline.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <string>

#include "common/format/bytes.hpp"
#include "common/format/formats.hpp"
#include "common/format/gsst/tiles.hpp"
#include "common/frame/frame.hpp"
#include "library/decompress_plan.hpp"

namespace gsst::library {
namespace {

// A frame of which leaving parts out saves no memory.
constexpr std::uint64_t small_frame_bytes = 4096;

void check_is_of_tiles(std::span<const std::uint8_t> frame) {
  if (!format::starts_with_frame_magic(frame)) throw WrongFormat("this is not a gsst frame");
  const format::BlockFormat found = format::parse_frame_header(frame).format;
  if (found == format::BlockFormat::tiles) return;
  throw WrongFormat("the frame is of format " + std::string(format::block_format_name(found)) +
                    ", only tiles are read in device memory");
}

// From the first byte of a block to the first one after its codes; the block's end where its header is
// damaged. `header`: as many bytes of it as the block has.
std::uint64_t codes_end(std::span<const std::uint8_t> header, const format::IndexEntryFields& entry) {
  if (entry.layout() == format::BlockLayout::raw) {
    return std::min(entry.uncompressed_bytes(), entry.payload_bytes());
  }
  if (header.size() < format::tiles_header_bytes) return entry.payload_bytes();
  const format::TilesHeader fields(header.data());
  if (!format::is_tile_shape(fields.shape())) return entry.payload_bytes();
  return std::min<std::uint64_t>(format::tiles_header_bytes + fields.tile_count() * fields.shape().bytes(),
                                 entry.payload_bytes());
}

}  // namespace

void FrameOutline::Unmap::operator()(std::uint8_t* memory) const {
  ::munmap(memory, bytes);
}

FrameOutline::Memory FrameOutline::reserve(std::uint64_t bytes) {
  // Of no bytes there is no mapping.
  bytes = std::max<std::uint64_t>(bytes, 1);
  void* const memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return {static_cast<std::uint8_t*>(memory), Unmap{bytes}};
}

std::span<std::uint8_t> FrameOutline::part(std::uint64_t begin, std::uint64_t end) {
  return std::span(memory_.get(), frame_bytes_).subspan(begin, end - begin);
}

FrameOutline::FrameOutline(std::uint64_t frame_bytes, const Read& read)
    : frame_bytes_(frame_bytes), memory_(reserve(frame_bytes)) {
  if (frame_bytes <= small_frame_bytes) {
    if (frame_bytes != 0) read(part(0, frame_bytes), 0);
    check_is_of_tiles(frame());
    return;
  }
  read(part(0, format::frame_header_bytes), 0);
  check_is_of_tiles(frame());
  const std::uint64_t trailer_begin = frame_bytes - format::frame_trailer_bytes;
  read(part(trailer_begin, frame_bytes), trailer_begin);
  const auto index_bytes = format::load_little_endian<8>(frame().data() + trailer_begin + 8);
  if (index_bytes > trailer_begin - format::frame_header_bytes) return;
  const std::uint64_t index_begin = trailer_begin - index_bytes;
  if (index_bytes != 0) read(part(index_begin, trailer_begin), index_begin);
  read_blocks(index_begin, read);
}

// A block's end and the next one's record and header are next to each other: one copy a block.
void FrameOutline::read_blocks(std::uint64_t index_begin, const Read& read) {
  const std::uint64_t index_bytes = frame_bytes_ - format::frame_trailer_bytes - index_begin;
  constexpr std::uint64_t around_entries = format::record_header_bytes + format::index_totals_bytes;
  if (index_bytes < around_entries) return;
  const std::uint64_t block_count = (index_bytes - around_entries) / format::index_entry_bytes;
  std::uint64_t record_begin = format::frame_header_bytes;
  // Where what is to be read next begins.
  std::uint64_t begin = record_begin;
  for (std::uint64_t block = 0; block < block_count; ++block) {
    const format::IndexEntryFields entry(frame().data() + index_begin + format::record_header_bytes +
                                         block * format::index_entry_bytes);
    const std::uint64_t payload = record_begin + format::record_header_bytes;
    if (payload > index_begin || entry.payload_offset() != payload ||
        entry.payload_bytes() > index_begin - payload) {
      return;
    }
    const std::uint64_t header_bytes =
        std::min<std::uint64_t>(entry.payload_bytes(), format::tiles_header_bytes);
    read(part(begin, payload + header_bytes), begin);
    record_begin = payload + entry.payload_bytes();
    begin = payload + codes_end(frame().subspan(payload, header_bytes), entry);
  }
  if (begin < record_begin) read(part(begin, record_begin), begin);
}

}  // namespace gsst::library
