#include "fuzz/frame_mutator.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <utility>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"
#include "common/format/gsst/block.hpp"
#include "common/format/gsst/fsst_file.hpp"
#include "common/format/gsst/tiles_header.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "reference_cpu/block_codec.hpp"
#include "reference_cpu/decoder.hpp"

namespace gsst::fuzz {
namespace {

using format::BlockFormat;
using format::BlockLayout;
using format::load_little_endian;
using format::store_big_endian;
using format::store_little_endian;
using Bytes = std::vector<std::uint8_t>;

// Offsets of fields in the frame header and in record headers (FORMAT.md, section 6).
constexpr std::size_t format_id_offset = 10;
constexpr std::size_t block_size_offset = 16;
constexpr std::size_t split_count_offset = 24;
constexpr std::size_t checksum_kind_offset = 12;
constexpr std::size_t header_checksum_offset = 32;
constexpr std::size_t layout_offset = 1;
constexpr std::size_t payload_bytes_offset = 8;
constexpr std::size_t uncompressed_bytes_offset = 12;
constexpr std::size_t checksum_offset = 16;

// How much a mutation may add to a part.
constexpr std::size_t most_growth = 256;

struct Record {
  std::array<std::uint8_t, format::record_header_bytes> header{};
  Bytes payload;
};

struct Parts {
  std::array<std::uint8_t, format::frame_header_bytes> header{};
  std::vector<Record> blocks;
};

// Takes the records as far as they can be followed.
Parts take_apart(std::span<const std::uint8_t> frame) {
  Parts parts;
  std::copy_n(frame.begin(), format::frame_header_bytes, parts.header.begin());
  auto rest = frame.subspan(format::frame_header_bytes);
  while (rest.size() >= format::record_header_bytes &&
         rest[0] == static_cast<std::uint8_t>(format::RecordKind::block)) {
    Record record;
    std::copy_n(rest.begin(), format::record_header_bytes, record.header.begin());
    rest = rest.subspan(format::record_header_bytes);
    const std::size_t stated = load_little_endian<4>(record.header.data() + payload_bytes_offset);
    const auto payload = rest.first(std::min(stated, rest.size()));
    record.payload.assign(payload.begin(), payload.end());
    rest = rest.subspan(payload.size());
    parts.blocks.push_back(std::move(record));
  }
  return parts;
}

// Every block but the last has the block size, so it follows the first one.
void repair_block_size(Parts& parts) {
  std::uint64_t largest = 1;
  for (const Record& record : parts.blocks) {
    largest = std::max(largest, load_little_endian<4>(record.header.data() + uncompressed_bytes_offset));
  }
  store_little_endian<8>(parts.header.data() + block_size_offset, largest);
}

void repair_header_checksum(Parts& parts) {
  store_little_endian<8>(parts.header.data() + header_checksum_offset,
                         format::checksum(std::span(parts.header).first(header_checksum_offset)));
}

// Appends the records to `frame` as they are and returns the index that lists them.
format::FrameIndex append_blocks(const Parts& parts, Bytes& frame) {
  format::FrameIndex index;
  for (const Record& record : parts.blocks) {
    const std::uint8_t* header = record.header.data();
    format::append_block(
        index, {.layout = static_cast<BlockLayout>(header[layout_offset]),
                .payload_bytes = static_cast<std::uint32_t>(record.payload.size()),
                .uncompressed_bytes =
                    static_cast<std::uint32_t>(load_little_endian<4>(header + uncompressed_bytes_offset)),
                .checksum = load_little_endian<8>(header + checksum_offset),
                .checksum_kind = static_cast<format::ChecksumKind>(parts.header[checksum_kind_offset])});
    frame.insert(frame.end(), record.header.begin(), record.header.end());
    frame.insert(frame.end(), record.payload.begin(), record.payload.end());
  }
  return index;
}

// Format blocks: the size that the codes decode to, in the block and in its record.
void repair_uncompressed_size(Record& record) {
  const auto layout = static_cast<BlockLayout>(record.header[layout_offset]);
  const std::size_t header_bytes = layout == BlockLayout::wide ? 8 : 7;
  if (layout == BlockLayout::raw || record.payload.size() < header_bytes) return;
  const auto table_and_codes = std::span(record.payload).subspan(header_bytes);
  try {
    const format::ParsedSymbolTable parsed = format::parse_symbol_table(table_and_codes, std::nullopt);
    const std::uint64_t size =
        reference::decoded_size(parsed.table, table_and_codes.subspan(parsed.stored_bytes)).bytes;
    store_little_endian<4>(record.payload.data() + header_bytes - 4, size);
    store_little_endian<4>(record.header.data() + uncompressed_bytes_offset, size);
  } catch (const format::FormatError&) {
    return;  // A table that is rejected has no codes to count.
  }
}

// The checksum of the output, where there is one.
void repair_block_checksum(const Parts& parts, Record& record) {
  try {
    const format::FrameHeader header = format::parse_frame_header(parts.header);
    const format::RecordHeader parsed = format::parse_record_header(record.header, header, 0);
    const format::BlockView view =
        format::parse_block(record.payload,
                            {.format = header.format,
                             .layout = parsed.fields.layout,
                             .uncompressed_bytes = parsed.fields.uncompressed_bytes,
                             .split_count = header.split_count},
                            0);
    const bool is_coded_tiles = view.format == BlockFormat::tiles && view.layout != BlockLayout::raw;
    // A block without table is not looked at with the block that holds it.
    if (is_coded_tiles && format::TilesHeader(view.header.data()).dictionary_id() != 0) return;
    Bytes output(view.uncompressed_bytes);
    reference::decode_block(view, output, 0);
    store_little_endian<8>(record.header.data() + checksum_offset,
                           format::checksum(header.checksum_kind, output));
  } catch (const format::FormatError&) {
    return;  // A block that is rejected has no output.
  }
}

class Mutation {
public:
  Mutation(unsigned seed, const MutateBytes& mutate) : random_(seed), mutate_(mutate) {}

