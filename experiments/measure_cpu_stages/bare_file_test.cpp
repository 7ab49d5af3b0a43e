#include "experiments/measure_cpu_stages/bare_file.hpp"

#include <gtest/gtest.h>

#include "common/format/zero_length/zero_length.hpp"
#include "common/frame/index_entry.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/points.hpp"

namespace gsst::experiments {
namespace {

using Bytes = std::vector<std::uint8_t>;

TEST(MeasureBareFile, BlocksAreFoundWithTheirSizes) {
  // Five zeros, of which the first block has four; 0xFF; another byte.
  const Bytes input = {0, 0, 0, 0, 0, 255, 7};
  const Bytes file = make_frame({.format = format::zero_length::bare_format, .block_bytes = 4}, input);
  const BareFile read = read_bare_file(file, 4, input.size());
  EXPECT_EQ(read.subject.frame.block_count, 2);
  EXPECT_EQ(read.subject.frame.uncompressed_bytes, 7);
  EXPECT_FALSE(read.subject.frame.has_raw_blocks);
  const format::IndexEntryFields first(read.index.data());
  const format::IndexEntryFields second(read.index.data() + format::index_entry_bytes);
  EXPECT_EQ(first.payload_offset(), 16);
  EXPECT_EQ(first.payload_bytes(), 2);
  EXPECT_EQ(first.uncompressed_bytes(), 4);
  EXPECT_EQ(second.payload_offset(), 16 + 2 + 16);
  EXPECT_EQ(second.uncompressed_offset(), 4);
  EXPECT_EQ(second.payload_bytes(), 1 + 2 + 1);
  EXPECT_EQ(second.uncompressed_bytes(), 3);
  EXPECT_EQ(second.layout(), format::zero_length::elements_layout);
}

TEST(MeasureBareFile, AnotherChainOfBlocksIsRefused) {
  const Bytes input(10, 3);
  Bytes file = make_frame({.format = format::zero_length::bare_format, .block_bytes = 4}, input);
  EXPECT_THROW(read_bare_file(file, 2, input.size()), MismatchError);
  EXPECT_THROW(read_bare_file(std::span(file).first(file.size() - 12), 4, input.size()), MismatchError);
  EXPECT_THROW(read_bare_file({}, 4, input.size()), MismatchError);
  file[8] = 1;
  EXPECT_THROW(read_bare_file(file, 4, input.size()), MismatchError);
}

}  // namespace
}  // namespace gsst::experiments
