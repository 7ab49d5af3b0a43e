#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/frame/frame_fields.hpp"
#include "common/stage/frame_on_device.hpp"
#include "stages/zero_length/06_pipeline/host_bare_blocks.cuh"
#include "stages/zero_length/06_pipeline/host_slots.cuh"

// A bare file from host memory to host memory. Everything about a batch is known before it is decoded, so
// that all of it is enqueued at once, and the host waits at the end.
namespace gsst::zero_length::host_to_host {
namespace {

inline const stage::DecodePlans& decode_kernels() {
  return stage::find_stage(kernels_of, stage::Operation::decode)->decode.at(stage::this_executor);
}

// Blocks whose indexes follow each other.
struct DecodeBatch {
  std::span<const std::uint8_t> file;
  std::span<const StoredBlock> stored;
  // Their entries in the file's index, and their statuses: host memory, page-locked.
  std::span<const std::uint8_t> entries;
  std::uint8_t* statuses;
  std::span<std::uint8_t> output;
};

// Memory of the executor and a queue for one batch at a time.
class DecodeSlot {
public:
  explicit DecodeSlot(const BatchShape& most)
      : stored_(on_device(stored_bytes(most))),
        entries_(on_device(most.batch_blocks * format::index_entry_bytes)),
        output_(on_device(most.batch_bytes())),
        scratch_(on_device(scratch_bytes(most))),
        statuses_(on_device(most.batch_blocks * sizeof(std::uint32_t))),
        queue_(stage::this_executor) {
    // Kernels load whole vectors, so the last one of a batch has bytes after its blocks, and a block that is
    // refused leaves output unwritten, which is copied with the rest. Neither shows what other programs left.
    stage::clear(stored_.data(), stored_.size(), queue_.stream());
    stage::clear(output_.data(), output_.size(), queue_.stream());
  }

  // Of the executor.
  std::uint64_t memory_bytes() const {
    return stored_.size() + entries_.size() + output_.size() + scratch_.size() + statuses_.size();
  }

  void start(const DecodeBatch& batch) {
    const std::uint64_t bytes = upload(batch);
    const std::uint64_t blocks = batch.stored.size();
    queue_.copy(entries_.data(), batch.entries);
    const auto plan = decode_kernels().make(
        {.frame = shape_of(blocks, bytes + format::min_bytes_after_block, batch.output.size()),
         .index_is_apart = true});
    const std::array given = {given_of(stored_), given_of(output_), given_of(scratch_), given_of(statuses_),
                              given_of(entries_)};
    enqueue_all(*plan, given, queue_.stream());
    queue_.copy(batch.statuses, statuses_.bytes().first(blocks * sizeof(std::uint32_t)));
    queue_.copy(batch.output.data(), output_.bytes().first(batch.output.size()));
  }

  void wait() const { queue_.wait(); }

private:
  static pipeline::Buffer on_device(std::uint64_t bytes) {
    return pipeline::Buffer::on_device(stage::this_executor, bytes);
  }

  static stage::Given given_of(const pipeline::Buffer& buffer) {
    return {.data = buffer.data(), .bytes = buffer.size()};
  }

  // Kernels may read a little behind the last block, as in a frame.
  static std::uint64_t stored_bytes(const BatchShape& most) {
    return most.batch_blocks * format::zero_length::max_bare_block_bytes(most.block_bytes) +
           format::min_bytes_after_block;
  }

  static stage::FrameOnDevice shape_of(std::uint64_t blocks, std::uint64_t bytes,
                                       std::uint64_t output_bytes) {
    return {.bytes = nullptr,
            .frame_bytes = bytes,
            .index_offset = 0,
            .uncompressed_bytes = output_bytes,
            .block_count = static_cast<std::uint32_t>(blocks),
            .split_count = 1,
            .format = format::zero_length::frame_format,
            .payload_traits = 0,
            .has_raw_blocks = false};
  }

  static std::uint64_t scratch_bytes(const BatchShape& most) {
    const auto plan =
        decode_kernels().make({.frame = shape_of(most.batch_blocks, stored_bytes(most), most.batch_bytes()),
                               .index_is_apart = true});
    return bytes_of(*plan, stage::Role::scratch);
  }

  // The blocks one after the other, with their headers; returns their bytes. Those that follow each other in
  // the file are one copy.
  std::uint64_t upload(const DecodeBatch& batch) {
    std::uint64_t position = 0;
    for (std::size_t first = 0, next = 0; first < batch.stored.size(); first = next) {
      const std::uint64_t begin = batch.stored[first].offset;
      std::uint64_t end = begin;
      while (next < batch.stored.size() && batch.stored[next].offset == end) {
        end += batch.stored[next++].stored_bytes;
      }
      queue_.copy(stored_.data() + position, batch.file.subspan(begin, end - begin));
      position += end - begin;
    }
    return position;
  }

