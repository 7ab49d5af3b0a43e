#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "stages/zero_length/06_pipeline/host_encode_slot.cuh"
#include "stages/zero_length/encode/block_numbers.hpp"
#include "stages/zero_length/encode/kernel_encode_plans.hpp"

// Batches of a source that never ends: each is started when its blocks are there.
namespace gsst::zero_length::host_to_host {
namespace {

// A slot with page-locked memory for what its batch becomes.
struct BatchSlot {
  explicit BatchSlot(const BatchShape& shape)
      : output(pipeline::Buffer::on_host(
            stage::this_executor, largest_file_bytes(input_of(shape.batch_bytes(), shape.block_bytes)))),
        slot(shape.batch_bytes(), shape.block_bytes) {}

  pipeline::Buffer output;
  // Last: it waits for its work before the memory goes.
  EncodeSlot slot;
};

class ArrivingBatches final : public BatchEncoder {
public:
  explicit ArrivingBatches(const BatchShape& shape) : shape_(shape) {
    for (unsigned i = 0; i < shape.slots; ++i) slots_.push_back(std::make_unique<BatchSlot>(shape));
  }

  std::uint64_t memory_bytes() const override {
    return shape_.slots * EncodeSlot::memory_bytes(shape_.batch_bytes(), shape_.block_bytes);
  }

  void start(std::span<const std::uint8_t> input) override {
    if (input.empty() || input.size() > shape_.batch_bytes()) {
      throw std::invalid_argument("a batch of " + std::to_string(input.size()) + " bytes, where up to " +
                                  std::to_string(shape_.batch_bytes()) + " are encoded at once");
    }
    slot_of(started_++).slot.start(input);
  }

  std::span<const std::uint8_t> finish(std::uint64_t first_block) override {
    BatchSlot& oldest = slot_of(finished_++);
    const std::span<std::uint8_t> blocks = oldest.output.bytes().first(oldest.slot.blocks_bytes());
    oldest.slot.download(blocks);
    oldest.slot.wait();
    number_blocks(blocks, first_block);
    return blocks;
  }

private:
  BatchSlot& slot_of(std::uint64_t batch) { return *slots_[batch % shape_.slots]; }

  BatchShape shape_;
  std::vector<std::unique_ptr<BatchSlot>> slots_;
  // Batches. The first is of the thread that starts, the second of the one that finishes.
  std::uint64_t started_ = 0;
  std::uint64_t finished_ = 0;
};

inline std::unique_ptr<BatchEncoder> make_batch_encoder(const BatchShape& shape) {
  return std::make_unique<ArrivingBatches>(shape);
}

}  // namespace
}  // namespace gsst::zero_length::host_to_host
