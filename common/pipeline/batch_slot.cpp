#include "common/pipeline/batch_slot.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "common/stage/decode_plan.hpp"

namespace gsst::pipeline {
namespace {

// `statuses` are those of the blocks from `first_block` on.
void check_statuses(std::span<const std::uint32_t> statuses, std::uint64_t first_block) {
  if (std::all_of(statuses.begin(), statuses.end(), [](std::uint32_t status) { return status == 0; })) return;
  // Blocks are numbered from the start of what stage::check_statuses() gets.
  std::vector<std::uint32_t> of_frame(first_block, 0);
  of_frame.insert(of_frame.end(), statuses.begin(), statuses.end());
  stage::check_statuses(of_frame);
}

std::size_t scratch_bytes(const StageRun& run, const format::FrameHeader& header, std::size_t blocks) {
  stage::FrameOnDevice frame{};
  frame.block_count = static_cast<std::uint32_t>(blocks);
  frame.split_count = header.split_count;
  frame.format = header.format;
  return stage::scratch_bytes(run.stage->description, frame);
}

}  // namespace

BatchSlot::BatchSlot(const StageRun& run, const format::FrameHeader& header, const BatchLimits& limits)
    : run_(run),
      header_(header),
      frame_(Buffer::on_device(run.executor,
                               format::frame_header_bytes + limits.bytes + frame_end_bytes(limits.blocks))),
      frame_end_(Buffer::on_host(run.executor, frame_end_bytes(limits.blocks))),
      statuses_(Buffer::on_device(run.executor, limits.blocks * sizeof(std::uint32_t))),
      statuses_on_host_(Buffer::on_host(run.executor, statuses_.size())),
      scratch_(Buffer::on_device(run.executor, scratch_bytes(run, header, limits.blocks))),
      queue_(run.executor) {
  const auto header_bytes = format::build_frame_header(header);
  queue_.copy(frame_.data(), header_bytes);
  queue_.wait();
}

void BatchSlot::start(const Batch& batch, std::uint8_t* output, Queue& copies,
                      const std::function<void()>& arrived) {
  first_block_ = batch.first_block;
  block_count_ = batch.index.entries.size();
  const std::size_t end_bytes = frame_end_bytes(block_count_);
  if (format::frame_header_bytes + batch.bytes.size() + end_bytes > frame_.size() ||
      end_bytes > frame_end_.size()) {
    throw std::logic_error("a batch is larger than its slot");
  }
  arrived_ = arrived;
  std::uint8_t* const blocks = frame_.data() + format::frame_header_bytes;
  copies.copy(blocks, batch.bytes);
  // Built while the blocks are on their way.
  const std::vector<std::uint8_t> end = format::build_frame_end(batch.index);
  std::copy(end.begin(), end.end(), frame_end_.data());
  copies.copy(blocks + batch.bytes.size(), frame_end_.bytes().first(end_bytes));
  if (arrived_) copies.call(arrived_);
  queue_.start_after(copies);
  stage::FrameOnDevice frame = {
      .bytes = frame_.data(),
      .frame_bytes = format::frame_header_bytes + batch.bytes.size() + end_bytes,
      .index_offset = format::frame_header_bytes + batch.bytes.size() + format::record_header_bytes,
      .uncompressed_bytes = batch.index.uncompressed_bytes,
      .block_count = static_cast<std::uint32_t>(block_count_),
      .split_count = header_.split_count,
      .format = header_.format,
      .tile_shapes = 0,
      .has_raw_blocks = false};
  for (const format::IndexEntry& entry : batch.index.entries) {
    frame.note_block(entry.record.layout,
                     batch.bytes.data() + (entry.payload_offset - format::frame_header_bytes));
  }
  run_.stage->decode.at(run_.executor)({.frame = frame,
                                        .output = output,
                                        .status = reinterpret_cast<std::uint32_t*>(statuses_.data()),
                                        .scratch = scratch_.data(),
                                        .parameters = run_.parameters,
                                        .stream = queue_.stream()});
  queue_.copy(statuses_on_host_.data(), statuses_.bytes().first(block_count_ * sizeof(std::uint32_t)));
}

void BatchSlot::finish() {
  queue_.wait();
  std::vector<std::uint32_t> statuses(block_count_);
  std::memcpy(statuses.data(), statuses_on_host_.data(), block_count_ * sizeof(std::uint32_t));
  check_statuses(statuses, first_block_);
}

}  // namespace gsst::pipeline
