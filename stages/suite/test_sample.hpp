#pragma once

#include <cstddef>
#include <string>

namespace gsst::test {

/// Which of many inputs of one kind a test takes: every `step`-th one from `first` on. A whole test takes
/// all. Under a tool of compute-sanitizer a launch takes hundreds of times as long, so that
/// experiments/verify_on_gpu.py gives each tool another part, in the environment variable GSST_TEST_SAMPLE:
/// `2/5` is the second part of five. Tests with one large input take a smaller one then.
struct TestSample {
  /// Less than `step`.
  std::size_t first = 0;
  /// At least 1.
  std::size_t step = 1;

  bool is_whole() const { return step == 1; }
  /// Whether the input number `index`, counted from 0, is one of the part's.
  bool has(std::size_t index) const { return index % step == first; }
  /// The size of a large input: `whole`, or `part` where this is not the whole test.
  std::size_t size(std::size_t whole, std::size_t part) const { return is_whole() ? whole : part; }
};

/// Reads `K/N`, the K-th of N parts, both from 1 to 999. Throws std::invalid_argument, which names the
/// environment variable, for anything else.
TestSample parse_test_sample(const std::string& text);

/// What GSST_TEST_SAMPLE says; the whole test where it is not set. Throws as parse_test_sample() does.
TestSample test_sample();

}  // namespace gsst::test
