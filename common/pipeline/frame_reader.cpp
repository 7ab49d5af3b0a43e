#include "common/pipeline/frame_reader.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "common/format/error.hpp"

namespace gsst::pipeline {

using format::FormatError;

FrameReader::FrameReader(const ReadFunction& read) : read_(read) {
  std::array<std::uint8_t, format::frame_header_bytes> bytes{};
  header_ = format::parse_frame_header(std::span(bytes).first(take(bytes)));
  read_record();
}

Batch FrameReader::read_batch(std::span<std::uint8_t> buffer, const BatchLimits& limits) {
  Batch batch{.first_block = index_.entries.size(), .index = {}, .bytes = {}};
  std::size_t used = 0;
  while (next_record_ && batch.index.entries.size() < limits.blocks) {
    const format::BlockRecord record = *next_record_;
    const std::uint64_t block = index_.entries.size();
    const std::size_t block_bytes = format::record_header_bytes + record.payload_bytes;
    if (block_bytes > buffer.size() - used ||
        record.uncompressed_bytes > limits.output_bytes - batch.index.uncompressed_bytes) {
      break;
    }
    const auto record_bytes = format::build_block_record(record);
    std::copy(record_bytes.begin(), record_bytes.end(), buffer.begin() + static_cast<std::ptrdiff_t>(used));
    const auto payload = buffer.subspan(used + format::record_header_bytes, record.payload_bytes);
    const std::size_t got = take(payload);
    if (got != payload.size()) {
      throw FormatError(block, "payload bytes",
                        "truncated: is " + std::to_string(payload.size()) + ", only " + std::to_string(got) +
                            " bytes are left");
    }
    format::parse_block(payload,
                        {.format = header_.format,
                         .layout = record.layout,
                         .uncompressed_bytes = record.uncompressed_bytes,
                         .split_count = header_.split_count},
                        block);
    format::append_block(batch.index, record);
    format::append_block(index_, record);
    used += block_bytes;
    read_record();
  }
  batch.bytes = buffer.first(used);
  return batch;
}

std::size_t FrameReader::take(std::span<std::uint8_t> buffer) {
  const std::size_t got = read_(buffer);
  bytes_read_ += got;
  return got;
}

void FrameReader::read_record() {
  const std::uint64_t block = index_.entries.size();
  std::array<std::uint8_t, format::record_header_bytes> bytes{};
  const format::RecordHeader record =
      format::parse_record_header(std::span(bytes).first(take(bytes)), header_, block);
  next_record_.reset();
  if (record.kind == format::RecordKind::index) {
    read_end(record);
    return;
  }
  if (block > 0 && index_.entries.back().record.uncompressed_bytes != header_.block_size) {
    throw FormatError(block - 1, "uncompressed bytes",
                      "is " + std::to_string(index_.entries.back().record.uncompressed_bytes) +
                          ", expected the block size of " + std::to_string(header_.block_size) +
                          ": more blocks follow");
  }
  next_record_ = record.fields;
}

void FrameReader::read_end(const format::RecordHeader& record) {
  // One entry more than blocks is enough to see that the index is wrong, whatever size it claims.
  const std::size_t most_bytes =
      (index_.entries.size() + 1) * format::index_entry_bytes + format::index_totals_bytes;
  std::vector<std::uint8_t> payload(std::min<std::size_t>(record.fields.payload_bytes, most_bytes));
  payload.resize(take(payload));
  check_index(format::parse_index(payload, record, header_));
  std::array<std::uint8_t, format::frame_trailer_bytes> trailer{};
  const std::size_t trailer_bytes = take(trailer);
  format::check_trailer(std::span(trailer).first(trailer_bytes), bytes_read_,
                        format::record_header_bytes + payload.size());
  std::array<std::uint8_t, 1> behind{};
  if (take(behind) != 0) throw FormatError(std::nullopt, "trailer", "bytes follow the end of the frame");
}

void FrameReader::check_index(const format::FrameIndex& stored) const {
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

}  // namespace gsst::pipeline
