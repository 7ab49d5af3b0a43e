#include "experiments/measure_allocation/timed_encoding.hpp"

#include <gtest/gtest.h>

#include <cstdint>
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

// Of 30 bytes three blocks.
const stage::EncodeSettings logged_settings = {.input_bytes = 30, .block_bytes = 10, .split_count = 1};

stage::Encoder logged_encoder() {
  stage::Encoder encoder{};
  encoder.space = [](const stage::EncodeSettings& settings) {
    return stage::EncodeSpace{.output_bytes = 2 * settings.input_bytes, .scratch_bytes = 7};
  };
  encoder.train = [](const stage::EncodeRequest& request) {
    logged_calls().push_back("train on " + std::to_string(*request.input));
  };
  encoder.phases = {
      {"first", [](const stage::EncodeRequest& /*request*/) { logged_calls().emplace_back("first"); }},
      {"second", [](const stage::EncodeRequest& request) {
         *request.output = *request.input;
         logged_calls().emplace_back("second");
       }}};
  return encoder;
}

const std::vector<std::string> logged_encoding = {"train on 42", "first", "second", "wait"};

void log_wait() {
  logged_calls().emplace_back("wait");
}

TEST(TimedEncoding, AllocatesAllThatItNeedsAndFreesIt) {
  logged_calls().clear();
  const std::uint8_t input = 42;
  EXPECT_GE(seconds_with_allocations<LoggedBuffer>(logged_encoder(), logged_settings, &input, log_wait), 0);
  std::vector<std::string> expected = {"allocate 60", "allocate 7", "allocate 12", "allocate 8"};
  expected.insert(expected.end(), logged_encoding.begin(), logged_encoding.end());
  for (const char* const freed : {"free 8", "free 12", "free 7", "free 60"}) expected.emplace_back(freed);
  EXPECT_EQ(logged_calls(), expected);
}

TEST(TimedEncoding, AllocatesNothingWhereMemoryIsThere) {
  const std::uint8_t input = 42;
  EncodingMemory<LoggedBuffer> memory(logged_encoder(), logged_settings);
  const stage::EncodeRequest request = memory.request(logged_settings, &input);
  logged_calls().clear();
  EXPECT_GE(seconds_without_allocations(logged_encoder(), request, log_wait), 0);
  EXPECT_EQ(logged_calls(), logged_encoding);
  EXPECT_EQ(*memory.output().data(), 42);
}

}  // namespace
}  // namespace gsst::experiments
