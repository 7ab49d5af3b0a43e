#include "common/pipeline/decode_to_device.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

#include "common/format/part_size.hpp"
#include "common/frame/payload_checker.hpp"
#include "common/pipeline/memory_limit.hpp"
#include "common/stage/run_decode.hpp"

namespace gsst::pipeline {
namespace {

// `payloads` has checked the blocks before.
Batch make_batch(const format::FrameView& frame, format::PayloadChecker& payloads, std::uint64_t first_block,
                 std::uint64_t block_count) {
  Batch batch{.first_block = first_block, .index = {}, .bytes = {}, .parts = {}};
  for (std::uint64_t block = first_block; block < first_block + block_count; ++block) {
    const format::BlockRecord& record = frame.index.entries[block].record;
    batch.add(record, payloads.check_next(frame.payload(block), record));
  }
  const format::IndexEntry& last = batch.index.entries.back();
  batch.bytes =
      frame.bytes.subspan(frame.index.entries[first_block].payload_offset - format::record_header_bytes,
                          last.payload_offset + last.record.payload_bytes - format::frame_header_bytes);
  return batch;
}

std::vector<Batch> make_batches(const format::FrameView& frame, std::uint64_t batch_count) {
  if (batch_count == 0) throw std::invalid_argument("a frame cannot be cut into 0 batches");
  const std::uint64_t blocks = frame.index.entries.size();
  const std::uint64_t blocks_per_batch = format::part_size(blocks, batch_count);
  format::PayloadChecker payloads(frame.header);
  std::vector<Batch> batches;
  for (std::uint64_t first = 0; first < blocks; first += blocks_per_batch) {
    batches.push_back(make_batch(frame, payloads, first, std::min(blocks_per_batch, blocks - first)));
  }
  return batches;
}

BatchLimits limits_of(std::span<const Batch> batches) {
  BatchLimits limits{.blocks = 0, .bytes = 0, .output_bytes = 0};
  for (const Batch& batch : batches) {
    limits.blocks = std::max<std::uint64_t>(limits.blocks, batch.index.entries.size());
    limits.bytes = std::max<std::uint64_t>(limits.bytes, batch.bytes.size());
  }
  return limits;
}

}  // namespace

DeviceDecoder::DeviceDecoder(const StageRun& run, std::span<const std::uint8_t> frame,
                             std::uint64_t batch_count)
    : copies_(run.executor) {
  const format::FrameView view = format::parse_frame(frame);
  stage::check_decoder(*run.stage, run.executor, view.header.format, run.parameters);
  batches_ = make_batches(view, batch_count);
  uncompressed_bytes_ = view.index.uncompressed_bytes;
  const BatchLimits limits = limits_of(batches_);
  for (std::size_t slot = 0; slot < std::min<std::size_t>(slot_count, batches_.size()); ++slot) {
    slots_.push_back(std::make_unique<BatchSlot>(run, view.header, limits, false));
  }
}

void DeviceDecoder::decode(std::uint8_t* output, const ArrivalFunction& arrived) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < batches_.size(); ++i) {
    BatchSlot& slot = *slots_[i % slots_.size()];
    if (i >= slots_.size()) slot.finish();
    bytes += batches_[i].bytes.size();
    slot.start(batches_[i], output, copies_,
               arrived ? [arrived, bytes] { arrived(bytes); } : std::function<void()>());
    output += batches_[i].index.uncompressed_bytes;
  }
  for (std::size_t i = batches_.size() - std::min(slots_.size(), batches_.size()); i < batches_.size(); ++i) {
    slots_[i % slots_.size()]->finish();
  }
}

}  // namespace gsst::pipeline
