#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gsst/gpu_chunks.hpp"
#include "library/gpu_test_memory.hpp"

// gsst/gpu_chunks.hpp and, through it, gsst/gpu_chunks.h. What decodes is tested in
// stages/codag/chunks/chunk_plan_test.cpp, with and without a GPU.
namespace gsst::gpu {
namespace {

using namespace test;

// Chunks of one codec with their output.
struct ChunksToDecode {
  Bytes input;
  Bytes output;
  std::vector<Chunk> chunks;

  void add(std::initializer_list<unsigned> stream, const Bytes& decoded) {
    chunks.push_back({.input_offset = input.size(),
                      .output_offset = output.size(),
                      .input_bytes = static_cast<std::uint32_t>(stream.size()),
                      .output_bytes = static_cast<std::uint32_t>(decoded.size())});
    for (const unsigned byte : stream) input.push_back(static_cast<std::byte>(byte));
    output.insert(output.end(), decoded.begin(), decoded.end());
  }
};

struct CodecOfTest {
  ChunksOptions options;
  // Of 128 values, each of `value`.
  ChunksToDecode (*make)();
};

Bytes repeated(std::initializer_list<unsigned> value) {
  Bytes bytes;
  for (int i = 0; i < 128; ++i) {
    for (const unsigned byte : value) bytes.push_back(static_cast<std::byte>(byte));
  }
  return bytes;
}

const std::vector<CodecOfTest> codecs_of_test = {
    {{.codec = ChunkCodec::byte_rle},
     [] {
       ChunksToDecode made;
       for (unsigned i = 0; i < 1000; ++i) made.add({125, i % 256}, repeated({i % 256}));
       return made;
     }},
    {{.codec = ChunkCodec::rle_v1, .type = ChunkType::i16},
     [] {
       ChunksToDecode made;
       for (unsigned i = 0; i < 1000; ++i) made.add({125, 0, i % 64 * 2}, repeated({i % 64, 0}));
       return made;
     }},
    {{.codec = ChunkCodec::rle_v2, .type = ChunkType::u64},
     [] {
       ChunksToDecode made;
       // Delta runs of a constant: 128 values, unsigned, the difference a varint of 0.
       for (unsigned i = 0; i < 1000; ++i) {
         made.add({0xc0, 127, i % 128, 0}, repeated({i % 128, 0, 0, 0, 0, 0, 0, 0}));
       }
       return made;
     }},
    {{.codec = ChunkCodec::deflate},
     [] {
       ChunksToDecode made;
       // A stored block.
       for (unsigned i = 0; i < 1000; ++i) {
         made.add({1, 3, 0, 0xfc, 0xff, i % 256, 7, 8},
                  {static_cast<std::byte>(i % 256), std::byte{7}, std::byte{8}});
       }
       return made;
     }},
};

// What an execution works in.
struct ChunkArrays {
  explicit ChunkArrays(const ChunksSizes& sizes)
      : input(sizes.input_bytes),
        chunks(sizes.chunk_count),
        output(sizes.output_bytes),
        written(sizes.chunk_count),
        status(sizes.chunk_count) {}

  ChunksMemory memory() {
    return {.input = input.all(),
            .chunks = chunks.all(),
            .output = output.all(),
            .written = written.all(),
            .status = status.all()};
  }
  void write(const ChunksToDecode& given) {
    input.write(given.input);
    chunks.write(given.chunks);
    output.fill(0xb7);
    written.fill(0xb7);
    status.fill(0xb7);
  }
  bool is_intact() const {
    return input.is_intact() && chunks.is_intact() && output.is_intact() && written.is_intact() &&
           status.is_intact();
  }

