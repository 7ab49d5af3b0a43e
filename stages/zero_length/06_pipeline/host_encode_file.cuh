#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/format/formats.hpp"
#include "common/pipeline/memory_limit.hpp"
#include "common/pipeline/read_ahead.hpp"
#include "stages/zero_length/06_pipeline/host_encode_slot.cuh"
#include "stages/zero_length/encode/block_numbers.hpp"
#include "stages/zero_length/encode/kernel_encode_plans.hpp"

// A file that is read and written in one pass, by way of page-locked memory.
namespace gsst::zero_length::host_to_host {
namespace {

// A slot with room for the batch on the host, on both of its ways.
struct FileSlot {
  FileSlot(std::uint64_t batch_bytes, std::uint64_t block_bytes)
      : input(pipeline::Buffer::on_host(stage::this_executor, batch_bytes)),
        output(pipeline::Buffer::on_host(stage::this_executor,
                                         largest_file_bytes(input_of(batch_bytes, block_bytes)))),
        slot(batch_bytes, block_bytes) {}

  // Enqueues the copy of the batch's blocks to the host once their size is known.
  void fetch() {
    blocks = output.bytes().first(slot.blocks_bytes());
    slot.download(blocks);
  }

  pipeline::Buffer input;
  pipeline::Buffer output;
  std::uint64_t input_bytes = 0;
  std::span<std::uint8_t> blocks;
  // Last: it waits for its work before the memory goes.
  EncodeSlot slot;
};

// How a file is cut into batches that fit into memory.
struct FileBatches {
  std::uint64_t batch_bytes;
  unsigned slots;

  std::uint64_t memory_bytes(std::uint64_t block_bytes) const {
    return slots * EncodeSlot::memory_bytes(batch_bytes, block_bytes);
  }
};

// The batches of `shape`, or fewer blocks in each, or else fewer slots. Throws MemoryLimitError where a
// single block is too large.
inline FileBatches batches_within(const BatchShape& shape, std::uint64_t memory_bytes) {
  std::uint64_t blocks = shape.batch_blocks;
  FileBatches batches = {.batch_bytes = shape.batch_bytes(), .slots = shape.slots};
  while (batches.memory_bytes(shape.block_bytes) > memory_bytes) {
    if (blocks > 1) {
      blocks /= 2;
    } else if (batches.slots > 1) {
      --batches.slots;
    } else {
      throw pipeline::MemoryLimitError(memory_bytes, batches.memory_bytes(shape.block_bytes));
    }
    batches.batch_bytes = blocks * shape.block_bytes;
  }
  return batches;
}

// An input that is known to have `input_bytes` bytes, at once.
inline FileBatches one_batch(std::uint64_t input_bytes, std::uint64_t block_bytes,
                             std::uint64_t memory_bytes) {
  const FileBatches batches = {.batch_bytes = input_bytes, .slots = 1};
  const std::uint64_t needed = batches.memory_bytes(block_bytes);
  if (needed > memory_bytes) throw pipeline::MemoryLimitError(memory_bytes, needed);
  return batches;
}

// Writes a bare file while it is read.
class FileEncoder {
public:
  FileEncoder(const format::ReadFunction& read, const format::WriteFunction& write,
              const format::ProgressFunction& progress)
      : read_(read), write_(write), progress_(progress) {}

  format::EncodeTotals encode(const FileBatches& batches, std::uint64_t block_bytes) {
    for (bool is_full = true; is_full;) {
      if (started_ == finished_ + batches.slots) finish_oldest();
      if (slots_.size() < batches.slots) {
        slots_.push_back(std::make_unique<FileSlot>(batches.batch_bytes, block_bytes));
      }
      FileSlot& next = *slots_[started_ % batches.slots];
      next.input_bytes = read_(next.input.bytes());
      is_full = next.input_bytes == batches.batch_bytes;
      if (next.input_bytes == 0) break;
      next.slot.start(next.input.bytes().first(next.input_bytes));
      // While this batch is copied and encoded the one before goes back.
      fetch_up_to(started_++);
    }
    while (finished_ < started_) finish_oldest();
    put(std::array<std::uint8_t, format::zero_length::bare_size_bytes>{});
    totals_.how = "runs of zeros, ";
    return totals_;
  }

private:
  FileSlot& slot_of(std::uint64_t batch) { return *slots_[batch % slots_.size()]; }

  // Those before `batch`.
  void fetch_up_to(std::uint64_t batch) {
    while (fetched_ < batch) slot_of(fetched_++).fetch();
  }

  void finish_oldest() {
    fetch_up_to(finished_ + 1);
    FileSlot& oldest = slot_of(finished_++);
    oldest.slot.wait();
    totals_.blocks += number_blocks(oldest.blocks, totals_.blocks);
    totals_.input_bytes += oldest.input_bytes;
    put(oldest.blocks);
    if (progress_) progress_(totals_);
  }

  void put(std::span<const std::uint8_t> bytes) {
    write_(bytes);
    totals_.output_bytes += bytes.size();
  }

  const format::ReadFunction& read_;
  const format::WriteFunction& write_;
  const format::ProgressFunction& progress_;
  format::EncodeTotals totals_;
  // Batches, in the order in which each gets further.
  std::uint64_t started_ = 0;
  std::uint64_t fetched_ = 0;
  std::uint64_t finished_ = 0;
  std::vector<std::unique_ptr<FileSlot>> slots_;
};

// The stage's plans. At once in the executor's memory, an input is encoded by the plan of the kernels.
class PipelinePlans final : public stage::EncodePlans {
public:
  std::span<const format::BlockFormat> formats() const override { return formats_written; }

  void check(const stage::FileToEncode& file) const override { encode_kernels().check(file); }

  format::EncodeTotals encode(const stage::FileToEncode& file, const format::ReadFunction& read,
                              const format::WriteFunction& write,
                              const format::ProgressFunction& progress) const override {
    check(file);
    const BatchShape shape = batch_shape(file.settings.block_bytes, {});
    pipeline::ReadAhead ahead(read, std::min(shape.batch_bytes(), file.memory_bytes));
    const format::ReadFunction read_ahead = [&](std::span<std::uint8_t> buffer) {
      return ahead.read(buffer);
    };
    // A short input takes the memory of its bytes, also where the memory holds no block.
    const FileBatches batches = ahead.is_whole()
                                    ? one_batch(ahead.start().size(), shape.block_bytes, file.memory_bytes)
                                    : batches_within(shape, file.memory_bytes);
    return FileEncoder(read_ahead, write, progress).encode(batches, shape.block_bytes);
  }

  std::vector<std::pair<std::string, std::uint64_t>> describe(
      const stage::InputToEncode& input) const override {
    return encode_kernels().describe(of_kernels(input));
  }

  std::unique_ptr<stage::Plan> plan_of(const stage::InputToEncode& input) const override {
    return encode_kernels().plan_of(of_kernels(input));
  }

private:
  // The parameters of this stage say how batches follow each other.
  static stage::InputToEncode of_kernels(stage::InputToEncode input) {
    if (input.format != format::zero_length::bare_format) {
      throw std::invalid_argument("stage " + description.id + ": does not write format " +
                                  std::string(format::block_format_name(input.format)));
    }
    stage::check_parameters(description, input.parameters);
    input.parameters = {};
    return input;
  }

  static constexpr std::array<format::BlockFormat, 1> formats_written = {format::zero_length::bare_format};
};

}  // namespace
}  // namespace gsst::zero_length::host_to_host