  Bytes run(std::span<const std::uint8_t> frame) {
    if (frame.size() < format::frame_header_bytes || one_in(16)) {
      Bytes bytes(frame.begin(), frame.end());
      change(bytes);
      return bytes;
    }
    Parts parts = take_apart(frame);
    change_a_part(parts);
    return put_together(parts);
  }

private:
  bool one_in(unsigned count) { return random_() % count == 0; }

  void change(Bytes& bytes) {
    const std::size_t size = bytes.size();
    bytes.resize(size + most_growth);
    bytes.resize(mutate_(bytes.data(), size, bytes.size()));
  }

  void change_in_place(std::span<std::uint8_t> bytes) {
    Bytes changed(bytes.begin(), bytes.end());
    changed.resize(mutate_(changed.data(), changed.size(), changed.size()));
    std::copy(changed.begin(), changed.end(), bytes.begin());
  }

  void change_a_part(Parts& parts) {
    if (parts.blocks.empty() || one_in(12)) {
      change_in_place(std::span(parts.header).subspan(format::frame_magic.size()));
      return;
    }
    const std::size_t chosen = random_() % parts.blocks.size();
    Record& record = parts.blocks[chosen];
    switch (random_() % 12) {
      case 0:
        change_in_place(record.header);
        break;
      case 1:
        parts.blocks.push_back(record);
        break;
      case 2:
        parts.blocks.erase(parts.blocks.begin() + static_cast<std::ptrdiff_t>(chosen));
        break;
      default:
        change(record.payload);
    }
  }

