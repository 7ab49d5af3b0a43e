#include "experiments/measure/kinds/ranges/ranges_on_device.hpp"

namespace gsst::experiments {

RangesOnDevice::RangesOnDevice(const std::vector<gsst_range>& list, std::span<const std::uint8_t> wanted,
                               const LibraryFrame& frame)
    : frame_(frame),
      count_(list.size()),
      ranges_(
          std::span(reinterpret_cast<const std::uint8_t*>(list.data()), list.size() * sizeof(gsst_range))),
      expected_(wanted),
      output_(wanted.size()),
      scratch_(frame.plan.range_scratch_bytes(list.size())),
      status_(list.size() * sizeof(std::uint32_t)) {}

void RangesOnDevice::enqueue() {
  frame_.plan.enqueue_ranges({.frame = frame_.bytes.data(),
                              .ranges = reinterpret_cast<const gsst_range*>(ranges_.data()),
                              .range_count = count_,
                              .output = output_.data(),
                              .output_bytes = output_.size(),
                              .scratch = scratch_.data(),
                              .status = reinterpret_cast<std::uint32_t*>(status_.data())},
                             nullptr);
}

}  // namespace gsst::experiments
