#include "stages/suite/test_sample.hpp"

#include <charconv>
#include <cstdlib>
#include <stdexcept>

namespace gsst::test {
namespace {

constexpr const char* variable = "GSST_TEST_SAMPLE";
constexpr std::size_t most_parts = 999;

// The number that `text` is, or 0.
std::size_t to_number(const std::string& text) {
  std::size_t number = 0;
  const char* const end = text.data() + text.size();
  const std::from_chars_result read = std::from_chars(text.data(), end, number);
  return read.ec == std::errc() && read.ptr == end ? number : 0;
}

}  // namespace

TestSample parse_test_sample(const std::string& text) {
  const std::size_t slash = text.find('/');
  const std::size_t part = to_number(text.substr(0, slash));
  const std::size_t parts = slash == std::string::npos ? 0 : to_number(text.substr(slash + 1));
  if (part == 0 || part > parts || parts > most_parts) {
    throw std::invalid_argument(std::string(variable) + " is '" + text +
                                "', must be a part and their number, such as 2/5, up to " +
                                std::to_string(most_parts));
  }
  return {.first = part - 1, .step = parts};
}

TestSample test_sample() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing changes the environment while tests run.
  const char* const text = std::getenv(variable);
  return text == nullptr ? TestSample() : parse_test_sample(text);
}

}  // namespace gsst::test
