#include "experiments/measure_cpu_stages/plan_execution.hpp"

#include <algorithm>
#include <cstddef>

#include "experiments/measure/shared/error.hpp"
#include "experiments/measure_cpu/verified_timing.hpp"

namespace gsst::experiments {
namespace {

// What the plan has left in the part with that role; empty where there is none.
std::span<const std::uint8_t> bytes_of_part(const stage::Plan& plan, std::span<const stage::Given> given,
                                            stage::Role role) {
  const std::span<const stage::Part> parts = plan.parts();
  for (std::size_t part = 0; part < parts.size(); ++part) {
    if (parts[part].role != role) continue;
    return {static_cast<const std::uint8_t*>(given[part].data), static_cast<std::size_t>(parts[part].bytes)};
  }
  return {};
}

}  // namespace

PlanExecution::PlanExecution(std::unique_ptr<stage::Plan> plan,
                             std::span<const std::span<const std::uint8_t>> inputs,
                             std::span<const std::uint8_t> expected)
    : plan_(std::move(plan)), expected_(expected) {
  for (const stage::Part& part : plan_->parts()) {
    if (part.role == stage::Role::input) {
      given_.push_back(stage::to_read(inputs.front().data(), inputs.front().size()));
      inputs = inputs.subspan(1);
      continue;
    }
    // A canary follows the part itself, not what an output that is too small for the expected one would need.
    buffers_.emplace_back(part.bytes);
    given_.push_back({.data = buffers_.back().bytes().data(), .bytes = part.bytes});
    if (part.role == stage::Role::output && part.bytes < expected.size()) {
      throw MismatchError("the plan has room for " + std::to_string(part.bytes) + " bytes of output, " +
                          std::to_string(expected.size()) + " are expected");
    }
  }
  plan_->prepare(given_, nullptr);
}

void PlanExecution::poison() {
  const std::span<const std::uint8_t> output = bytes_of_part(*plan_, given_, stage::Role::output);
  for (HostBuffer& buffer : buffers_) {
    if (buffer.bytes().data() == output.data()) {
      experiments::poison(buffer.bytes().first(expected_.size()), expected_);
    }
  }
}

void PlanExecution::run() {
  stage::enqueue_all(*plan_, given_, nullptr);
}

void PlanExecution::verify(const std::string& what) const {
  if (!std::ranges::all_of(buffers_, &HostBuffer::is_intact)) {
    throw MismatchError(what + ": a write past the memory of the plan");
  }
  const stage::Outcome outcome =
      plan_->check(std::as_bytes(bytes_of_part(*plan_, given_, stage::Role::status)),
                   std::as_bytes(bytes_of_part(*plan_, given_, stage::Role::result)), 0);
  stage::throw_problem(outcome);
  if (outcome.count != expected_.size()) {
    throw MismatchError(what + ": " + std::to_string(outcome.count) + " bytes instead of " +
                        std::to_string(expected_.size()));
  }
  experiments::verify(bytes_of_part(*plan_, given_, stage::Role::output).first(expected_.size()), expected_,
                      what);
}

}  // namespace gsst::experiments