  DeviceArray<std::byte> input;
  DeviceArray<Chunk> chunks;
  DeviceArray<std::byte> output;
  DeviceArray<std::uint32_t> written;
  DeviceArray<std::uint32_t> status;
};

void expect_decoded(const ChunkArrays& arrays, const ChunksToDecode& given) {
  EXPECT_EQ(value_of(check_chunk_status(arrays.status.read())), given.chunks.size());
  EXPECT_TRUE(arrays.output.read() == given.output);
  const std::vector<std::uint32_t> written = arrays.written.read();
  EXPECT_TRUE(std::ranges::equal(written, given.chunks, {}, {}, &Chunk::output_bytes));
  EXPECT_TRUE(arrays.is_intact());
}

TEST_F(GpuLibrary, ChunksThatTheHostKnowsAreDecoded) {
  for (const CodecOfTest& codec : codecs_of_test) {
    SCOPED_TRACE(static_cast<unsigned>(codec.options.codec));
    const ChunksToDecode given = codec.make();
    const ChunksPlan plan = value_of(ChunksPlan::create(given.chunks, codec.options));
    ChunkArrays arrays(plan.sizes());
    arrays.write(given);
    const Stream stream;
    value_of(plan.execute(arrays.memory(), stream.get()));
    stream.wait();
    expect_decoded(arrays, given);
  }
}

// The array of chunks is written on the stream, and the graph serves another one too.
TEST_F(GpuLibrary, ChunksThatAKernelKnowsAreDecodedByAGraphThatRunsAgain) {
  for (const CodecOfTest& codec : codecs_of_test) {
    SCOPED_TRACE(static_cast<unsigned>(codec.options.codec));
    ChunksToDecode given = codec.make();
    const ChunksPlan plan = value_of(ChunksPlan::create_within({.chunk_count = given.chunks.size(),
                                                                .input_bytes = given.input.size(),
                                                                .output_bytes = given.output.size()},
                                                               codec.options));
    ChunkArrays arrays(plan.sizes());
    DeviceArray<Chunk> known(given.chunks);
    const Stream stream;
    const Graph graph(stream, [&] {
      GSST_CUDA_CHECK(cudaMemcpyAsync(arrays.chunks.data(), known.data(), given.chunks.size() * sizeof(Chunk),
                                      cudaMemcpyDeviceToDevice, stream.get()));
      value_of(plan.execute(arrays.memory(), stream.get()));
    });
    for (int run = 0; run < 2; ++run) {
      arrays.write(given);
      known.write(given.chunks);
      arrays.chunks.fill(0);
      graph.run(stream);
      expect_decoded(arrays, given);
      std::ranges::reverse(given.chunks);
    }
  }
}

TEST_F(GpuLibrary, AChunkThatIsWrongIsNamedAndTheOthersAreDecoded) {
  for (const CodecOfTest& codec : codecs_of_test) {
    SCOPED_TRACE(static_cast<unsigned>(codec.options.codec));
    ChunksToDecode given = codec.make();
    const ChunksPlan plan = value_of(ChunksPlan::create(given.chunks, codec.options));
    ChunkArrays arrays(plan.sizes());
    --given.chunks[700].input_bytes;
    given.chunks[701].output_offset = given.output.size();
    arrays.write(given);
    const Stream stream;
    value_of(plan.execute(arrays.memory(), stream.get()));
    stream.wait();
    std::vector<std::uint32_t> status = arrays.status.read();
    const Failure damaged = check_chunk_status(status).failure();
    EXPECT_EQ(damaged.error, Error::damaged);
    EXPECT_NE(damaged.message.find("chunk 700: "), std::string::npos) << damaged.message;
    status[700] = 0;
    const Failure outside = check_chunk_status(status).failure();
    EXPECT_EQ(outside.error, Error::output_too_small);
    EXPECT_EQ(outside.message, "chunk 701: it reaches out of the output");
    status[701] = 0;
    EXPECT_TRUE(check_chunk_status(status));
    const Bytes output = arrays.output.read();
    const Chunk& wrong = given.chunks[700];
    const auto before = static_cast<std::ptrdiff_t>(wrong.output_offset);
    EXPECT_TRUE(std::equal(output.begin(), output.begin() + before, given.output.begin()));
    EXPECT_TRUE(arrays.is_intact());
  }
}

Failure failure_of(std::span<const Chunk> chunks, const ChunksOptions& options) {
  return ChunksPlan::create(chunks, options).failure();
}

// Needs no GPU, as the next ones.
TEST(GpuChunks, PlansSayWhatTheyNeed) {
  const std::vector<Chunk> chunks = {{8, 0, 4, 16}, {0, 16, 8, 8}};
  const ChunksPlan plan =
      value_of(ChunksPlan::create(chunks, {.codec = ChunkCodec::rle_v2, .type = ChunkType::i64}));
  EXPECT_EQ(plan.sizes().input_bytes, 12u);
  EXPECT_EQ(plan.sizes().output_bytes, 24u);
  EXPECT_EQ(plan.sizes().chunk_count, 2u);
  EXPECT_EQ(plan.sizes().device_bytes, 12u + 24u + 2u * 24u + 4u * 4u);
  const ChunksPlan bounds =
      value_of(ChunksPlan::create_within({.chunk_count = 3, .input_bytes = 5, .output_bytes = 7},
                                         {.codec = ChunkCodec::deflate, .output_bytes_are_bounds = true}));
  EXPECT_EQ(bounds.sizes().device_bytes, 5u + 7u + 3u * 24u + 6u * 4u);
  EXPECT_TRUE(ChunksPlan::create({}, {.codec = ChunkCodec::deflate}));
}

TEST(GpuChunks, OptionsAndChunksThatThereAreNotAreNamed) {
  const std::vector<Chunk> none;
  const auto expect_named = [](const Failure& failure, const std::string& word) {
    EXPECT_EQ(failure.error, Error::invalid_argument);
    EXPECT_NE(failure.message.find(word), std::string::npos) << failure.message;
  };
  expect_named(failure_of(none, {.codec = static_cast<ChunkCodec>(9)}), "codec: 9 is none");
  expect_named(failure_of(none, {.codec = ChunkCodec::rle_v1}), "type: run lengths of integers need one");
  expect_named(failure_of(none, {.codec = ChunkCodec::rle_v1, .type = static_cast<ChunkType>(7)}),
               "type: 7 is none");
  expect_named(failure_of(none, {.codec = ChunkCodec::byte_rle, .type = ChunkType::i8}), "type: codec 1");
  expect_named(failure_of(none, {.codec = ChunkCodec::byte_rle, .output_bytes_are_bounds = true}),
               "may have less");
  const std::vector<Chunk> sharing = {{0, 0, 1, 2}, {0, 1, 1, 1}};
  expect_named(failure_of(sharing, {.codec = ChunkCodec::deflate}), "chunk 0 and chunk 1 share");
  expect_named(
      ChunksPlan::create_within({.chunk_count = (1u << 26) + 1}, {.codec = ChunkCodec::deflate}).failure(),
      "bounds: chunk_count");
}

TEST(GpuChunks, StructsOfAnotherVersionAreRefusedAndNullIsNamed) {
  gsst_message message;
  gsst_gpu_chunks_plan* plan = nullptr;
  gsst_gpu_chunks_options options = {
      .struct_bytes = sizeof(options), .codec = GSST_CHUNK_DEFLATE, .type = 0, .output_bytes_are_bounds = 0};
  gsst_gpu_chunks_bounds bounds = {
      .struct_bytes = sizeof(bounds), .reserved = 0, .chunk_count = 1, .input_bytes = 1, .output_bytes = 1};
  const auto expect_refused_for = [&](gsst_error expected, const char* word) {
    EXPECT_EQ(gsst_gpu_chunks_plan_create_within(&bounds, &options, &plan, &message), expected);
    EXPECT_NE(std::string(message.text).find(word), std::string::npos) << message.text;
    EXPECT_EQ(plan, nullptr);
  };
  bounds.reserved = 1;
  expect_refused_for(GSST_ERROR_INVALID_ARGUMENT, "bounds: reserved");
  bounds.reserved = 0;
  bounds.struct_bytes += 8;
  expect_refused_for(GSST_ERROR_INVALID_ARGUMENT, "bounds: struct_bytes");
  bounds.struct_bytes -= 8;
  options.struct_bytes = 8;
  expect_refused_for(GSST_ERROR_INVALID_ARGUMENT, "options: struct_bytes");
  options.struct_bytes = sizeof(options);
  options.output_bytes_are_bounds = 2;
  expect_refused_for(GSST_ERROR_INVALID_ARGUMENT, "output_bytes_are_bounds");
  options.output_bytes_are_bounds = 0;
  const auto null = GSST_ERROR_NULL_POINTER;
  EXPECT_EQ(gsst_gpu_chunks_plan_create_within(nullptr, &options, &plan, nullptr), null);
  EXPECT_EQ(gsst_gpu_chunks_plan_create_within(&bounds, nullptr, &plan, nullptr), null);
  EXPECT_EQ(gsst_gpu_chunks_plan_create_within(&bounds, &options, nullptr, nullptr), null);
  EXPECT_EQ(gsst_gpu_chunks_plan_create(nullptr, 1, &options, &plan, nullptr), null);
  EXPECT_EQ(gsst_gpu_check_chunk_status(nullptr, 1, nullptr), null);
  EXPECT_EQ(gsst_gpu_check_chunk_status(nullptr, 0, nullptr), GSST_OK);
  EXPECT_EQ(gsst_gpu_chunks_plan_sizes(nullptr, nullptr), null);
  gsst_gpu_chunks_plan_destroy(nullptr);
}

TEST(GpuChunks, AStatusIsTurnedIntoAnError) {
  const auto failure = [](std::uint32_t word) {
    return check_chunk_status(std::vector<std::uint32_t>{0, word}).failure();
  };
  EXPECT_EQ(failure(12u << 8 | GSST_CHUNK_CUT_RUN).error, Error::damaged);
  EXPECT_EQ(failure(12u << 8 | GSST_CHUNK_CUT_RUN).message,
            "chunk 1: payload bytes end within the run at byte 12");
  EXPECT_EQ(failure(3u << 8 | GSST_CHUNK_DISTANCE_BEFORE_CHUNK).error, Error::damaged);
  EXPECT_EQ(failure(GSST_CHUNK_OUTSIDE_INPUT).error, Error::invalid_argument);
  EXPECT_EQ(failure(GSST_CHUNK_WRONG_SIZE).error, Error::invalid_argument);
  EXPECT_EQ(failure(GSST_CHUNK_OUTSIDE_OUTPUT).error, Error::output_too_small);
}

}  // namespace
}  // namespace gsst::gpu
