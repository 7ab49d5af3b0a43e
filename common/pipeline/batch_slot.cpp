#include "common/pipeline/batch_slot.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "common/frame/checksum_plan.hpp"

namespace gsst::pipeline {
namespace {

// Bytes of the frame that a batch is, at most.
std::uint64_t frame_bytes_within(const BatchLimits& limits) {
  return format::frame_header_bytes + limits.bytes + frame_end_bytes(limits.blocks);
}

// The shape that stands for every batch within `limits`.
stage::FrameOnDevice shape_within(const format::FrameHeader& header, const BatchLimits& limits) {
  stage::FrameOnDevice frame{};
  frame.frame_bytes = frame_bytes_within(limits);
  frame.block_count = static_cast<std::uint32_t>(limits.blocks);
  frame.split_count = header.split_count;
  frame.format = header.format;
  return frame;
}

stage::FrameOnDevice shape_of(const Batch& batch, const format::FrameHeader& header,
                              std::uint64_t frame_bytes) {
  const std::uint64_t blocks = batch.index.entries.size();
  stage::FrameOnDevice frame = {
      .bytes = nullptr,
      .frame_bytes = frame_bytes,
      .index_offset = frame_bytes - frame_end_bytes(blocks) + format::record_header_bytes,
      .uncompressed_bytes = batch.index.uncompressed_bytes,
      .block_count = static_cast<std::uint32_t>(blocks),
      .split_count = header.split_count,
      .format = header.format,
      .payload_traits = 0,
      .has_raw_blocks = false};
  for (const format::IndexEntry& entry : batch.index.entries) {
    frame.note_block(entry.record.layout, batch.traits);
  }
  return frame;
}

stage::Given given(const Buffer& buffer) {
  return {.data = buffer.data(), .bytes = buffer.size()};
}

// What follows the batch's blocks: what blocks in front of them hold for them, and an index whose entries
// start so much earlier that those blocks have their places. A kernel sees the batch's own entries.
std::vector<std::uint8_t> build_end(const Batch& batch) {
  std::vector<std::uint8_t> bytes;
  format::FrameIndex index = batch.index;
  std::vector<format::IndexEntry> earlier(batch.blocks_back_to_parts());
  for (const auto& [block, part] : batch.parts) {
    earlier[block - batch.parts.begin()->first].payload_offset =
        format::frame_header_bytes + batch.bytes.size() + bytes.size();
    bytes.insert(bytes.end(), part->begin(), part->end());
  }
  index.entries.insert(index.entries.begin(), earlier.begin(), earlier.end());
  const std::vector<std::uint8_t> frame_end = format::build_frame_end(index);
  bytes.insert(bytes.end(), frame_end.begin(), frame_end.end());
  return bytes;
}

}  // namespace

BatchSlot::BatchSlot(const StageRun& run, const format::FrameHeader& header, const BatchLimits& limits,
                     bool compares_checksums)
    : run_(run),
      header_(header),
      compares_checksums_(compares_checksums),
      longest_block_bytes_(std::min<std::uint64_t>(header.block_size, limits.output_bytes)),
      frame_(Buffer::on_device(run.executor, frame_bytes_within(limits))),
      frame_end_(Buffer::on_host(run.executor, frame_end_bytes(limits.blocks))),
      statuses_(Buffer::on_device(run.executor, limits.blocks * sizeof(std::uint32_t))),
      statuses_on_host_(Buffer::on_host(run.executor, statuses_.size())),
      decoding_scratch_(Buffer::on_device(run.executor, 0)),
      checksums_scratch_(Buffer::on_device(run.executor, 0)),
      queue_(run.executor) {
  make_plans(shape_within(header, limits));
  decoding_scratch_ = Buffer::on_device(run.executor, bytes_of(*decoding_, stage::Role::scratch));
  if (checksums_) {
    checksums_scratch_ = Buffer::on_device(run.executor, bytes_of(*checksums_, stage::Role::scratch));
  }
  copy_header();
}

void BatchSlot::make_plans(const stage::FrameOnDevice& frame) {
  decoding_ = run_.stage->decode.at(run_.executor).make({.frame = frame, .parameters = run_.parameters});
  if (!compares_checksums_) return;
  checksums_ = frame::make_checksum_plan(
      run_.executor,
      {.frame = frame, .kind = header_.checksum_kind, .longest_block_bytes = longest_block_bytes_});
}

void BatchSlot::start(const Batch& batch, std::uint8_t* output, Queue& copies,
                      const std::function<void()>& arrived) {
  first_block_ = batch.first_block;
  const std::vector<std::uint8_t> end = build_end(batch);
  const std::uint64_t own_bytes = format::frame_header_bytes + batch.bytes.size();
  if (batch.parts.empty() && (own_bytes + end.size() > frame_.size() || end.size() > frame_end_.size())) {
    throw std::logic_error("a batch is larger than its slot");
  }
  make_room(own_bytes + end.size(), end.size());
  arrived_ = arrived;
  std::uint8_t* const blocks = frame_.data() + format::frame_header_bytes;
  copies.copy(blocks, batch.bytes);
  std::copy(end.begin(), end.end(), frame_end_.data());
  copies.copy(blocks + batch.bytes.size(), frame_end_.bytes().first(end.size()));
  if (arrived_) copies.call(arrived_);
  queue_.start_after(copies);
  make_plans(shape_of(batch, header_, own_bytes + end.size()));
  const stage::Given decoded = {.data = output, .bytes = batch.index.uncompressed_bytes};
  const std::array memory = {given(frame_), decoded, given(decoding_scratch_), given(statuses_)};
  enqueue_all(*decoding_, memory, queue_.stream());
  if (checksums_) {
    const std::array compared = {given(frame_), decoded, given(checksums_scratch_), given(statuses_)};
    enqueue_all(*checksums_, compared, queue_.stream());
  }
  queue_.copy(statuses_on_host_.data(), statuses_.bytes().first(bytes_of(*decoding_, stage::Role::status)));
}

void BatchSlot::make_room(std::uint64_t frame_bytes, std::uint64_t end_bytes) {
  if (end_bytes > frame_end_.size()) frame_end_ = Buffer::on_host(run_.executor, end_bytes);
  if (frame_bytes <= frame_.size()) return;
  frame_ = Buffer::on_device(run_.executor, frame_bytes);
  copy_header();
}

void BatchSlot::copy_header() {
  const auto header_bytes = format::build_frame_header(header_);
  queue_.copy(frame_.data(), header_bytes);
  queue_.wait();
}

void BatchSlot::finish() {
  queue_.wait();
  const std::uint64_t status_bytes = bytes_of(*decoding_, stage::Role::status);
  // The words say what both plans have found.
  throw_problem(
      decoding_->check(std::as_bytes(statuses_on_host_.bytes().first(status_bytes)), {}, first_block_));
}

}  // namespace gsst::pipeline