  pipeline::Buffer stored_;
  pipeline::Buffer entries_;
  pipeline::Buffer output_;
  pipeline::Buffer scratch_;
  pipeline::Buffer statuses_;
  // Last: it waits for its work before the memory goes.
  pipeline::Queue queue_;
};

class MemoryDecoder final : public HostDecoder {
public:
  explicit MemoryDecoder(const BatchShape& shape)
      : shape_(shape), entries_(on_host(0)), statuses_(on_host(0)) {
    for (unsigned i = 0; i < shape.slots; ++i) slots_.push_back(std::make_unique<DecodeSlot>(shape));
  }

  std::uint64_t memory_bytes() const override { return slots_.size() * slots_.front()->memory_bytes(); }

  std::uint64_t decode(std::span<const std::uint8_t> file, std::span<std::uint8_t> output) override {
    const std::optional<BareBlocks> blocks = find_blocks(file);
    if (!blocks) throw_problem_of(file);
    const std::uint64_t bytes = blocks->output_bytes();
    if (blocks->block_bytes > shape_.block_bytes) {
      throw std::invalid_argument("the file has blocks of " + std::to_string(blocks->block_bytes) +
                                  " bytes, this decoder takes at most " + std::to_string(shape_.block_bytes));
    }
    if (bytes > output.size()) {
      throw std::length_error("the file decodes to " + std::to_string(bytes) + " bytes, and there are " +
                              std::to_string(output.size()) + " for them");
    }
    // A last block without elements has nothing to decode.
    const std::uint64_t count = blocks->stored.size() - (bytes == 0 || blocks->last_bytes != 0 ? 0 : 1);
    if (bytes != 0) decode_blocks(file, *blocks, count, output.first(bytes));
    return bytes;
  }

private:
  static pipeline::Buffer on_host(std::uint64_t bytes) {
    return pipeline::Buffer::on_host(stage::this_executor, bytes);
  }

  void decode_blocks(std::span<const std::uint8_t> file, const BareBlocks& blocks, std::uint64_t count,
                     std::span<std::uint8_t> output) {
    make_room(count);
    const WaitForSlots wait_at_the_end(slots_);
    std::uint64_t batch = 0;
    for (std::uint64_t first = 0; first < count; first += shape_.batch_blocks, ++batch) {
      const std::uint64_t end = std::min(first + shape_.batch_blocks, count);
      write_entries(blocks, first, end);
      const std::uint64_t begin_of_output = first * blocks.block_bytes;
      slots_[batch % slots_.size()]->start(
          {.file = file,
           .stored = std::span(blocks.stored).subspan(first, end - first),
           .entries = entries_.bytes().subspan(first * format::index_entry_bytes,
                                               (end - first) * format::index_entry_bytes),
           .statuses = statuses_.data() + first * sizeof(std::uint32_t),
           .output = output.subspan(begin_of_output,
                                    std::min(end * blocks.block_bytes, output.size()) - begin_of_output)});
    }
    for (const auto& slot : slots_) slot->wait();
    const auto statuses = statuses_.bytes().first(count * sizeof(std::uint32_t));
    if (std::ranges::any_of(statuses, [](std::uint8_t byte) { return byte != 0; })) throw_problem_of(file);
  }

  // The entries of a batch: no slot's queue reads these, whatever is still on its way.
  void write_entries(const BareBlocks& blocks, std::uint64_t first, std::uint64_t end) {
    std::uint64_t position = 0;
    for (std::uint64_t block = first; block < end; ++block) {
      const StoredBlock& stored = blocks.stored[block];
      format::write_index_entry(
          entries_.data() + block * format::index_entry_bytes,
          {.payload_offset = position + format::zero_length::bare_header_bytes,
           .uncompressed_offset = (block - first) * blocks.block_bytes,
           .record = {.layout = format::zero_length::elements_layout,
                      .payload_bytes = static_cast<std::uint32_t>(stored.elements_bytes()),
                      .uncompressed_bytes = static_cast<std::uint32_t>(blocks.bytes_of_block(block)),
                      .checksum = 0,
                      .checksum_kind = format::ChecksumKind::xxh64_tree}});
      position += stored.stored_bytes;
    }
  }

  void make_room(std::uint64_t blocks) {
    if (statuses_.size() >= blocks * sizeof(std::uint32_t)) return;
    entries_ = on_host(blocks * format::index_entry_bytes);
    statuses_ = on_host(blocks * sizeof(std::uint32_t));
  }

  BatchShape shape_;
  // Of all blocks of a file: one memory for each batch would have to wait for a batch before.
  pipeline::Buffer entries_;
  pipeline::Buffer statuses_;
  std::vector<std::unique_ptr<DecodeSlot>> slots_;
};

inline std::unique_ptr<HostDecoder> make_decoder(const BatchShape& shape) {
  return std::make_unique<MemoryDecoder>(shape);
}

}  // namespace
}  // namespace gsst::zero_length::host_to_host
