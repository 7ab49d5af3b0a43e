#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "common/format/codag/codag.hpp"
#include "common/format/codag/status.hpp"
#include "examples/new_codec.hpp"
#include "stages/codag/chunks/chunk_memory.hpp"

// The codec of examples/new_codec.cu, against an encoder that is here alone.
namespace gsst::codag::chunks {
namespace {

using format::codag::Problem;
using NewCodecValues = std::vector<std::uint64_t>;

constexpr std::uint64_t seed_of_new_codec = 24;

ChunkBytes encoded_deltas(const NewCodecValues& values) {
  ChunkBytes bytes;
  std::uint64_t before = 0;
  for (const std::uint64_t value : values) {
    const std::uint64_t delta = value - before;
    std::uint64_t code = (delta << 1) ^ (delta >> 63 != 0 ? ~std::uint64_t{0} : 0);
    for (; code >= 0x80; code >>= 7) bytes.push_back(static_cast<std::uint8_t>(code | 0x80));
    bytes.push_back(static_cast<std::uint8_t>(code));
    before = value;
  }
  return bytes;
}

struct RunOfNewCodec {
  NewCodecValues values;
  std::uint32_t status;
};

class NewCodecExample : public testing::TestWithParam<stage::Executor> {
protected:
  // Decodes `stream` as the second of three chunks, the others being of no bytes.
  static RunOfNewCodec run(const ChunkBytes& stream, std::size_t values, std::size_t address = 0) {
    const stage::Executor executor = GetParam();
    const std::size_t output_bytes = values * sizeof(std::uint64_t);
    const std::vector<ChunkPlace> places = {{},
                                            {.input_offset = 0,
                                             .output_offset = 0,
                                             .input_bytes = static_cast<std::uint32_t>(stream.size()),
                                             .output_bytes = static_cast<std::uint32_t>(output_bytes)},
                                            {}};
    GuardedChunkMemory input(executor, stream, address);
    GuardedChunkMemory given_places(executor, bytes_of_values(std::span(places)));
    GuardedChunkMemory output(executor, output_bytes, address);
    GuardedChunkMemory status(executor, places.size() * sizeof(std::uint32_t));
    NewCodecOn::get(executor).enqueue({.input = input.data(),
                                       .input_bytes = stream.size(),
                                       .chunks = reinterpret_cast<const ChunkPlace*>(given_places.data()),
                                       .chunk_count = static_cast<std::uint32_t>(places.size()),
                                       .output = output.data(),
                                       .output_bytes = output_bytes,
                                       .value_bytes = 8,
                                       .is_signed = false,
                                       .may_have_less = false,
                                       .written = nullptr,
                                       .status = reinterpret_cast<std::uint32_t*>(status.data())},
                                      nullptr);
    stage::wait_for(executor);
    EXPECT_TRUE(output.is_intact() && status.is_intact());
    RunOfNewCodec found = {.values = NewCodecValues(values), .status = 0};
    const ChunkBytes bytes = output.read();
    if (!bytes.empty()) std::memcpy(found.values.data(), bytes.data(), bytes.size());
    const ChunkBytes words = status.read();
    std::memcpy(&found.status, words.data() + sizeof(std::uint32_t), sizeof(std::uint32_t));
    return found;
  }
  static std::uint32_t status_of_run(const ChunkBytes& stream, std::size_t values) {
    return run(stream, values).status;
  }
};

TEST_P(NewCodecExample, ValuesComeBackAtEveryAddress) {
  std::mt19937_64 random(seed_of_new_codec);
  for (const std::size_t count : {0U, 1U, 2U, 31U, 32U, 33U, 127U, 128U, 129U, 1000U}) {
    NewCodecValues values(count);
    for (std::uint64_t& value : values) value = random() >> random() % 64;
    const ChunkBytes stream = encoded_deltas(values);
    for (const std::size_t address : {0U, 1U, 7U}) {
      SCOPED_TRACE("seed " + std::to_string(seed_of_new_codec) + ", values " + std::to_string(count));
      const RunOfNewCodec found = run(stream, count, address);
      EXPECT_EQ(found.status, 0U);
      EXPECT_TRUE(found.values == values);
    }
  }
}

TEST_P(NewCodecExample, DifferencesWrapFromTheLeastNumberToTheLargest) {
  const NewCodecValues values = {std::uint64_t{1} << 63, (std::uint64_t{1} << 63) - 1, 0,
                                 std::numeric_limits<std::uint64_t>::max()};
  const RunOfNewCodec found = run(encoded_deltas(values), values.size());
  EXPECT_EQ(found.status, 0U);
  EXPECT_TRUE(found.values == values);
}

TEST_P(NewCodecExample, DamageIsReportedWithItsByte) {
  using format::codag::status_of;
  const ChunkBytes stream = encoded_deltas({300, 5, 1000000});
  EXPECT_EQ(status_of_run(stream, 3), 0U);
  for (std::size_t size = 0; size < stream.size(); ++size) {
    const ChunkBytes cut(stream.begin(), stream.begin() + static_cast<std::ptrdiff_t>(size));
    // The numbers have 2, 2 and 3 bytes.
    const bool is_between = size == 0 || size == 2 || size == 4;
    EXPECT_EQ(status_of_run(cut, 3), status_of(is_between ? Problem::too_few_values : Problem::cut_run, size))
        << size;
  }
  EXPECT_EQ(status_of_run(stream, 2), status_of(Problem::bytes_left, 4));
  ChunkBytes longest(9, 0xff);
  longest.push_back(1);
  EXPECT_EQ(status_of_run(longest, 1), 0U);
  longest.back() = 2;
  EXPECT_EQ(status_of_run(longest, 1), status_of(Problem::overlong_varint, 10));
}

INSTANTIATE_TEST_SUITE_P(OnExecutors, NewCodecExample, testing::ValuesIn(executors_of_chunks()),
                         [](const auto& run) { return std::string(stage::executor_name(run.param)); });

}  // namespace
}  // namespace gsst::codag::chunks
