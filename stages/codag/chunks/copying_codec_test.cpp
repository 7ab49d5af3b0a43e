#include "stages/codag/chunks/copying_codec.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <string>

#include "common/format/codag/status.hpp"
#include "stages/codag/chunks/chunk_memory.hpp"

// What surrounds a codec over the two streams, with one that copies earlier bytes and finds few mistakes.
namespace gsst::codag::chunks {
namespace {

using format::codag::Problem;
using format::codag::status_of;

constexpr std::uint64_t seed_of_copies = 26;

class CodecOfCopies : public testing::TestWithParam<stage::Executor> {
protected:
  // The word of the one chunk; its bytes if that is 0.
  static std::uint32_t run(const ChunkBytes& stream, std::size_t size, ChunkBytes* bytes = nullptr) {
    const stage::Executor executor = GetParam();
    const ChunkPlace place = {.input_offset = 0,
                              .output_offset = 0,
                              .input_bytes = static_cast<std::uint32_t>(stream.size()),
                              .output_bytes = static_cast<std::uint32_t>(size)};
    GuardedChunkMemory input(executor, stream, 3);
    GuardedChunkMemory places(executor, bytes_of_values(std::span(&place, 1)));
    GuardedChunkMemory output(executor, size, 1);
    GuardedChunkMemory written(executor, sizeof(std::uint32_t));
    GuardedChunkMemory status(executor, sizeof(std::uint32_t));
    // What the codec says of itself takes the place of what the job says.
    CopyingCodecOn::get(executor).enqueue({.input = input.data(),
                                           .input_bytes = stream.size(),
                                           .chunks = reinterpret_cast<const ChunkPlace*>(places.data()),
                                           .chunk_count = 1,
                                           .output = output.data(),
                                           .output_bytes = size,
                                           .value_bytes = 8,
                                           .is_signed = false,
                                           .may_have_less = true,
                                           .written = reinterpret_cast<std::uint32_t*>(written.data()),
                                           .status = reinterpret_cast<std::uint32_t*>(status.data())},
                                          nullptr);
    stage::wait_for(executor);
    EXPECT_TRUE(output.is_intact() && written.is_intact() && status.is_intact());
    std::uint32_t word = 0;
    std::memcpy(&word, status.read().data(), sizeof(word));
    std::uint32_t count = 0;
    std::memcpy(&count, written.read().data(), sizeof(count));
    EXPECT_EQ(count, word == 0 ? size : 0);
    if (bytes != nullptr) *bytes = output.read();
    return word;
  }
};

TEST_P(CodecOfCopies, BytesAndCopiesComeBack) {
  std::mt19937_64 random(seed_of_copies);
  for (int round = 0; round < 20; ++round) {
    SCOPED_TRACE("seed " + std::to_string(seed_of_copies) + ", round " + std::to_string(round));
    ChunkBytes stream;
    ChunkBytes expected;
    for (int i = 0; i < 200; ++i) {
      if (expected.empty() || random() % 2 == 0) {
        stream.push_back(static_cast<std::uint8_t>(random() % 128));
        expected.push_back(stream.back());
        continue;
      }
      const std::size_t most = expected.size() < 255 ? expected.size() : 255;
      const std::size_t offset = 1 + random() % most;
      const std::size_t count = 1 + random() % 128;
      stream.push_back(static_cast<std::uint8_t>(127 + count));
      stream.push_back(static_cast<std::uint8_t>(offset));
      for (std::size_t k = 0; k < count; ++k) expected.push_back(expected[expected.size() - offset]);
    }
    ChunkBytes found;
    EXPECT_EQ(run(stream, expected.size(), &found), 0U);
    EXPECT_TRUE(found == expected);
  }
}

TEST_P(CodecOfCopies, WhatACodecDoesNotFindIsFoundAround) {
  EXPECT_EQ(run({1, 2, 3}, 3), 0U);
  EXPECT_EQ(run({1, 2, 3}, 4), status_of(Problem::too_few_values, 3));
  EXPECT_EQ(run({1, 2, 3}, 2), status_of(Problem::bytes_left, 2));
  EXPECT_EQ(run({}, 2), status_of(Problem::too_few_values, 0));
  // The offset of a copy is missing.
  EXPECT_EQ(run({1, 128}, 2), status_of(Problem::cut_run, 3));
  EXPECT_EQ(run({1, 128, 2}, 2), status_of(Problem::patch_out_of_range, 3));
  EXPECT_EQ(run({1, 130, 1}, 2), status_of(Problem::too_many_values, 3));
}

INSTANTIATE_TEST_SUITE_P(OnExecutors, CodecOfCopies, testing::ValuesIn(executors_of_chunks()),
                         [](const auto& run) { return std::string(stage::executor_name(run.param)); });

}  // namespace
}  // namespace gsst::codag::chunks
