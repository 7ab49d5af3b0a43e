#include "common/frame/frame_reader.hpp"

#include <algorithm>
#include <string>

#include "common/format/error.hpp"

namespace gsst::format {

FrameReader::FrameReader(const ReadFunction& read) : read_(read) {
  header_ = parse_frame_header(take(frame_header_bytes));
}

std::optional<BlockRecord> FrameReader::next_record() {
  const std::uint64_t block = index_.entries.size();
  const RecordHeader record = parse_record_header(take(record_header_bytes), header_, block);
  if (record.kind == RecordKind::index) {
    read_end(record);
    return std::nullopt;
  }
  if (block > 0 && index_.entries.back().record.uncompressed_bytes != header_.block_size) {
    throw FormatError(block - 1, "uncompressed bytes",
                      "is " + std::to_string(index_.entries.back().record.uncompressed_bytes) +
                          ", expected the block size of " + std::to_string(header_.block_size) +
                          ": more blocks follow");
  }
  append_block(index_, record.fields);
  return record.fields;
}

std::vector<std::uint8_t> FrameReader::read_payload() {
  std::vector<std::uint8_t> payload = take(index_.entries.back().record.payload_bytes);
  check_payload_bytes(payload.size());
  return payload;
}

void FrameReader::read_payload(std::span<std::uint8_t> payload) {
  const std::size_t got = read_(payload);
  bytes_read_ += got;
  check_payload_bytes(got);
}

std::vector<std::uint8_t> FrameReader::take(std::size_t bytes) {
  std::vector<std::uint8_t> taken = read_up_to(read_, bytes);
  bytes_read_ += taken.size();
  return taken;
}

void FrameReader::check_payload_bytes(std::size_t got) const {
  const std::uint32_t expected = index_.entries.back().record.payload_bytes;
  if (got == expected) return;
  throw FormatError(
      index_.entries.size() - 1, "payload bytes",
      "truncated: is " + std::to_string(expected) + ", only " + std::to_string(got) + " bytes are left");
}

void FrameReader::read_end(const RecordHeader& record) {
  // One entry more than blocks is enough to see that the index is wrong, whatever size it claims.
  const std::size_t most_bytes = (index_.entries.size() + 1) * index_entry_bytes + index_totals_bytes;
  const std::vector<std::uint8_t> payload =
      take(std::min<std::size_t>(record.fields.payload_bytes, most_bytes));
  check_index(parse_index(payload, record, header_));
  const std::vector<std::uint8_t> trailer = take(frame_trailer_bytes);
  check_trailer(trailer, bytes_read_, record_header_bytes + payload.size());
  if (!take(1).empty()) throw FormatError(std::nullopt, "trailer", "bytes follow the end of the frame");
}

void FrameReader::check_index(const FrameIndex& stored) const {
  if (stored.entries.size() != index_.entries.size()) {
    throw FormatError(std::nullopt, "index block count",
                      "is " + std::to_string(stored.entries.size()) + ", the frame has " +
                          std::to_string(index_.entries.size()) + " blocks");
  }
  const auto differing =
      std::mismatch(stored.entries.begin(), stored.entries.end(), index_.entries.begin()).first;
  if (differing != stored.entries.end()) {
    throw FormatError(static_cast<std::uint64_t>(differing - stored.entries.begin()), "index entry",
                      "differs from the record in front of the block");
  }
}

}  // namespace gsst::format
