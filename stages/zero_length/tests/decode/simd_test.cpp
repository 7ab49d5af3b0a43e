#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/zero_length/zero_length.hpp"
#include "reference_cpu/zero_length/elements.hpp"
#include "stages/suite/test_sample.hpp"
#include "stages/zero_length/03_simd/instruction_sets.hpp"
#include "stages/zero_length/tests/inputs.hpp"

// The functions of each instruction set of this processor between pages that nobody may touch.
namespace gsst::zero_length {
namespace {

using format::zero_length::Status;
using simd::instruction_sets;
using simd::InstructionSet;
using test::Bytes;

// Memory between two pages whose accesses end the program.
class BetweenPages {
public:
  explicit BetweenPages(std::size_t most_bytes)
      : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
        inner_bytes_((most_bytes + page_ - 1) / page_ * page_),
        memory_(mmap(nullptr, inner_bytes_ + 2 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (memory_ == MAP_FAILED || mprotect(first(), inner_bytes_, PROT_READ | PROT_WRITE) != 0) {
      throw std::runtime_error("no pages for a test");
    }
  }
  BetweenPages(const BetweenPages&) = delete;
  BetweenPages& operator=(const BetweenPages&) = delete;
  ~BetweenPages() { munmap(memory_, inner_bytes_ + 2 * page_); }

  // The last `bytes` bytes, or the first.
  std::span<std::uint8_t> take(std::size_t bytes, bool at_end) {
    if (bytes > inner_bytes_) throw std::length_error("too few pages for a test");
    return {first() + (at_end ? inner_bytes_ - bytes : 0), bytes};
  }

private:
  std::uint8_t* first() { return static_cast<std::uint8_t*>(memory_) + page_; }

  std::size_t page_;
  std::size_t inner_bytes_;
  void* memory_;
};

class ZeroLengthSimdTest : public testing::TestWithParam<InstructionSet> {
protected:
  std::span<const std::uint8_t> given(const Bytes& bytes, bool at_end) {
    const std::span<std::uint8_t> place = input_.take(bytes.size(), at_end);
    std::copy(bytes.begin(), bytes.end(), place.begin());
    return place;
  }

  Bytes encode(const Bytes& block, bool at_end) {
    const std::span<std::uint8_t> elements =
        output_.take(format::zero_length::max_elements_bytes(block.size()), at_end);
    std::ranges::fill(elements, std::uint8_t{0xb7});
    const std::size_t bytes = GetParam().encode(given(block, at_end), elements);
    return {elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(bytes)};
  }

  struct Decoded {
    Status status;
    Bytes bytes;
  };

  Decoded decode(const Bytes& elements, std::size_t output_bytes, bool at_end) {
    const std::span<const std::uint8_t> payload = given(elements, at_end);
    const std::span<std::uint8_t> output = output_.take(output_bytes, at_end);
    std::ranges::fill(output, std::uint8_t{0xb7});
    const Status status = GetParam().decode(payload.data(), payload.size(), output.data(), output.size());
    return {status, {output.begin(), output.end()}};
  }

  void expect_right(const Bytes& block) {
    const Bytes elements = test::elements_by_whole_runs(block);
    for (const bool at_end : {true, false}) {
      ASSERT_TRUE(encode(block, at_end) == elements);
      const Decoded decoded = decode(elements, block.size(), at_end);
      ASSERT_EQ(decoded.status, Status::decoded);
      ASSERT_TRUE(decoded.bytes == block);
    }
  }

