#include "common/pipeline/batch_reader.hpp"

#include <algorithm>

namespace gsst::pipeline {

BatchReader::BatchReader(const format::ReadFunction& read)
    : frame_(read), payloads_(frame_.header()), next_record_(frame_.next_record()) {}

Batch BatchReader::read_batch(std::span<std::uint8_t> buffer, const BatchLimits& limits) {
  Batch batch{.first_block = next_block_, .index = {}, .bytes = {}, .parts = {}};
  std::size_t used = 0;
  while (next_record_ && batch.index.entries.size() < limits.blocks) {
    const format::BlockRecord record = *next_record_;
    const std::size_t block_bytes = format::record_header_bytes + record.payload_bytes;
    if (block_bytes > buffer.size() - used ||
        record.uncompressed_bytes > limits.output_bytes - batch.index.uncompressed_bytes) {
      break;
    }
    const auto record_bytes = format::build_block_record(record);
    std::copy(record_bytes.begin(), record_bytes.end(), buffer.begin() + static_cast<std::ptrdiff_t>(used));
    const auto payload = buffer.subspan(used + format::record_header_bytes, record.payload_bytes);
    frame_.read_payload(payload);
    batch.add(record, payloads_.check_next(payload, record));
    used += block_bytes;
    ++next_block_;
    next_record_ = frame_.next_record();
  }
  batch.bytes = buffer.first(used);
  return batch;
}

}  // namespace gsst::pipeline
