#include "common/pipeline/read_ahead.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace gsst::pipeline {
namespace {

using Bytes = std::vector<std::uint8_t>;

TEST(ReadAhead, GivesTheWholeInputOnceWhateverWasReadAhead) {
  Bytes input(10);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<std::uint8_t>(i);
  for (const std::size_t ahead : {0u, 1u, 4u, 9u, 10u, 11u}) {
    std::size_t position = 0;
    std::size_t short_reads = 0;
    const format::ReadFunction read = [&](std::span<std::uint8_t> buffer) {
      const std::size_t count = std::min(buffer.size(), input.size() - position);
      std::copy_n(input.begin() + static_cast<std::ptrdiff_t>(position), count, buffer.begin());
      position += count;
      if (count < buffer.size()) ++short_reads;
      return count;
    };
    ReadAhead reader(read, ahead);
    EXPECT_EQ(reader.start().size(), std::min(ahead, input.size()));
    EXPECT_EQ(reader.is_whole(), ahead > input.size());
    Bytes taken;
    Bytes buffer(3);
    std::size_t count = 0;
    do {
      count = reader.read(buffer);
      taken.insert(taken.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(count));
    } while (count == buffer.size());
    EXPECT_EQ(taken, input) << ahead;
    EXPECT_EQ(short_reads, 1U) << "the end is met once, " << ahead;
  }
}

}  // namespace
}  // namespace gsst::pipeline
