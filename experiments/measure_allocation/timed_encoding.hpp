#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/stage/plan.hpp"

namespace gsst::experiments {

/// The memory of an encoding besides its input. A `Buffer(bytes)` allocates when it is made and frees when it
/// ends, and its data() is aligned as the plan's parts are.
template <typename Buffer>
class EncodingMemory {
public:
  explicit EncodingMemory(const stage::Plan& plan)
      : output_(bytes_of(plan, stage::Role::output)),
        state_(bytes_of(plan, stage::Role::state)),
        status_(bytes_of(plan, stage::Role::status)),
        frame_bytes_(bytes_of(plan, stage::Role::result)) {}

  /// The memory for an encoding of `input` by `plan`, for which this was made.
  std::array<stage::Given, 5> given(const stage::Plan& plan, const std::uint8_t* input) {
    return {stage::to_read(input, bytes_of(plan, stage::Role::input)),
            {.data = output_.data(), .bytes = bytes_of(plan, stage::Role::output)},
            {.data = state_.data(), .bytes = bytes_of(plan, stage::Role::state)},
            {.data = status_.data(), .bytes = bytes_of(plan, stage::Role::status)},
            {.data = frame_bytes_.data(), .bytes = bytes_of(plan, stage::Role::result)}};
  }

  Buffer& output() { return output_; }
  Buffer& frame_bytes() { return frame_bytes_; }

private:
  Buffer output_;
  Buffer state_;
  Buffer status_;
  Buffer frame_bytes_;
};

/// Trains the tables, encodes, and calls wait(), which waits for the device.
template <typename Wait>
void encode_end_to_end(const stage::Plan& plan, std::span<const stage::Given> given, const Wait& wait) {
  plan.prepare(given, nullptr);
  enqueue_all(plan, given, nullptr);
  wait();
}

/// Seconds of the host's clock that `work` takes.
template <typename Work>
double host_seconds(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Seconds of encode_end_to_end() in memory that is there.
template <typename Wait>
double seconds_without_allocations(const stage::Plan& plan, std::span<const stage::Given> given,
                                   const Wait& wait) {
  return host_seconds([&] { encode_end_to_end(plan, given, wait); });
}

/// The same with planning, which `make_plan()` does, allocating all memory that the encoding of `input` needs
/// besides, and freeing it.
template <typename Buffer, typename MakePlan, typename Wait>
double seconds_with_allocations(const MakePlan& make_plan, const std::uint8_t* input, const Wait& wait) {
  return host_seconds([&] {
    const std::unique_ptr<stage::Plan> plan = make_plan();
    EncodingMemory<Buffer> memory(*plan);
    encode_end_to_end(*plan, memory.given(*plan, input), wait);
  });
}

}  // namespace gsst::experiments
