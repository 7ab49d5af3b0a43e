#include "stages/tile_integer/encode/kernel_encode_runner.hpp"

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

namespace gsst::tile_integer {
namespace {

std::uint64_t rounded_up(std::uint64_t bytes) {
  return format::part_size(bytes, scratch_memory_alignment) * scratch_memory_alignment;
}

std::size_t shift_of(const stage::Part& part, const EncodeLayout& layout) {
  if (part.role == stage::Role::input) return layout.input_shift;
  return part.role == stage::Role::output ? layout.output_shift : 0;
}

// A guard before the first part, and one after each; the start of the memory may be aligned less.
std::uint64_t bytes_of_parts(const stage::Plan& plan, const EncodeLayout& layout) {
  std::uint64_t bytes = scratch_memory_alignment + rounded_up(layout.guard_bytes);
  for (const stage::Part& part : plan.parts()) {
    bytes += rounded_up(shift_of(part, layout) + part.bytes + layout.guard_bytes);
  }
  return bytes;
}

}  // namespace

KernelEncodeRunner::KernelEncodeRunner(const KernelEncodePlans& plans)
    : plans_(plans), memory_(pipeline::Buffer::on_device(plans.executor(), 0)) {}

std::uint64_t KernelEncodeRunner::memory_bytes(const KernelEncodePlans& plans,
                                               const stage::InputToEncode& what) {
  return bytes_of_parts(*plans.plan_of(what), {});
}

void KernelEncodeRunner::copy(void* to, const void* from, std::size_t bytes) const {
  if (bytes == 0) return;
#if GSST_WITH_CUDA
  if (plans_.executor() == stage::Executor::gpu) {
    GSST_CUDA_CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyDefault));
    return;
  }
#endif
  std::memcpy(to, from, bytes);
}

std::vector<stage::Given> KernelEncodeRunner::place_parts(const stage::Plan& plan,
                                                          const EncodeLayout& layout) {
  const std::uint64_t bytes = bytes_of_parts(plan, layout);
  if (memory_.size() < bytes) {
    // Not both at a time.
    memory_ = pipeline::Buffer::on_device(plans_.executor(), 0);
    memory_ = pipeline::Buffer::on_device(plans_.executor(), bytes);
  }
  if (layout.guard_bytes != 0) {
    const std::vector<std::uint8_t> poison(bytes, layout.poison);
    copy(memory_.data(), poison.data(), bytes);
  }
  const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
  std::uint8_t* next = memory_.data() + (rounded_up(address) - address) + rounded_up(layout.guard_bytes);
  std::vector<stage::Given> given;
  for (const stage::Part& part : plan.parts()) {
    const std::size_t shift = shift_of(part, layout);
    given.push_back({.data = next + shift, .bytes = part.bytes});
    next += rounded_up(shift + part.bytes + layout.guard_bytes);
  }
  return given;
}

bool KernelEncodeRunner::guards_are_intact(std::span<const stage::Given> given,
                                           const EncodeLayout& layout) const {
  std::vector<std::uint8_t> guard(layout.guard_bytes);
  const auto is_intact = [&](const std::uint8_t* begin) {
    copy(guard.data(), begin, guard.size());
    return std::ranges::all_of(guard, [&](std::uint8_t byte) { return byte == layout.poison; });
  };
  return std::ranges::all_of(given, [&](const stage::Given& part) {
    const auto* const begin = static_cast<const std::uint8_t*>(part.data);
    return is_intact(begin - layout.guard_bytes) && is_intact(begin + part.bytes);
  });
}

EncodeResult& KernelEncodeRunner::run(std::span<const std::uint8_t> input, const stage::InputToEncode& what,
                                      const EncodeLayout& layout) {
  const std::unique_ptr<stage::Plan> plan = plans_.plan_of(what);
  const std::vector<stage::Given> given = place_parts(*plan, layout);
  copy(given[0].data, input.data(), input.size());
  stage::enqueue_all(*plan, given, nullptr);
  // Waits for the default stream.
  std::array<std::byte, sizeof(std::uint64_t)> frame_bytes{};
  copy(frame_bytes.data(), given[4].data, frame_bytes.size());
  result_.statuses.resize(given[3].bytes / sizeof(std::uint32_t));
  copy(result_.statuses.data(), given[3].data, given[3].bytes);
  const stage::Outcome outcome = plan->check(std::as_bytes(std::span(result_.statuses)), frame_bytes, 0);
  if (!outcome.is_complete) {
    throw std::logic_error("an encoder reports a frame that is larger than its output of " +
                           std::to_string(given[1].bytes) + " bytes");
  }
  result_.frame.resize(outcome.count);
  copy(result_.frame.data(), given[1].data, outcome.count);
  result_.guards_are_intact = layout.guard_bytes == 0 || guards_are_intact(given, layout);
  return result_;
}

}  // namespace gsst::tile_integer
