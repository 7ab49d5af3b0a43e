#include "experiments/measure_allocation/timed_encoding.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

// An encoder that writes down what is called, in memory that does the same.
namespace gsst::experiments {
namespace {

std::vector<std::string>& logged_calls() {
  static std::vector<std::string> list;
  return list;
}

class LoggedBuffer {
public:
  explicit LoggedBuffer(std::size_t bytes) : bytes_(bytes) {
    logged_calls().push_back("allocate " + std::to_string(bytes));
  }
  ~LoggedBuffer() { logged_calls().push_back("free " + std::to_string(bytes_.size())); }
  LoggedBuffer(const LoggedBuffer&) = delete;
  LoggedBuffer& operator=(const LoggedBuffer&) = delete;

  std::uint8_t* data() { return bytes_.data(); }

private:
  std::vector<std::uint8_t> bytes_;
};

// Three blocks.
constexpr std::uint64_t logged_input_bytes = 30;

class LoggedPlan : public stage::Plan {
public:
  LoggedPlan()
      : parts_{
            {{.name = "input", .role = stage::Role::input, .bytes = logged_input_bytes, .alignment = 1},
             {.name = "output", .role = stage::Role::output, .bytes = 2 * logged_input_bytes, .alignment = 1},
             {.name = "tables", .role = stage::Role::state, .bytes = 7, .alignment = 1},
             {.name = "status", .role = stage::Role::status, .bytes = 12, .alignment = 1},
             {.name = "frame_bytes", .role = stage::Role::result, .bytes = 8, .alignment = 1}}} {}

  std::span<const stage::Part> parts() const override { return parts_; }
  std::span<const stage::Phase> phases() const override {
    static constexpr std::array phases = {stage::Phase{.name = "first"}, stage::Phase{.name = "second"}};
    return phases;
  }
  void prepare(std::span<const stage::Given> given, stage::Stream /*stream*/) const override {
    logged_calls().push_back("train on " + std::to_string(first_byte(given[0])));
  }
  void enqueue(std::span<const stage::Given> given, stage::Stream /*stream*/,
               std::size_t phase) const override {
    first_byte(given[1]) = first_byte(given[0]);
    logged_calls().emplace_back(phases()[phase].name);
  }
  stage::Outcome check(std::span<const std::byte> /*status*/, std::span<const std::byte> /*result*/,
                       std::uint64_t /*first*/) const override {
    return {};
  }

private:
  static std::uint8_t& first_byte(const stage::Given& given) {
    return *static_cast<std::uint8_t*>(given.data);
  }

  std::array<stage::Part, 5> parts_;
};

const std::vector<std::string> logged_encoding = {"train on 42", "first", "second", "wait"};

void log_wait() {
  logged_calls().emplace_back("wait");
}

TEST(TimedEncoding, AllocatesAllThatItNeedsAndFreesIt) {
  logged_calls().clear();
  const std::uint8_t input = 42;
  EXPECT_GE(
      seconds_with_allocations<LoggedBuffer>([] { return std::make_unique<LoggedPlan>(); }, &input, log_wait),
      0);
  std::vector<std::string> expected = {"allocate 60", "allocate 7", "allocate 12", "allocate 8"};
  expected.insert(expected.end(), logged_encoding.begin(), logged_encoding.end());
  for (const char* const freed : {"free 8", "free 12", "free 7", "free 60"}) expected.emplace_back(freed);
  EXPECT_EQ(logged_calls(), expected);
}

TEST(TimedEncoding, AllocatesNothingWhereMemoryIsThere) {
  const std::uint8_t input = 42;
  const LoggedPlan plan;
  EncodingMemory<LoggedBuffer> memory(plan);
  const std::array given = memory.given(plan, &input);
  logged_calls().clear();
  EXPECT_GE(seconds_without_allocations(plan, given, log_wait), 0);
  EXPECT_EQ(logged_calls(), logged_encoding);
  EXPECT_EQ(*memory.output().data(), 42);
}

}  // namespace
}  // namespace gsst::experiments
