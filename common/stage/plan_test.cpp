#include "common/stage/plan.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/error.hpp"

namespace gsst::stage {
namespace {

constexpr std::array test_parts = {
    Part{.name = "text", .role = Role::input, .bytes = 5, .alignment = 1},
    Part{.name = "words", .role = Role::output, .bytes = 8, .alignment = 8},
    Part{.name = "nothing", .role = Role::scratch, .bytes = 0, .alignment = 8},
};
constexpr std::array test_phases = {Phase{.name = "first"}, Phase{.name = "second"}};

// Writes down its phases.
class LoggedPlan : public Plan {
public:
  std::span<const Part> parts() const override { return test_parts; }
  std::span<const Phase> phases() const override { return test_phases; }
  void enqueue(std::span<const Given> given, Stream /*stream*/, std::size_t phase) const override {
    static_cast<char*>(given[1].data)[phase] = static_cast<const char*>(given[0].data)[phase];
  }
  Outcome check(std::span<const std::byte> /*status*/, std::span<const std::byte> /*result*/,
                std::uint64_t first) const override {
    return {.problem = Problem{.item = first + 2, .field = "words", .description = "are wrong"}};
  }
};

// Memory that fits.
struct Memory {
  std::array<char, 5> text = {'a', 'b', 'c', 'd', 'e'};
  alignas(8) std::array<char, 16> words = {};

  std::vector<Given> given() {
    return {to_read(text.data(), text.size()), {.data = words.data(), .bytes = 8}, {}};
  }
};

std::string refusal_of(const std::vector<Given>& given) {
  try {
    check_given(test_parts, given);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Plan, TakesMemoryThatFits) {
  Memory memory;
  std::vector<Given> given = memory.given();
  EXPECT_EQ(refusal_of(given), "");
  given[0].bytes = 6;
  EXPECT_EQ(refusal_of(given), "") << "more than is needed";
}

TEST(Plan, RefusesOtherMemoryNamingThePart) {
  Memory memory;
  std::vector<Given> given = memory.given();
  given[0].bytes = 4;
  EXPECT_EQ(refusal_of(given), "memory for 'text': 4 bytes are given, 5 are needed");
  given = memory.given();
  given[0].data = nullptr;
  EXPECT_EQ(refusal_of(given), "memory for 'text': nullptr is given");
  given = memory.given();
  given[1].data = memory.words.data() + 4;
  EXPECT_EQ(refusal_of(given), "memory for 'words': the address is not a multiple of 8");
  given = memory.given();
  given.pop_back();
  EXPECT_EQ(refusal_of(given), "memory for 2 parts is given, there are 3");
}

TEST(Plan, EnqueuesAllPhasesInMemoryThatFitsOnly) {
  const LoggedPlan plan;
  Memory memory;
  enqueue_all(plan, memory.given(), nullptr);
  EXPECT_EQ(std::string(memory.words.data()), "ab");
  std::vector<Given> given = memory.given();
  given[1].bytes = 7;
  memory.words = {};
  EXPECT_THROW(enqueue_all(plan, given, nullptr), std::invalid_argument);
  EXPECT_EQ(std::string(memory.words.data()), "");
}

TEST(Plan, SaysTheBytesOfARole) {
  const LoggedPlan plan;
  EXPECT_EQ(bytes_of(plan, Role::output), 8u);
  EXPECT_EQ(bytes_of(plan, Role::status), 0u);
}

TEST(Plan, ItsProblemIsAnErrorOfTheItem) {
  const LoggedPlan plan;
  EXPECT_NO_THROW(throw_problem({}));
  try {
    throw_problem(plan.check({}, {}, 40));
    FAIL() << "no problem";
  } catch (const format::FormatError& error) {
    EXPECT_EQ(error.block(), 42u);
    EXPECT_EQ(error.field(), "words");
  }
}

}  // namespace
}  // namespace gsst::stage
