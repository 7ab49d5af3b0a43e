#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/pipeline/buffer.hpp"
#include "stages/tile_integer/encode/kernel_encode_plans.hpp"

namespace gsst::tile_integer {

/// What an encoding has written, copied to the host.
struct EncodeResult {
  std::vector<std::uint8_t> frame;
  /// A word for each block.
  std::vector<std::uint32_t> statuses;
  /// Whether the guard bytes around each part are what they were.
  bool guards_are_intact = true;
};

/// How a KernelEncodeRunner lays out the parts of a plan.
struct EncodeLayout {
  /// Bytes between all parts. Without them nothing is filled or looked at.
  std::size_t guard_bytes = 0;
  /// What all memory but the input is filled with first.
  std::uint8_t poison = 0;
  /// What the addresses of the input and of the output are shifted by.
  std::size_t input_shift = 0;
  std::size_t output_shift = 0;
};

/// Runs encodings one after the other, in memory of the executor that it keeps: what the largest of them
/// needs.
class KernelEncodeRunner {
public:
  /// `plans` must outlive the runner; their executor must be available.
  explicit KernelEncodeRunner(const KernelEncodePlans& plans);

  /// Encodes `input` (host memory) of input.size() = what.input_bytes bytes and waits for it. The result
  /// stays until the next call. Throws std::invalid_argument as plan_of() does, cuda::CudaError.
  EncodeResult& run(std::span<const std::uint8_t> input, const stage::InputToEncode& what,
                    const EncodeLayout& layout = {});

  /// Bytes of the executor's memory that run() takes for such an input.
  static std::uint64_t memory_bytes(const KernelEncodePlans& plans, const stage::InputToEncode& what);

private:
  // The parts of a plan in the runner's memory, with guards around each.
  std::vector<stage::Given> place_parts(const stage::Plan& plan, const EncodeLayout& layout);
  bool guards_are_intact(std::span<const stage::Given> given, const EncodeLayout& layout) const;
  // Between the host's memory and the executor's.
  void copy(void* to, const void* from, std::size_t bytes) const;

  const KernelEncodePlans& plans_;
  pipeline::Buffer memory_;
  EncodeResult result_;
};

}  // namespace gsst::tile_integer
