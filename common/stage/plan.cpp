#include "common/stage/plan.hpp"

#include <algorithm>
#include <stdexcept>

#include "common/format/error.hpp"

namespace gsst::stage {
namespace {

void check_part(const Part& part, const Given& given) {
  const std::string name = "memory for '" + std::string(part.name) + "'";
  if (given.bytes < part.bytes) {
    throw std::invalid_argument(name + ": " + std::to_string(given.bytes) + " bytes are given, " +
                                std::to_string(part.bytes) + " are needed");
  }
  if (given.data == nullptr && part.bytes != 0) throw std::invalid_argument(name + ": nullptr is given");
  if (reinterpret_cast<std::uintptr_t>(given.data) % part.alignment != 0) {
    throw std::invalid_argument(name + ": the address is not a multiple of " +
                                std::to_string(part.alignment));
  }
}

}  // namespace

void Plan::prepare(std::span<const Given> /*given*/, Stream /*stream*/) const {}

std::uint64_t bytes_of(const Plan& plan, Role role) {
  const std::span<const Part> parts = plan.parts();
  const auto found = std::ranges::find(parts, role, &Part::role);
  return found == parts.end() ? 0 : found->bytes;
}

void check_given(std::span<const Part> parts, std::span<const Given> given) {
  if (given.size() != parts.size()) {
    throw std::invalid_argument("memory for " + std::to_string(given.size()) + " parts is given, there are " +
                                std::to_string(parts.size()));
  }
  for (std::size_t i = 0; i < parts.size(); ++i) check_part(parts[i], given[i]);
}

void enqueue_all(const Plan& plan, std::span<const Given> given, Stream stream) {
  check_given(plan.parts(), given);
  for (std::size_t phase = 0; phase < plan.phases().size(); ++phase) plan.enqueue(given, stream, phase);
}

void throw_problem(const Outcome& outcome) {
  if (!outcome.problem) return;
  throw format::FormatError(outcome.problem->item, outcome.problem->field, outcome.problem->description);
}

}  // namespace gsst::stage
