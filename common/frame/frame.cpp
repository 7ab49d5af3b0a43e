#include "common/frame/frame.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"
#include "common/format/formats.hpp"
#include "common/frame/frame_fields.hpp"

namespace gsst::format {

static_assert(min_bytes_after_block ==
              record_header_bytes + index_entry_bytes + index_totals_bytes + frame_trailer_bytes);
namespace {

constexpr std::uint8_t frame_version = 1;

constexpr std::size_t header_checksum_offset = 32;

void check_available(std::span<const std::uint8_t> bytes, std::size_t needed, const char* field,
                     std::optional<std::uint64_t> block = std::nullopt) {
  if (bytes.size() >= needed) return;
  throw FormatError(
      block, field,
      "truncated: " + std::to_string(bytes.size()) + " bytes left, needs " + std::to_string(needed));
}

void check_field(std::uint64_t found, std::uint64_t expected, const char* field,
                 std::optional<std::uint64_t> block = std::nullopt) {
  if (found == expected) return;
  throw FormatError(block, field, "is " + std::to_string(found) + ", expected " + std::to_string(expected));
}

template <typename Enumerator>
std::string number_of(Enumerator value) {
  return std::to_string(static_cast<unsigned>(value));
}

// `words` as they are listed: "a, b and c" where the last two are joined by " and ".
std::string join(const std::vector<std::string>& words, const char* last) {
  std::string text = words.front();
  for (std::size_t i = 1; i < words.size(); ++i) text += (i + 1 == words.size() ? last : ", ") + words[i];
  return text;
}

std::string layout_numbers(std::span<const BlockLayout> coded_layouts) {
  std::vector<std::string> numbers = {number_of(BlockLayout::raw)};
  for (const BlockLayout layout : coded_layouts) numbers.push_back(number_of(layout));
  return join(numbers, " or ");
}

std::string formats_in_frames() {
  std::vector<std::string> formats;
  for (const Format& format : registered_formats()) {
    if (format.rules != nullptr)
      formats.push_back(number_of(format.id) + " (" + std::string(format.name) + ")");
  }
  return join(formats, " and ");
}

// The layout and the padding are the format's.
void check_payload_fields(const BlockRecord& record, const PayloadRules::Limits& limits,
                          std::uint64_t block) {
  if (record.layout != BlockLayout::raw &&
      std::ranges::find(limits.layouts, record.layout) == limits.layouts.end()) {
    throw FormatError(block, "layout",
                      "is " + number_of(record.layout) + ", expected " + layout_numbers(limits.layouts));
  }
  if (record.payload_bytes != padded_payload_bytes(record.payload_bytes, limits.payload_alignment)) {
    throw FormatError(block, "payload bytes",
                      "is " + std::to_string(record.payload_bytes) + ", expected a multiple of " +
                          std::to_string(limits.payload_alignment) + " and " +
                          std::to_string(padded_payload_bytes(0, limits.payload_alignment)));
  }
}

BlockRecord load_block_record(const std::uint8_t* bytes, const FrameHeader& header, std::uint64_t block) {
  const BlockRecord record{
      .layout = static_cast<BlockLayout>(bytes[1]),
      .payload_bytes = static_cast<std::uint32_t>(load_little_endian<4>(bytes + 8)),
      .uncompressed_bytes = static_cast<std::uint32_t>(load_little_endian<4>(bytes + 12)),
      .checksum = load_little_endian<8>(bytes + 16),
      .checksum_kind = header.checksum_kind};
  check_payload_fields(record, rules_of(header.format).limits(), block);
  if (record.uncompressed_bytes == 0 || record.uncompressed_bytes > header.block_size) {
    throw FormatError(block, "uncompressed bytes",
                      "is " + std::to_string(record.uncompressed_bytes) +
                          ", expected 1 to the block size of " + std::to_string(header.block_size));
  }
  if (record.payload_bytes > max_payload_bytes(header, record.uncompressed_bytes)) {
    throw FormatError(block, "payload bytes",
                      "is " + std::to_string(record.payload_bytes) + ", a block of " +
                          std::to_string(record.uncompressed_bytes) + " bytes takes at most " +
                          std::to_string(max_payload_bytes(header, record.uncompressed_bytes)));
  }
  return record;
}

void check_reserved(std::span<const std::uint8_t> reserved, const char* field,
                    std::optional<std::uint64_t> block = std::nullopt) {
  const auto nonzero =
      std::find_if(reserved.begin(), reserved.end(), [](std::uint8_t byte) { return byte != 0; });
  if (nonzero != reserved.end()) {
    throw FormatError(block, field, "reserved byte is " + std::to_string(*nonzero) + ", expected 0");
  }
}

}  // namespace

std::uint64_t FrameView::index_offset() const {
  return bytes.size() - frame_trailer_bytes - index_totals_bytes - index.entries.size() * index_entry_bytes;
}

std::span<const std::uint8_t> FrameView::payload(std::size_t block) const {
  const IndexEntry& entry = index.entries.at(block);
  return bytes.subspan(entry.payload_offset, entry.record.payload_bytes);
}

BlockExpectation expectation_of(const FrameHeader& header, const BlockRecord& record) {
  return {.format = header.format,
          .layout = record.layout,
          .uncompressed_bytes = record.uncompressed_bytes,
          .split_count = header.split_count};
}

std::uint64_t max_payload_bytes(const FrameHeader& header, std::uint64_t uncompressed_bytes) {
  return rules_of(header.format).max_payload_bytes(header.split_count, uncompressed_bytes);
}

bool starts_with_frame_magic(std::span<const std::uint8_t> bytes) {
  return bytes.size() >= frame_magic.size() &&
         std::equal(frame_magic.begin(), frame_magic.end(), bytes.begin());
}

FrameHeader parse_frame_header(std::span<const std::uint8_t> bytes) {
  check_available(bytes, frame_header_bytes, "frame header");
  if (!starts_with_frame_magic(bytes)) {
    throw FormatError(std::nullopt, "magic", "this is not a gsst frame");
  }
  check_field(bytes[8], frame_version, "frame version");
  check_field(load_little_endian<8>(bytes.data() + header_checksum_offset),
              checksum(bytes.first(header_checksum_offset)), "frame header checksum");
  check_field(bytes[9], 0, "flags");
  if (bytes[12] < static_cast<std::uint8_t>(ChecksumKind::xxh64) ||
      bytes[12] > static_cast<std::uint8_t>(ChecksumKind::xxh64_tree)) {
    throw FormatError(std::nullopt, "checksum kind",
                      "is " + std::to_string(bytes[12]) + ", expected 1 (xxh64) or 2 (xxh64-tree)");
  }
  check_reserved(bytes.subspan(13, 3), "frame header");
  check_reserved(bytes.subspan(28, 4), "frame header");

  const auto format_id = static_cast<BlockFormat>(load_little_endian<2>(bytes.data() + 10));
  const std::optional<Format> format = find_format(format_id);
  if (!format || format->rules == nullptr) {
    throw FormatError(std::nullopt, "format id",
                      "is " + number_of(format_id) + ", this program knows " + formats_in_frames());
  }
  const FrameHeader header{
      .format = format_id,
      .block_size = load_little_endian<8>(bytes.data() + 16),
      .split_count = static_cast<std::uint32_t>(load_little_endian<4>(bytes.data() + 24)),
      .checksum_kind = static_cast<ChecksumKind>(bytes[12])};
  if (header.block_size < 1 || header.block_size > max_block_bytes) {
    throw FormatError(
        std::nullopt, "block size",
        "is " + std::to_string(header.block_size) + ", expected 1 to " + std::to_string(max_block_bytes));
  }
  const std::uint32_t split_limit = format->rules->limits().max_split_count;
  if (header.split_count < 1 || header.split_count > split_limit) {
    throw FormatError(
        std::nullopt, "splits per block",
        "is " + std::to_string(header.split_count) + ", expected 1 to " + std::to_string(split_limit));
  }
  return header;
}

RecordHeader parse_record_header(std::span<const std::uint8_t> bytes, const FrameHeader& header,
                                 std::uint64_t block) {
  check_available(bytes, record_header_bytes, "record header", block);
  const std::uint8_t kind = bytes[0];
  if (kind != static_cast<std::uint8_t>(RecordKind::block) &&
      kind != static_cast<std::uint8_t>(RecordKind::index)) {
    throw FormatError(block, "record kind",
                      "is " + std::to_string(kind) + ", expected 1 (block) or 2 (index)");
  }
  const bool is_block = kind == static_cast<std::uint8_t>(RecordKind::block);
  check_reserved(bytes.subspan(2, 6), "record header", is_block ? std::optional(block) : std::nullopt);
  if (is_block) {
    if (block >= max_block_count) {
      throw FormatError(block, "record kind",
                        "a frame holds at most " + std::to_string(max_block_count) + " blocks");
    }
    return {.kind = RecordKind::block, .fields = load_block_record(bytes.data(), header, block)};
  }
  check_field(bytes[1], 0, "index record layout");
  check_field(load_little_endian<4>(bytes.data() + 12), 0, "index record uncompressed bytes");
  return {.kind = RecordKind::index,
          .fields = {.layout = BlockLayout::raw,
                     .payload_bytes = static_cast<std::uint32_t>(load_little_endian<4>(bytes.data() + 8)),
                     .uncompressed_bytes = 0,
                     .checksum = load_little_endian<8>(bytes.data() + 16),
                     .checksum_kind = header.checksum_kind}};
}

FrameIndex parse_index(std::span<const std::uint8_t> payload, const RecordHeader& record,
                       const FrameHeader& header) {
  check_field(payload.size(), record.fields.payload_bytes, "index size");
  if (payload.size() < index_totals_bytes || (payload.size() - index_totals_bytes) % index_entry_bytes != 0) {
    throw FormatError(std::nullopt, "index size",
                      "is " + std::to_string(payload.size()) + ", expected " +
                          std::to_string(index_totals_bytes) + " plus a multiple of " +
                          std::to_string(index_entry_bytes));
  }
  check_field(checksum(header.checksum_kind, payload), record.fields.checksum, "index checksum");

  const std::uint64_t block_count = (payload.size() - index_totals_bytes) / index_entry_bytes;
  const std::uint8_t* totals = payload.data() + block_count * index_entry_bytes;
  check_field(load_little_endian<8>(totals), block_count, "index block count");

  FrameIndex index;
  index.checksum_kind = header.checksum_kind;
  index.entries.reserve(block_count);
  for (std::uint64_t block = 0; block < block_count; ++block) {
    const IndexEntryFields entry(payload.data() + block * index_entry_bytes);
    const auto record_bytes = std::span(entry.record(), record_header_bytes);
    check_field(record_bytes[0], static_cast<std::uint64_t>(RecordKind::block), "index entry record kind",
                block);
    const RecordHeader repeated = parse_record_header(record_bytes, header, block);
    if (block + 1 < block_count) {
      check_field(repeated.fields.uncompressed_bytes, header.block_size, "index entry uncompressed bytes",
                  block);
    }
    append_block(index, repeated.fields);
    check_field(entry.payload_offset(), index.entries.back().payload_offset, "index entry payload offset",
                block);
    check_field(entry.uncompressed_offset(), index.entries.back().uncompressed_offset,
                "index entry uncompressed offset", block);
  }
  check_field(load_little_endian<8>(totals + 8), index.uncompressed_bytes, "index uncompressed bytes");
  return index;
}

void check_trailer(std::span<const std::uint8_t> bytes, std::uint64_t frame_bytes,
                   std::uint64_t index_bytes) {
  check_available(bytes, frame_trailer_bytes, "trailer");
  if (!std::equal(trailer_magic.begin(), trailer_magic.end(), bytes.begin() + 16)) {
    throw FormatError(std::nullopt, "trailer magic",
                      "is not at the end: the frame is truncated or bytes follow it");
  }
  check_field(load_little_endian<8>(bytes.data()), frame_bytes, "trailer frame bytes");
  check_field(load_little_endian<8>(bytes.data() + 8), index_bytes, "trailer index bytes");
}

FrameView parse_frame(std::span<const std::uint8_t> bytes) {
  FrameView view{.header = parse_frame_header(bytes), .index = {}, .bytes = bytes};
  check_available(bytes, frame_header_bytes + record_header_bytes + index_totals_bytes + frame_trailer_bytes,
                  "frame");
  const auto trailer = bytes.last(frame_trailer_bytes);
  const std::uint64_t index_bytes = load_little_endian<8>(trailer.data() + 8);
  check_trailer(trailer, bytes.size(), index_bytes);
  if (index_bytes < record_header_bytes ||
      index_bytes > bytes.size() - frame_header_bytes - frame_trailer_bytes) {
    throw FormatError(
        std::nullopt, "trailer index bytes",
        "is " + std::to_string(index_bytes) + ", the frame has " + std::to_string(bytes.size()) + " bytes");
  }
  const auto index_record = bytes.subspan(bytes.size() - frame_trailer_bytes - index_bytes, index_bytes);
  // Looked at first: a wrong place in the trailer is not the damage of some block's record.
  check_field(index_record[0], static_cast<std::uint64_t>(RecordKind::index), "index record kind");
  const RecordHeader record = parse_record_header(index_record, view.header, 0);
  view.index = parse_index(index_record.subspan(record_header_bytes), record, view.header);

  std::uint64_t end = frame_header_bytes;
  for (std::size_t block = 0; block < view.index.entries.size(); ++block) {
    const IndexEntry& entry = view.index.entries[block];
    end = entry.payload_offset + entry.record.payload_bytes;
    if (end > bytes.size() - frame_trailer_bytes - index_bytes) {
      throw FormatError(block, "index entry payload offset",
                        "the block ends at byte " + std::to_string(end) + ", behind the start of the index");
    }
    const auto record_bytes = bytes.subspan(entry.payload_offset - record_header_bytes, record_header_bytes);
    const RecordHeader in_place = parse_record_header(record_bytes, view.header, block);
    if (in_place.kind != RecordKind::block || in_place.fields != entry.record) {
      throw FormatError(block, "index entry", "differs from the record in front of the block");
    }
  }
  check_field(end + index_bytes + frame_trailer_bytes, bytes.size(), "index end of blocks");
  return view;
}

std::array<std::uint8_t, frame_header_bytes> build_frame_header(const FrameHeader& header) {
  std::array<std::uint8_t, frame_header_bytes> bytes{};
  std::copy(frame_magic.begin(), frame_magic.end(), bytes.begin());
  bytes[8] = frame_version;
  store_little_endian<2>(bytes.data() + 10, static_cast<std::uint64_t>(header.format));
  bytes[12] = static_cast<std::uint8_t>(header.checksum_kind);
  store_little_endian<8>(bytes.data() + 16, header.block_size);
  store_little_endian<4>(bytes.data() + 24, header.split_count);
  store_little_endian<8>(bytes.data() + header_checksum_offset,
                         checksum(std::span(bytes).first(header_checksum_offset)));
  return bytes;
}

std::array<std::uint8_t, record_header_bytes> build_block_record(const BlockRecord& record) {
  std::array<std::uint8_t, record_header_bytes> bytes{};
  write_record(bytes.data(), RecordKind::block, record);
  return bytes;
}

void append_block(FrameIndex& index, const BlockRecord& record) {
  const std::uint64_t previous_end =
      index.entries.empty() ? frame_header_bytes
                            : index.entries.back().payload_offset + index.entries.back().record.payload_bytes;
  index.entries.push_back({.payload_offset = previous_end + record_header_bytes,
                           .uncompressed_offset = index.uncompressed_bytes,
                           .record = record});
  index.uncompressed_bytes += record.uncompressed_bytes;
  index.checksum_kind = record.checksum_kind;
}

std::vector<std::uint8_t> build_frame_end(const FrameIndex& index) {
  const std::size_t payload_bytes = index.entries.size() * index_entry_bytes + index_totals_bytes;
  const std::size_t index_bytes = record_header_bytes + payload_bytes;
  std::vector<std::uint8_t> bytes(index_bytes + frame_trailer_bytes);
  std::uint8_t* out = bytes.data() + record_header_bytes;
  for (const IndexEntry& entry : index.entries) {
    write_index_entry(out, entry);
    out += index_entry_bytes;
  }
  write_index_totals(out, index.entries.size(), index.uncompressed_bytes);
  const auto payload = std::span(bytes).subspan(record_header_bytes, payload_bytes);
  write_record(bytes.data(), RecordKind::index,
               {.layout = BlockLayout::raw,
                .payload_bytes = static_cast<std::uint32_t>(payload_bytes),
                .uncompressed_bytes = 0,
                .checksum = checksum(index.checksum_kind, payload)});

  const std::uint64_t blocks_end =
      index.entries.empty() ? frame_header_bytes
                            : index.entries.back().payload_offset + index.entries.back().record.payload_bytes;
  write_trailer(bytes.data() + index_bytes, blocks_end + index_bytes + frame_trailer_bytes, index_bytes);
  return bytes;
}

}  // namespace gsst::format
