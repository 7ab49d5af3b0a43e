#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/stage/plan.hpp"
#include "experiments/measure_cpu_stages/host_buffer.hpp"

namespace gsst::experiments {

/// A plan for the executor cpu with memory of its own, whose output is known.
class PlanExecution {
public:
  /// `inputs` are what the plan reads, one for each part with Role::input in their order, and `expected` what
  /// it must write; all outlive the object. Prepares the plan's state. Throws std::bad_alloc, and what the
  /// plan throws.
  PlanExecution(std::unique_ptr<stage::Plan> plan, std::span<const std::span<const std::uint8_t>> inputs,
                std::span<const std::uint8_t> expected);

  /// Makes every byte of the output that is expected differ from it.
  void poison();

  /// Does all of the plan's work once.
  void run();

  /// Checks what the last run left. Throws MismatchError, which names `what` and the first byte that
  /// differs, for a wrong size and for a write past any of the plan's memory; format::FormatError for a
  /// problem that the plan reports.
  void verify(const std::string& what) const;

private:
  std::unique_ptr<stage::Plan> plan_;
  std::span<const std::uint8_t> expected_;
  /// One for each part that the plan writes, in the order of the parts.
  std::vector<HostBuffer> buffers_;
  std::vector<stage::Given> given_;
};

}  // namespace gsst::experiments
