#include "stages/codag/gzip/checksum_plan.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/format/block_status.hpp"
#include "common/frame/frame_fields.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/codag/gzip/checksum_check.hpp"

namespace gsst::codag::gzip {
namespace {

using stage::Given;

constexpr auto wrong_checksum = static_cast<std::uint32_t>(format::BlockStatus::wrong_checksum);

std::uint32_t checksum_by_zlib(StreamChecksum checksum, std::span<const std::uint8_t> bytes) {
  // Both begin with what no bytes have.
  return static_cast<std::uint32_t>(checksum == StreamChecksum::crc32
                                        ? crc32_z(0, bytes.data(), bytes.size())
                                        : adler32_z(1, bytes.data(), bytes.size()));
}

// Blocks of these sizes, at `skew` bytes after an address that is a multiple of 8.
struct CheckedBlocks {
  CheckedBlocks(StreamChecksum of_blocks, const std::vector<std::uint32_t>& block_bytes, std::size_t skew,
                std::optional<std::uint8_t> value = std::nullopt)
      : checksum(of_blocks),
        sizes(block_bytes),
        status(sizes.size()),
        index(sizes.size() * format::index_entry_bytes) {
    std::size_t bytes = 0;
    for (const std::uint32_t size : sizes) bytes += size;
    memory = value ? std::vector<std::uint8_t>(bytes + skew, *value)
                   : reference::test::make_random(bytes + skew, 7);
    output = std::span(memory).subspan(skew);
    std::size_t begin = 0;
    for (std::size_t block = 0; block < sizes.size(); ++block) {
      starts.push_back(begin);
      store_checksum(block, checksum_by_zlib(checksum, output.subspan(begin, sizes[block])));
      begin += sizes[block];
    }
  }

  void store_checksum(std::size_t block, std::uint32_t stored) {
    format::write_index_entry(index.data() + block * format::index_entry_bytes,
                              {.payload_offset = 0,
                               .uncompressed_offset = starts[block],
                               .record = {.layout = format::BlockLayout::raw,
                                          .payload_bytes = 0,
                                          .uncompressed_bytes = sizes[block],
                                          .checksum = stored}});
  }

  stage::Outcome check() {
    const auto plan = make_checksum_plan(checksum, stage::Executor::simt, sizes);
    std::vector<std::uint32_t> state(bytes_of(*plan, stage::Role::state) / 4);
    std::vector<std::uint32_t> scratch(bytes_of(*plan, stage::Role::scratch) / 4, 0xcdcdcdcd);
    const auto words = [](std::vector<std::uint32_t>& values) {
      return Given{.data = values.data(), .bytes = values.size() * sizeof(std::uint32_t)};
    };
    const std::vector<Given> given = {stage::to_read(output.data(), output.size()), words(state),
                                      words(scratch), words(status),
                                      stage::to_read(index.data(), index.size())};
    plan->prepare(given, nullptr);
    enqueue_all(*plan, given, nullptr);
    return plan->check(std::as_bytes(std::span(status)), {}, 100);
  }

  StreamChecksum checksum;
  std::vector<std::uint32_t> sizes;
  std::vector<std::uint32_t> status;
  std::vector<std::uint8_t> index;
  std::vector<std::uint8_t> memory;
  std::span<std::uint8_t> output;
  std::vector<std::size_t> starts;
};

// Around words, rows and pieces.
const std::vector<std::uint32_t> border_sizes = {0,    1,    3,    4,     5,     124,   127,   128,   129, 0,
                                                 1023, 1024, 1025, 32767, 32768, 32769, 65536, 70000, 2,   0};

class ChecksumOfBlocks : public testing::TestWithParam<StreamChecksum> {};

TEST_P(ChecksumOfBlocks, IsZlibsForAllSizesAndAddresses) {
  for (const std::size_t skew : {0U, 1U, 2U, 3U}) {
    CheckedBlocks blocks(GetParam(), border_sizes, skew);
    const stage::Outcome outcome = blocks.check();
    EXPECT_TRUE(outcome.is_complete) << "skew " << skew << ", block " << outcome.problem->item;
    EXPECT_EQ(outcome.count, blocks.output.size());
  }
}

// The largest sums: each of a lane is near its bound.
TEST_P(ChecksumOfBlocks, IsZlibsForTheLargestBytes) {
  CheckedBlocks blocks(GetParam(), {1, 65521, 32768, 1'200'001}, 3, std::uint8_t{0xff});
  EXPECT_TRUE(blocks.check().is_complete);
}

TEST_P(ChecksumOfBlocks, FindsEveryBlockThatIsNotAsStored) {
  CheckedBlocks blocks(GetParam(), border_sizes, 1);
  // First and last byte of a block, first of a piece, and numbers for blocks without bytes.
  blocks.output[blocks.starts[4]] ^= 1;
  blocks.output[blocks.starts[8] + 128] ^= 128;
  blocks.output[blocks.starts[17] + checksum_piece_bytes] ^= 1;
  blocks.store_checksum(9, 2);
  blocks.store_checksum(19, 0x80000000);
  const stage::Outcome outcome = blocks.check();
  EXPECT_FALSE(outcome.is_complete);
  ASSERT_TRUE(outcome.problem);
  EXPECT_EQ(outcome.problem->item, 104U);
  EXPECT_EQ(outcome.problem->field, "checksum");
  for (std::size_t block = 0; block < blocks.sizes.size(); ++block) {
    const bool is_wrong = block == 4 || block == 8 || block == 9 || block == 17 || block == 19;
    EXPECT_EQ(blocks.status[block], is_wrong ? wrong_checksum : 0) << "block " << block;
  }
}

TEST_P(ChecksumOfBlocks, LeavesWhatTheDecoderSays) {
  CheckedBlocks blocks(GetParam(), {40'000, 100, 100}, 0);
  blocks.output[0] ^= 1;
  blocks.output[40'000] ^= 1;
  blocks.status = {3, 0, 7};
  blocks.check();
  EXPECT_EQ(blocks.status, (std::vector<std::uint32_t>{3, wrong_checksum, 7}));
}

TEST_P(ChecksumOfBlocks, OfNoBlocksDoesNothing) {
  CheckedBlocks blocks(GetParam(), {}, 0);
  EXPECT_TRUE(blocks.check().is_complete);
}

INSTANTIATE_TEST_SUITE_P(All, ChecksumOfBlocks,
                         testing::Values(StreamChecksum::crc32, StreamChecksum::adler32),
                         [](const auto& checksum) {
                           return checksum.param == StreamChecksum::crc32 ? "Crc32" : "Adler32";
                         });

}  // namespace
}  // namespace gsst::codag::gzip