  // The oracle says what becomes of elements that may be anything.
  void expect_as_the_oracle(const Bytes& elements, std::size_t output_bytes) {
    reference::zero_length::DecodedElements expected =
        reference::zero_length::decode_elements(elements, output_bytes);
    if (expected.status == Status::decoded && expected.bytes.size() < output_bytes) {
      expected.status = Status::output_too_short;
    }
    for (const bool at_end : {true, false}) {
      const Decoded decoded = decode(elements, output_bytes, at_end);
      ASSERT_EQ(decoded.status, expected.status);
      ASSERT_TRUE(std::equal(expected.bytes.begin(), expected.bytes.end(), decoded.bytes.begin()));
    }
  }

private:
  BetweenPages input_{1 << 16};
  BetweenPages output_{1 << 16};
};

INSTANTIATE_TEST_SUITE_P(InstructionSets, ZeroLengthSimdTest,
                         testing::ValuesIn(instruction_sets().begin(), instruction_sets().end()),
                         [](const testing::TestParamInfo<InstructionSet>& set) {
                           return "vector_bytes_" + std::to_string(set.param.vector_bytes);
                         });

// With 200 bytes after the run it is inside of what vectors take, without it is at the end.
TEST_P(ZeroLengthSimdTest, EveryRunAtEveryOffset) {
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::size_t number = 0;
  for (std::size_t offset = 0; offset < test::offsets_tested; ++offset) {
    for (std::size_t run = 0; run <= test::longest_run_tested; ++run) {
      if (!sample.has(number++)) continue;
      SCOPED_TRACE(std::to_string(run) + " zeros at " + std::to_string(offset));
      Bytes block = test::run_at(offset, run);
      expect_right(block);
      block.resize(block.size() + 200, 0x43);
      expect_right(block);
      if (HasFatalFailure()) return;
    }
  }
}

// At the borders of what a step takes: 56 and 64 bytes.
TEST_P(ZeroLengthSimdTest, EveryShortStringAtBorders) {
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::size_t number = 0;
  for (const std::size_t before : {0U, 50U, 53U, 57U, 61U}) {
    test::for_each_short_string(before == 0 ? 8 : 6, [&](const Bytes& string) {
      if (HasFatalFailure() || !sample.has(number++)) return;
      Bytes block(before, 0x41);
      block.insert(block.end(), string.begin(), string.end());
      expect_right(block);
      block.resize(block.size() + 300, 0x43);
      expect_right(block);
    });
  }
}

TEST_P(ZeroLengthSimdTest, RandomMixesAndFloats) {
  const std::uint64_t first = test::first_seed();
  for (std::uint64_t seed = first; seed < first + 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_right(test::random_mix(seed * 97 % 9000, seed));
    for (const std::uint64_t marker_share : {0U, 1U, 20U, 200U}) {
      expect_right(test::random_floats(seed * 89 % 5000, seed, marker_share));
    }
    if (HasFatalFailure()) return;
  }
}

TEST_P(ZeroLengthSimdTest, AllBytesEqual) {
  for (std::size_t bytes = 0; bytes < 1000; ++bytes) {
    for (const std::uint8_t byte : Bytes({0x00, 0x01, 0xff})) expect_right(Bytes(bytes, byte));
  }
}

// Runs that no encoder writes: of each length, touching each other, cut at will.
TEST_P(ZeroLengthSimdTest, ElementsOfOtherEncoders) {
  const std::uint64_t first = test::first_seed();
  for (std::uint64_t seed = first; seed < first + 1000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const std::uint64_t kind = seed % 4;
    Bytes elements;
    std::size_t output_bytes = 0;
    while (elements.size() < 50 * (seed % 40)) {
      if (random() % (2 + 4 * (seed % 7)) != 0) {
        elements.push_back(static_cast<std::uint8_t>(random() % 255));
        ++output_bytes;
        continue;
      }
      const std::uint64_t length = kind == 0   ? random() % 253
                                   : kind == 1 ? random() % 2 * 4
                                   : kind == 2 ? random() % 8
                                               : 4;
      elements.push_back(0xff);
      elements.push_back(static_cast<std::uint8_t>(length));
      output_bytes += std::max<std::uint64_t>(length, 1);
    }
    if (output_bytes > 60'000) continue;
    expect_as_the_oracle(elements, output_bytes);
    // More room than there are bytes, and less.
    expect_as_the_oracle(elements, output_bytes + random() % 400);
    expect_as_the_oracle(elements, output_bytes - std::min<std::uint64_t>(output_bytes, random() % 400));
    if (HasFatalFailure()) return;
  }
}

TEST_P(ZeroLengthSimdTest, DamagedElements) {
  const std::uint64_t first = test::first_seed();
  const gsst::test::TestSample sample = gsst::test::test_sample();
  for (std::uint64_t seed = first; seed < first + 3000; ++seed) {
    if (!sample.has(seed - first)) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const Bytes block = test::random_floats(400 + seed * 61 % 2000, seed, seed % 3);
    Bytes elements = test::elements_by_whole_runs(block);
    constexpr std::uint8_t likely[] = {0xff, 0xfd, 0xfc, 0x04, 0x00, 0x41};
    for (std::uint64_t hits = random() % 4 + 1; hits != 0; --hits) {
      elements[random() % elements.size()] = likely[random() % std::size(likely)];
    }
    if (seed % 5 == 0) elements.resize(random() % elements.size());
    expect_as_the_oracle(elements, block.size());
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace gsst::zero_length
