#include "experiments/measure_cpu_stages/plan_execution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "common/format/error.hpp"
#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

using Bytes = std::vector<std::uint8_t>;

// What a made-up plan does wrong.
enum class Mistake { none, last_byte_unwritten, wrong_byte, past_the_end, too_few, problem };

// Copies its input, with a mistake.
class CopyPlan final : public stage::Plan {
public:
  CopyPlan(std::uint64_t bytes, Mistake mistake) : mistake_(mistake) {
    using stage::Role;
    parts_ = {{{.name = "input", .role = Role::input, .bytes = bytes, .alignment = 1},
               {.name = "output", .role = Role::output, .bytes = bytes, .alignment = 1},
               {.name = "status", .role = Role::status, .bytes = 4, .alignment = 4}}};
  }

  std::span<const stage::Part> parts() const override { return parts_; }
  std::span<const stage::Phase> phases() const override {
    static constexpr std::array phases = {stage::Phase{.name = "copying"}};
    return phases;
  }
  void enqueue(std::span<const stage::Given> given, stage::Stream /*stream*/,
               std::size_t /*phase*/) const override {
    const auto* const from = static_cast<const std::uint8_t*>(given[0].data);
    auto* const to = static_cast<std::uint8_t*>(given[1].data);
    std::memcpy(to, from, parts_[1].bytes - (mistake_ == Mistake::last_byte_unwritten ? 1 : 0));
    if (mistake_ == Mistake::wrong_byte) to[7] ^= 1;
    if (mistake_ == Mistake::past_the_end) to[parts_[1].bytes] = 0;
  }
  stage::Outcome check(std::span<const std::byte> /*status*/, std::span<const std::byte> /*result*/,
                       std::uint64_t /*first*/) const override {
    stage::Outcome outcome{.count = parts_[1].bytes - (mistake_ == Mistake::too_few ? 1 : 0),
                           .is_complete = true};
    if (mistake_ == Mistake::problem) {
      outcome.problem = {.item = 3, .field = "elements", .description = "made up"};
    }
    return outcome;
  }

private:
  Mistake mistake_;
  std::array<stage::Part, 3> parts_{};
};

// What verify() says after a run; empty where nothing is wrong.
std::string message_of(Mistake mistake) {
  Bytes input(1000);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<std::uint8_t>(i * 7);
  PlanExecution execution(std::make_unique<CopyPlan>(input.size(), mistake),
                          std::vector<std::span<const std::uint8_t>>{input}, input);
  execution.poison();
  execution.run();
  try {
    execution.verify("made-up plan");
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

TEST(MeasurePlanExecution, WhatIsWrongIsFound) {
  EXPECT_EQ(message_of(Mistake::none), "");
  EXPECT_NE(message_of(Mistake::last_byte_unwritten).find("made-up plan: byte 999 of 1000"),
            std::string::npos);
  EXPECT_NE(message_of(Mistake::wrong_byte).find("byte 7 of 1000"), std::string::npos);
  EXPECT_NE(message_of(Mistake::past_the_end).find("a write past the memory"), std::string::npos);
  EXPECT_NE(message_of(Mistake::too_few).find("999 bytes instead of 1000"), std::string::npos);
  EXPECT_NE(message_of(Mistake::problem).find("made up"), std::string::npos);
}

TEST(MeasurePlanExecution, AnOutputThatIsTooSmallIsRefused) {
  const Bytes input(10);
  const Bytes expected(11);
  const std::vector<std::span<const std::uint8_t>> inputs = {input};
  EXPECT_THROW(PlanExecution(std::make_unique<CopyPlan>(10, Mistake::none), inputs, expected), MismatchError);
}

}  // namespace
}  // namespace gsst::experiments