  // The fields of an encoded block that its record or the frame says again.
  void repair_block_header(const Parts& parts, Record& record) {
    const auto block_format =
        static_cast<BlockFormat>(load_little_endian<2>(parts.header.data() + format_id_offset));
    const auto layout = static_cast<BlockLayout>(record.header[layout_offset]);
    const bool wide = layout == BlockLayout::wide;
    std::uint8_t* payload = record.payload.data();
    if (record.payload.size() < format::BlockHeader(payload, block_format, layout).fixed_header_bytes())
      return;
    if (wide) {
      store_little_endian<4>(payload, record.payload.size());
    } else {
      store_big_endian<3>(payload, record.payload.size());
    }
    if (format::has_splits(block_format) && !one_in(32)) {
      const std::uint64_t split_count = load_little_endian<4>(parts.header.data() + split_count_offset);
      wide ? store_little_endian<4>(payload + 8, split_count)
           : store_little_endian<1>(payload + 7, split_count);
    }
    std::copy_n(payload + (wide ? 4 : 3), 4, record.header.begin() + uncompressed_bytes_offset);
  }

  void repair_record(const Parts& parts, Record& record) {
    const auto block_format =
        static_cast<BlockFormat>(load_little_endian<2>(parts.header.data() + format_id_offset));
    if (block_format == BlockFormat::tiles && !one_in(32)) {
      record.payload.resize(format::padded_tiles_payload_bytes(record.payload.size()));
    }
    const auto layout = static_cast<BlockLayout>(record.header[layout_offset]);
    if (!one_in(32))
      store_little_endian<4>(record.header.data() + payload_bytes_offset, record.payload.size());
    if (one_in(32)) return;
    if (layout == BlockLayout::raw) {
      store_little_endian<4>(record.header.data() + uncompressed_bytes_offset, record.payload.size());
    } else {
      repair_block_header(parts, record);
    }
  }

  Bytes put_together(Parts& parts) {
    if (!one_in(32)) repair_header_checksum(parts);
    for (Record& record : parts.blocks) repair_record(parts, record);
    if (!one_in(4)) {
      repair_block_size(parts);
      repair_header_checksum(parts);
    }
    Bytes frame(parts.header.begin(), parts.header.end());
    const format::FrameIndex index = append_blocks(parts, frame);
    Bytes end = format::build_frame_end(index);
    if (one_in(16)) change(end);
    frame.insert(frame.end(), end.begin(), end.end());
    return frame;
  }

  std::minstd_rand random_;
  const MutateBytes& mutate_;
};

}  // namespace

std::vector<std::uint8_t> mutate_frame(std::span<const std::uint8_t> frame, unsigned seed,
                                       const MutateBytes& mutate) {
  return Mutation(seed, mutate).run(frame);
}

std::vector<std::uint8_t> with_repaired_outputs(std::span<const std::uint8_t> frame) {
  if (frame.size() < format::frame_header_bytes) return {frame.begin(), frame.end()};
  Parts parts = take_apart(frame);
  const auto block_format =
      static_cast<BlockFormat>(load_little_endian<2>(parts.header.data() + format_id_offset));
  for (Record& record : parts.blocks) {
    if (block_format == BlockFormat::blocks) repair_uncompressed_size(record);
  }
  repair_block_size(parts);
  repair_header_checksum(parts);
  for (Record& record : parts.blocks) repair_block_checksum(parts, record);
  Bytes repaired(parts.header.begin(), parts.header.end());
  const Bytes end = format::build_frame_end(append_blocks(parts, repaired));
  repaired.insert(repaired.end(), end.begin(), end.end());
  return repaired;
}

void repair_last_fsst_block_size(std::span<std::uint8_t> file) {
  while (file.size() >= format::fsst_length_bytes) {
    const std::size_t stated = format::load_big_endian<format::fsst_length_bytes>(file.data());
    const bool last = stated < format::fsst_length_bytes || stated + format::fsst_length_bytes > file.size();
    if (last) {
      store_big_endian<format::fsst_length_bytes>(file.data(), file.size());
      return;
    }
    file = file.subspan(stated);
  }
}

}  // namespace gsst::fuzz
