#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "common/format/part_size.hpp"
#include "common/format/zero_length/zero_length.hpp"
#include "common/stage/encode_plans.hpp"
#include "stages/zero_length/06_pipeline/host_slots.cuh"

namespace gsst::zero_length::host_to_host {
namespace {

// The plans of the kernels. All stages are registered before the first one runs.
inline const stage::EncodePlans& encode_kernels() {
  return *stage::find_stage(kernels_of, stage::Operation::encode)->encode.at(stage::this_executor);
}

inline stage::InputToEncode input_of(std::uint64_t input_bytes, std::uint64_t block_bytes) {
  return {.format = format::zero_length::bare_format, .input_bytes = input_bytes, .block_bytes = block_bytes};
}

// Memory of the executor for a part of a plan, at an aligned address.
class PartMemory {
public:
  explicit PartMemory(const stage::Part& part)
      : bytes_(part.bytes),
        alignment_(part.alignment),
        buffer_(pipeline::Buffer::on_device(stage::this_executor, allocated_bytes(part))) {}

  // The start of an allocation may be aligned less.
  static std::uint64_t allocated_bytes(const stage::Part& part) { return part.bytes + part.alignment; }

  std::uint8_t* data() const {
    const auto address = reinterpret_cast<std::uintptr_t>(buffer_.data());
    return buffer_.data() + (format::part_size(address, alignment_) * alignment_ - address);
  }
  stage::Given given() const { return {.data = data(), .bytes = bytes_}; }

private:
  std::uint64_t bytes_;
  std::uint64_t alignment_;
  pipeline::Buffer buffer_;
};

// Memory of the executor and a queue for one batch at a time. What is started while the batch before is on
// its way waits for it in the queue.
class EncodeSlot {
public:
  // For batches of up to `batch_bytes` bytes.
  EncodeSlot(std::uint64_t batch_bytes, std::uint64_t block_bytes)
      : batch_bytes_(batch_bytes),
        block_bytes_(block_bytes),
        whole_(encode_kernels().plan_of(input_of(batch_bytes, block_bytes))),
        input_(whole_->parts()[0]),
        output_(whole_->parts()[1]),
        state_(whole_->parts()[2]),
        status_(whole_->parts()[3]),
        file_bytes_(pipeline::Buffer::on_host(stage::this_executor, sizeof(std::uint64_t))),
        queue_(stage::this_executor) {}

  // Of the executor, for batches of that size.
  static std::uint64_t memory_bytes(std::uint64_t batch_bytes, std::uint64_t block_bytes) {
    const auto plan = encode_kernels().plan_of(input_of(batch_bytes, block_bytes));
    std::uint64_t bytes = 0;
    for (const stage::Part& part : plan->parts().first(4)) bytes += PartMemory::allocated_bytes(part);
    return bytes;
  }

  // Enqueues the copy of `input` to the executor, and the kernels. Where another batch is on its way,
  // blocks_bytes() has been called for it.
  void start(std::span<const std::uint8_t> input) {
    queue_.copy(input_.data(), input);
    const stage::Plan* plan = whole_.get();
    if (input.size() != batch_bytes_) {
      short_ = encode_kernels().plan_of(input_of(input.size(), block_bytes_));
      plan = short_.get();
    }
    // The kernels write the size to page-locked memory of the host themselves. A copy of these eight bytes
    // would wait for the download of another batch, and this batch's download would then come too late.
    const std::array given = {input_.given(), output_.given(), state_.given(), status_.given(),
                              stage::Given{.data = file_bytes_.data(), .bytes = file_bytes_.size()}};
    enqueue_all(*plan, given, queue_.stream());
  }

  // Waits for the kernels of this slot, and for nothing of another. Bytes of the batch's blocks.
  std::uint64_t blocks_bytes() const {
    queue_.wait();
    std::uint64_t file_bytes = 0;
    std::memcpy(&file_bytes, file_bytes_.data(), sizeof file_bytes);
    if (file_bytes < format::zero_length::bare_size_bytes || file_bytes > output_.given().bytes) {
      throw std::logic_error("an encoder reports a file of " + std::to_string(file_bytes) +
                             " bytes, and has room for " + std::to_string(output_.given().bytes));
    }
    return file_bytes - format::zero_length::bare_size_bytes;
  }

  // Enqueues the copy of the batch's blocks, whose indexes count from 0, to `to`, which has their bytes.
  void download(std::span<std::uint8_t> to) { queue_.copy(to.data(), {output_.data(), to.size()}); }

  void wait() const { queue_.wait(); }

private:
  std::uint64_t batch_bytes_;
  std::uint64_t block_bytes_;
  std::unique_ptr<stage::Plan> whole_;
  std::unique_ptr<stage::Plan> short_;
  PartMemory input_;
  PartMemory output_;
  PartMemory state_;
  PartMemory status_;
  pipeline::Buffer file_bytes_;
  // Last: it waits for its work before the memory goes.
  pipeline::Queue queue_;
};

}  // namespace
}  // namespace gsst::zero_length::host_to_host
