#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/bytes.hpp"
#include "stages/zero_length/06_pipeline/host_encode_slot.cuh"
#include "stages/zero_length/encode/block_numbers.hpp"

// From host memory to host memory.
namespace gsst::zero_length::host_to_host {
namespace {

// What the batches of one input become.
class FileInMemory {
public:
  explicit FileInMemory(std::span<std::uint8_t> output) : output_(output) {}

  // Room for the blocks of the next batch, which follow the others.
  std::span<std::uint8_t> take(std::uint64_t bytes) {
    if (bytes > output_.size() - position_) throw_too_long();
    batches_.push_back(output_.subspan(position_, bytes));
    position_ += bytes;
    return batches_.back();
  }

  // The blocks of the next batch have arrived.
  void number_next() { blocks_ += number_blocks(batches_[numbered_++], blocks_); }

  // Bytes of the file, with its guard block.
  std::uint64_t finish() {
    using format::zero_length::bare_size_bytes;
    if (bare_size_bytes > output_.size() - position_) throw_too_long();
    while (numbered_ < batches_.size()) number_next();
    format::store_little_endian<bare_size_bytes>(output_.data() + position_, 0);
    return position_ + bare_size_bytes;
  }

private:
  [[noreturn]] void throw_too_long() const {
    throw std::length_error("the encoded file is longer than the " + std::to_string(output_.size()) +
                            " bytes that there are for it");
  }

  std::span<std::uint8_t> output_;
  std::uint64_t position_ = 0;
  std::vector<std::span<std::uint8_t>> batches_;
  std::size_t numbered_ = 0;
  std::uint64_t blocks_ = 0;
};

class MemoryEncoder final : public HostEncoder {
public:
  explicit MemoryEncoder(const BatchShape& shape) : shape_(shape) {
    for (unsigned i = 0; i < shape.slots; ++i) {
      slots_.push_back(std::make_unique<EncodeSlot>(shape.batch_bytes(), shape.block_bytes));
    }
  }

  std::uint64_t memory_bytes() const override {
    return shape_.slots * EncodeSlot::memory_bytes(shape_.batch_bytes(), shape_.block_bytes);
  }

  std::uint64_t encode(std::span<const std::uint8_t> input, std::span<std::uint8_t> output) override {
    const std::uint64_t batches = format::part_size(input.size(), shape_.batch_bytes());
    const auto start = [&](std::uint64_t batch) {
      const std::uint64_t begin = batch * shape_.batch_bytes();
      slot_of(batch).start(input.subspan(begin, std::min(shape_.batch_bytes(), input.size() - begin)));
    };
    const WaitForSlots wait_at_the_end(slots_);
    FileInMemory file(output);
    for (std::uint64_t batch = 0; batch < std::min<std::uint64_t>(shape_.slots, batches); ++batch) {
      start(batch);
    }
    for (std::uint64_t batch = 0; batch < batches; ++batch) {
      EncodeSlot& slot = slot_of(batch);
      const std::uint64_t bytes = slot.blocks_bytes();
      // The slot's kernels came after the download of its last batch in the same queue.
      if (batch >= shape_.slots) file.number_next();
      slot.download(file.take(bytes));
      if (batch + shape_.slots < batches) start(batch + shape_.slots);
    }
    for (const auto& slot : slots_) slot->wait();
    return file.finish();
  }

private:
  EncodeSlot& slot_of(std::uint64_t batch) { return *slots_[batch % shape_.slots]; }

  BatchShape shape_;
  std::vector<std::unique_ptr<EncodeSlot>> slots_;
};

inline std::unique_ptr<HostEncoder> make_encoder(const BatchShape& shape) {
  return std::make_unique<MemoryEncoder>(shape);
}

}  // namespace
}  // namespace gsst::zero_length::host_to_host
