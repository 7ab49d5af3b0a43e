#include "stages/suite/stage_case.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <ostream>
#include <stdexcept>
#include <string_view>

#include "common/simt/executor.hpp"
#include "common/stage/registry.hpp"
#include "common/stage/run_decode.hpp"
#include "stages/suite/test_sample.hpp"

namespace gsst::stage {
namespace {

constexpr const char* order_variable = "GSST_TEST_ORDER";

// Launches of a whole test program on the CPU executor get the order seed that `make check` gives it: of
// several orders one may show what another hides.
const simt::OrderSeed order_of_tests([] {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing changes the environment while tests run.
  const char* const text = std::getenv(order_variable);
  if (text == nullptr) return std::uint64_t{0};
  const std::string_view digits = text;
  std::uint64_t seed = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), seed);
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) {
    throw std::invalid_argument(std::string(order_variable) + " is '" + text + "', must be a number");
  }
  return seed;
}());

}  // namespace

void PrintTo(const StageCase& one, std::ostream* output) {
  *output << one.stage << " on " << executor_name(one.executor);
}

std::vector<StageCase> stage_cases(Operation operation) {
  std::vector<StageCase> cases;
  for (const RegisteredStage& stage : registered_stages(operation)) {
    for (const Executor executor : executors) {
      if (is_registered_for(stage, executor) && is_available(executor)) {
        cases.push_back({.stage = stage.description.id, .executor = executor});
      }
    }
  }
  return cases;
}

std::vector<StageCase> stage_cases(Operation operation, format::BlockFormat format) {
  std::vector<StageCase> cases = stage_cases(operation);
  std::erase_if(cases, [&](const StageCase& one) {
    return !handles_format(*find_stage(one.stage, operation), format);
  });
  return cases;
}

std::string case_name(const testing::TestParamInfo<StageCase>& parameter) {
  std::string name = parameter.param.stage + "_" + std::string(executor_name(parameter.param.executor));
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

std::vector<StageCase> in_host_memory(std::vector<StageCase> cases) {
  std::erase_if(cases, [](const StageCase& one) { return one.executor == Executor::gpu; });
  return cases;
}

std::vector<ParameterValues> steps_of(const Description& stage) {
  for (const Parameter& parameter : stage.parameters) {
    if (parameter.name != "step") continue;
    std::vector<ParameterValues> steps;
    for (const std::int64_t value : parameter.values) steps.push_back({{"step", value}});
    return steps;
  }
  return {{}};
}

std::string names_and_values(const ParameterValues& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) {
    text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(value);
  }
  return text.empty() ? "defaults" : text;
}

void shorten_where_slow(Executor executor, std::vector<std::uint8_t>& input, std::size_t bytes) {
  const bool is_slow = executor == Executor::simt || !test::test_sample().is_whole();
  if (is_slow) input.resize(std::min(input.size(), bytes));
}

}  // namespace gsst::stage
