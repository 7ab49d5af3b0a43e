#include "stages/zero_length/encode/kernel_encode_runner.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

#include "common/format/part_size.hpp"

#if GSST_WITH_CUDA
#include <cuda_runtime_api.h>

#include "common/cuda/error.hpp"
#endif

namespace gsst::zero_length {
namespace {

// Copies between host memory and the executor's, and waits for it.
void copy_and_wait(stage::Executor executor, void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
#if GSST_WITH_CUDA
  if (executor == stage::Executor::gpu) {
    GSST_CUDA_CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyDefault));
    return;
  }
#else
  static_cast<void>(executor);
#endif
  std::memcpy(to, from, bytes);
}

std::uint64_t aligned(std::uint64_t bytes) {
  return format::part_size(bytes, scratch_memory_alignment) * scratch_memory_alignment;
}

// What the address of a part is shifted by.
std::size_t shift_of(const stage::Part& part, const EncodeLayout& layout) {
  if (part.role == stage::Role::input) return layout.input_shift;
  return part.role == stage::Role::output ? layout.output_shift : 0;
}

std::uint64_t memory_of_parts(const stage::Plan& plan, const EncodeLayout& layout) {
  // The start of the memory may be aligned less.
  std::uint64_t bytes = scratch_memory_alignment + aligned(layout.guard_bytes);
  for (const stage::Part& part : plan.parts()) {
    bytes += aligned(shift_of(part, layout) + part.bytes + layout.guard_bytes);
  }
  return bytes;
}

}  // namespace

KernelEncodeRunner::KernelEncodeRunner(const KernelEncodePlans& plans)
    : plans_(plans), memory_(pipeline::Buffer::on_device(plans.executor(), 0)) {}

std::uint64_t KernelEncodeRunner::memory_bytes(const KernelEncodePlans& plans,
                                               const stage::InputToEncode& shape) {
  return memory_of_parts(*plans.plan_of(shape), {});
}

std::vector<stage::Given> KernelEncodeRunner::memory_for(const stage::Plan& plan,
                                                         const EncodeLayout& layout) {
  const std::uint64_t bytes = memory_of_parts(plan, layout);
  if (memory_.size() < bytes) {
    // Not both at a time.
    memory_ = pipeline::Buffer::on_device(plans_.executor(), 0);
    memory_ = pipeline::Buffer::on_device(plans_.executor(), bytes);
  }
  if (layout.guard_bytes != 0) {
    const std::vector<std::uint8_t> poison(bytes, layout.poison);
    copy_and_wait(plans_.executor(), memory_.data(), poison.data(), bytes);
  }
  const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
  std::uint8_t* next = memory_.data() + (aligned(address) - address) + aligned(layout.guard_bytes);
  std::vector<stage::Given> given;
  for (const stage::Part& part : plan.parts()) {
    const std::size_t shift = shift_of(part, layout);
    given.push_back({.data = next + shift, .bytes = part.bytes});
    next += aligned(shift + part.bytes + layout.guard_bytes);
  }
  return given;
}

bool KernelEncodeRunner::guards_are_intact(std::span<const stage::Given> given,
                                           const EncodeLayout& layout) const {
  std::vector<std::uint8_t> guard(layout.guard_bytes);
  const auto is_intact = [&](const std::uint8_t* begin) {
    copy_and_wait(plans_.executor(), guard.data(), begin, guard.size());
    return std::ranges::all_of(guard, [&](std::uint8_t byte) { return byte == layout.poison; });
  };
  return std::ranges::all_of(given, [&](const stage::Given& part) {
    const auto* const begin = static_cast<const std::uint8_t*>(part.data);
    return is_intact(begin - layout.guard_bytes) && is_intact(begin + part.bytes);
  });
}

EncodeResult& KernelEncodeRunner::run(std::span<const std::uint8_t> input, const stage::InputToEncode& shape,
                                      const EncodeLayout& layout) {
  const std::unique_ptr<stage::Plan> plan = plans_.plan_of(shape);
  const std::vector<stage::Given> given = memory_for(*plan, layout);
  const stage::Executor executor = plans_.executor();
  copy_and_wait(executor, given[0].data, input.data(), input.size());
  stage::enqueue_all(*plan, given, nullptr);
  // Waits for the default stream.
  std::array<std::byte, sizeof(std::uint64_t)> file_bytes{};
  copy_and_wait(executor, file_bytes.data(), given[4].data, file_bytes.size());
  result_.statuses.resize(given[3].bytes / sizeof(std::uint32_t));
  copy_and_wait(executor, result_.statuses.data(), given[3].data, given[3].bytes);
  const stage::Outcome outcome = plan->check(std::as_bytes(std::span(result_.statuses)), file_bytes, 0);
  if (!outcome.is_complete) {
    throw std::logic_error("an encoder reports a file that is larger than its output of " +
                           std::to_string(given[1].bytes) + " bytes");
  }
  result_.file.resize(outcome.count);
  copy_and_wait(executor, result_.file.data(), given[1].data, outcome.count);
  result_.guards_are_intact = layout.guard_bytes == 0 || guards_are_intact(given, layout);
  return result_;
}

}  // namespace gsst::zero_length
