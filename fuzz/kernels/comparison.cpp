#include "fuzz/kernels/comparison.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "fuzz/payload_mutator.hpp"

namespace gsst::fuzz {
namespace {

using Bytes = std::vector<std::uint8_t>;

// The first byte of [begin, end) that is not as it was; `end` if all are.
std::size_t first_change(const GuardedResult& result, std::size_t begin, std::size_t end) {
  const auto output = result.output.begin();
  const auto changed =
      std::mismatch(output + static_cast<std::ptrdiff_t>(begin), output + static_cast<std::ptrdiff_t>(end),
                    result.poison.begin() + static_cast<std::ptrdiff_t>(begin));
  return static_cast<std::size_t>(changed.first - output);
}

// Nothing if the block's status and output are what the oracle says.
std::string breach_of(const PayloadMutator& mutator, const std::optional<Bytes>& expected,
                      std::uint32_t status, std::span<const std::uint8_t> output) {
  if (status != 0 && !mutator.is_problem(status))
    return "its status is " + std::to_string(status) + ", which is none";
  if (expected.has_value() != (status == 0)) {
    return expected ? "refused with status " + std::to_string(status) + ", the oracle decodes it"
                    : "decoded, the oracle refuses it";
  }
  if (!expected) return "";
  const auto wrong = std::ranges::mismatch(*expected, output);
  if (wrong.in1 == expected->end()) return "";
  return "byte " + std::to_string(wrong.in1 - expected->begin()) + " of its output is " +
         std::to_string(*wrong.in2) + ", the oracle's " + std::to_string(*wrong.in1);
}

}  // namespace

std::vector<Finding> compare(const Expectation& expected, const GuardedResult& result, Outcomes& outcomes) {
  const PayloadMutator& mutator = mutator_of(expected.format);
  std::vector<Finding> findings;
  if (!result.changed_memory.empty()) {
    findings.push_back({.block = std::nullopt, .what = "changed: " + result.changed_memory});
  }
  if (const std::size_t changed = first_change(result, 0, result.block_begins.front());
      changed != result.block_begins.front()) {
    findings.push_back({.block = 0,
                        .what = "written " + std::to_string(result.block_begins.front() - changed) +
                                " bytes before the output"});
  }
  for (std::size_t block = 0; block < expected.outputs.size(); ++block) {
    const std::size_t begin = result.block_begins[block];
    const std::size_t size = expected.block_bytes[block];
    const std::size_t next =
        block + 1 < expected.outputs.size() ? result.block_begins[block + 1] : result.output.size();
    std::string breach = breach_of(mutator, expected.outputs[block], result.statuses[block],
                                   std::span(result.output).subspan(begin, size));
    if (const std::size_t changed = first_change(result, begin + size, next);
        breach.empty() && changed != next) {
      breach =
          "byte " + std::to_string(changed - begin) + " written, past its " + std::to_string(size) + " bytes";
    }
    if (!breach.empty()) {
      findings.push_back({.block = block, .what = std::move(breach)});
    } else {
      ++(expected.outputs[block] ? outcomes.decoded_alike : outcomes.refused_alike);
    }
  }
  return findings;
}

}  // namespace gsst::fuzz
