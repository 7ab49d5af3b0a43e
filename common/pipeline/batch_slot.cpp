#include "common/pipeline/batch_slot.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "common/frame/checksum_check.hpp"
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

std::uint64_t longest_block_pieces(const format::FrameHeader& header, const BatchLimits& limits) {
  return frame::checksum_pieces(header.checksum_kind,
                                std::min<std::uint64_t>(header.block_size, limits.output_bytes));
}

// What follows the batch's blocks: tables that stand in front of them in the frame, and an index whose
// entries start so much earlier that these tables' blocks have their places. A kernel sees the batch's own
// entries.
std::vector<std::uint8_t> build_end(const Batch& batch) {
  std::vector<std::uint8_t> bytes;
  format::FrameIndex index = batch.index;
  std::vector<format::IndexEntry> earlier(batch.blocks_back_to_tables());
  for (const auto& [block, table] : batch.tables) {
    earlier[block - batch.tables.begin()->first].payload_offset =
        format::frame_header_bytes + batch.bytes.size() + bytes.size();
    bytes.insert(bytes.end(), table->begin(), table->end());
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
      checksum_pieces_(compares_checksums ? longest_block_pieces(header, limits) : 0),
      frame_(Buffer::on_device(run.executor,
                               format::frame_header_bytes + limits.bytes + frame_end_bytes(limits.blocks))),
      frame_end_(Buffer::on_host(run.executor, frame_end_bytes(limits.blocks))),
      statuses_(Buffer::on_device(run.executor, limits.blocks * sizeof(std::uint32_t))),
      statuses_on_host_(Buffer::on_host(run.executor, statuses_.size())),
      scratch_(Buffer::on_device(run.executor, scratch_bytes(run, header, limits.blocks))),
      piece_checksums_(
          Buffer::on_device(run.executor, limits.blocks * checksum_pieces_ * sizeof(std::uint64_t))),
      queue_(run.executor) {
  copy_header();
}

void BatchSlot::start(const Batch& batch, std::uint8_t* output, Queue& copies,
                      const std::function<void()>& arrived) {
  first_block_ = batch.first_block;
  block_count_ = batch.index.entries.size();
  const std::vector<std::uint8_t> end = build_end(batch);
  const std::uint64_t own_bytes = format::frame_header_bytes + batch.bytes.size();
  if (batch.tables.empty() && (own_bytes + end.size() > frame_.size() || end.size() > frame_end_.size())) {
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
  stage::FrameOnDevice frame = {
      .bytes = frame_.data(),
      .frame_bytes = own_bytes + end.size(),
      .index_offset = own_bytes + end.size() - frame_end_bytes(block_count_) + format::record_header_bytes,
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
  if (compares_checksums_) compare_checksums(frame, output);
  queue_.copy(statuses_on_host_.data(), statuses_.bytes().first(block_count_ * sizeof(std::uint32_t)));
}

void BatchSlot::compare_checksums(const stage::FrameOnDevice& frame, std::uint8_t* output) {
  const frame::ChecksumCheck check{
      .frame = frame,
      .kind = header_.checksum_kind,
      .stored_kind = nullptr,
      .pieces_per_block = checksum_pieces_,
      .output = output,
      .piece_checksums = reinterpret_cast<std::uint64_t*>(piece_checksums_.data()),
      .status = reinterpret_cast<std::uint32_t*>(statuses_.data())};
#if GSST_WITH_CUDA
  if (run_.executor == stage::Executor::gpu) {
    frame::enqueue_checksum_check<stage::Executor::gpu>(check, queue_.stream());
    return;
  }
#endif
  frame::enqueue_checksum_check<stage::Executor::simt>(check, queue_.stream());
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
  std::vector<std::uint32_t> statuses(block_count_);
  std::memcpy(statuses.data(), statuses_on_host_.data(), block_count_ * sizeof(std::uint32_t));
  check_statuses(statuses, first_block_);
}

}  // namespace gsst::pipeline
