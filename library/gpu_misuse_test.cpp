#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gsst/gpu.h"
#include "gsst/gpu.hpp"
#include "gsst/gpu_chunks.hpp"
#include "gsst/gpu_frames.hpp"
#include "gsst/gpu_orc_column.hpp"
#include "library/gpu_test_memory.hpp"
#include "library/made_up_device.hpp"

// Wrong arguments of the calls that enqueue work. gpu_search_misuse_test.cpp has those of searches.
namespace gsst::gpu {
namespace {

// What a device that can train has.
constexpr int enough_shared_bytes = 227 * 1024;

}  // namespace

std::optional<test::MadeUpDevice> test::made_up;

}  // namespace gsst::gpu

// The linker's names for the functions that gpu_api_test has in place of the runtime's, and for those.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

cudaError_t __real_cudaGetDevice(int* device);
cudaError_t __real_cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t __real_cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);
cudaError_t __real_cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status);
cudaError_t __real_cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream);
cudaError_t __real_cudaStreamSynchronize(cudaStream_t stream);

cudaError_t __wrap_cudaGetDevice(int* device) {
  if (!gsst::gpu::test::made_up) return __real_cudaGetDevice(device);
  *device = gsst::gpu::test::made_up->number;
  return cudaSuccess;
}

cudaError_t __wrap_cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (!gsst::gpu::test::made_up) return __real_cudaDeviceGetAttribute(value, attribute, device);
  const int capability = gsst::gpu::test::made_up->capability;
  *value = 1;
  if (attribute == cudaDevAttrComputeCapabilityMajor) *value = capability / 10;
  if (attribute == cudaDevAttrComputeCapabilityMinor) *value = capability % 10;
  if (attribute == cudaDevAttrMaxSharedMemoryPerBlockOptin) *value = gsst::gpu::test::made_up->shared_bytes;
  return cudaSuccess;
}

cudaError_t __wrap_cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  if (!gsst::gpu::test::made_up) return __real_cudaPointerGetAttributes(attributes, pointer);
  const gsst::gpu::test::MadeUpDevice& device = *gsst::gpu::test::made_up;
  const bool is_elsewhere = pointer == device.elsewhere;
  attributes->type = is_elsewhere ? device.type_elsewhere : cudaMemoryTypeDevice;
  attributes->device = is_elsewhere ? device.number + 1 : device.number;
  return cudaSuccess;
}

cudaError_t __wrap_cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  if (!gsst::gpu::test::made_up) return __real_cudaStreamIsCapturing(stream, status);
  *status =
      gsst::gpu::test::made_up->is_capturing ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

cudaError_t __wrap_cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream) {
  if (!gsst::gpu::test::made_up) return __real_cudaMemcpyAsync(to, from, bytes, kind, stream);
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}

cudaError_t __wrap_cudaStreamSynchronize(cudaStream_t stream) {
  return gsst::gpu::test::made_up ? cudaSuccess : __real_cudaStreamSynchronize(stream);
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)

namespace gsst::gpu {
namespace {

using namespace test;

// A C plan, which is made from `arguments` and freed.
template <typename Plan, auto Create, auto Destroy>
class OwnedPlan {
public:
  template <typename... Arguments>
  explicit OwnedPlan(const Arguments&... arguments) {
    gsst_message message;
    EXPECT_EQ(Create(arguments..., &plan_, &message), GSST_OK) << message.text;
  }
  OwnedPlan(const OwnedPlan&) = delete;
  OwnedPlan& operator=(const OwnedPlan&) = delete;
  ~OwnedPlan() { Destroy(plan_); }

  Plan* get() const { return plan_; }

private:
  Plan* plan_ = nullptr;
};
using OwnedDecompressPlan =
    OwnedPlan<gsst_gpu_decompress_plan, gsst_gpu_decompress_plan_create, gsst_gpu_decompress_plan_destroy>;
using OwnedDeviceFramePlan = OwnedPlan<gsst_gpu_device_frame_plan, gsst_gpu_device_frame_plan_create,
                                       gsst_gpu_device_frame_plan_destroy>;
using OwnedChunksPlan =
    OwnedPlan<gsst_gpu_chunks_plan, gsst_gpu_chunks_plan_create, gsst_gpu_chunks_plan_destroy>;
using OwnedFramesPlan =
    OwnedPlan<gsst_gpu_frames_plan, gsst_gpu_frames_plan_create, gsst_gpu_frames_plan_destroy>;
using OwnedOrcPlan = OwnedPlan<gsst_gpu_orc_plan, gsst_gpu_orc_plan_create, gsst_gpu_orc_plan_destroy>;
using OwnedCompressPlan =
    OwnedPlan<gsst_gpu_compress_plan, gsst_gpu_compress_plan_create, gsst_gpu_compress_plan_destroy>;

// Executing a plan with null, another size of the struct, and something in what is reserved.
template <auto Execute, typename Plan, typename Memory>
void expect_memory_is_looked_at(const Plan* plan, Memory memory) {
  gsst_message message;
  const auto expect_named = [&](gsst_error found, gsst_error expected, const char* word) {
    EXPECT_EQ(found, expected) << message.text;
    EXPECT_NE(std::string(message.text).find(word), std::string::npos) << message.text;
  };
  expect_named(Execute(nullptr, &memory, nullptr, &message), GSST_ERROR_NULL_POINTER, "plan is null");
  expect_named(Execute(plan, nullptr, nullptr, &message), GSST_ERROR_NULL_POINTER, "memory is null");
  memory.reserved = 0;
  for (const std::size_t size : {sizeof(memory) - 8, sizeof(memory) + 8}) {
    memory.struct_bytes = static_cast<std::uint32_t>(size);
    expect_named(Execute(plan, &memory, nullptr, &message), GSST_ERROR_INVALID_ARGUMENT, "struct_bytes");
  }
  memory.struct_bytes = sizeof(memory);
  memory.reserved = 1;
  expect_named(Execute(plan, &memory, nullptr, &message), GSST_ERROR_INVALID_ARGUMENT, "memory: reserved");
}

TEST_F(GpuMisuse, EveryCallLooksAtItsMemoryFirst) {
  const Bytes frame = compress_on_cpu(text(1000, 1), Format::splits);
  const OwnedDecompressPlan decompress(frame.data(), frame.size(), nullptr);
  expect_memory_is_looked_at<gsst_gpu_decompress_execute>(decompress.get(), gsst_gpu_decompress_memory{});
  expect_memory_is_looked_at<gsst_gpu_decompress_ranges>(decompress.get(), gsst_gpu_ranges_memory{});
  const gsst_gpu_frame_bounds bounds{.struct_bytes = sizeof(bounds),
                                     .format = GSST_FORMAT_BLOCKS,
                                     .splits = 0,
                                     .skip_checksums = 0,
                                     .frame_bytes = 1000,
                                     .output_bytes = 1000,
                                     .block_bytes = 1000,
                                     .block_count = 1};
  const OwnedDeviceFramePlan device_frame(&bounds);
  expect_memory_is_looked_at<gsst_gpu_device_frame_execute>(device_frame.get(),
                                                            gsst_gpu_device_frame_memory{});
  made_up->shared_bytes = enough_shared_bytes;
  const OwnedCompressPlan compress(std::size_t{1000}, nullptr);
  expect_memory_is_looked_at<gsst_gpu_compress_execute>(compress.get(), gsst_gpu_compress_memory{});
  const gsst_gpu_chunks_options deflate{.struct_bytes = sizeof(deflate),
                                        .codec = GSST_CHUNK_DEFLATE,
                                        .type = GSST_CHUNK_BYTES,
                                        .output_bytes_are_bounds = 0};
  const OwnedChunksPlan chunks(nullptr, std::size_t{0}, &deflate);
  expect_memory_is_looked_at<gsst_gpu_chunks_execute>(chunks.get(), gsst_gpu_chunks_memory{});
  gsst_gpu_frames_bounds many{};
  many.struct_bytes = sizeof(many);
  many.format = GSST_FORMAT_TILES;
  many.frame_bytes = 1000;
  many.input_bytes = 1000;
  many.blocks_per_frame = 1;
  const OwnedFramesPlan frames(&many);
  expect_memory_is_looked_at<gsst_gpu_frames_execute>(frames.get(), gsst_gpu_frames_memory{});
}

TEST_F(GpuMisuse, DecodingOfAColumnOfOrcLooksAtAllThatItIsGiven) {
  OrcStripe stripe{};
  stripe.rows = 64;
  stripe.data_bytes = 100;
  OrcPlan plan = value_of(OrcPlan::create(
      {.values = OrcValues::int64, .coding = ChunkCodec::rle_v2, .stripes = {&stripe, 1}, .row_groups = {}}));
  const OrcSizes sizes = plan.sizes();
  const AlignedBytes input(sizes.input_bytes);
  const AlignedBytes values(sizes.values_bytes);
  const AlignedBytes validity(sizes.validity_bytes);
  const AlignedBytes state(sizes.state_bytes);
  const AlignedBytes scratch(sizes.scratch_bytes);
  std::uint64_t nulls = 0;
  std::uint32_t status = 0;
  const OrcMemory right{.input = input.all(),
                        .values = values.all(),
                        .validity = validity.all(),
                        .nulls = &nulls,
                        .state = state.all(),
                        .scratch = scratch.all(),
                        .status = {&status, 1}};
  const auto refuse = [&](auto change, Error error, const std::string& word) {
    OrcMemory memory = right;
    change(memory);
    expect_refused(plan.execute(memory, nullptr), error, word);
  };
  using Memory = OrcMemory;
  refuse([](Memory&) {}, Error::invalid_argument, "state: the plan was not prepared");
  refuse([](Memory& memory) { memory.input = memory.input.first(99); }, Error::invalid_argument, "input");
  refuse([](Memory& memory) { memory.values = memory.values.first(511); }, Error::output_too_small, "values");
  refuse([](Memory& memory) { memory.validity = memory.validity.first(7); }, Error::output_too_small,
         "validity");
  refuse([](Memory& memory) { memory.nulls = nullptr; }, Error::null_pointer, "nulls");
  refuse([](Memory& memory) { memory.state = memory.state.first(1); }, Error::scratch_too_small, "state");
  refuse([](Memory& memory) { memory.scratch = memory.scratch.first(memory.scratch.size() - 1); },
         Error::scratch_too_small, "scratch");
  refuse([](Memory& memory) { memory.status = {}; }, Error::output_too_small, "status");
  refuse([](Memory& memory) { memory.input = memory.values.first(100); }, Error::overlap, "input and values");
  made_up->elsewhere = right.validity.data();
  refuse([](Memory&) {}, Error::wrong_memory, "validity");
  made_up->elsewhere = nullptr;
  expect_refused(plan.prepare(state.all().first(1), nullptr), Error::scratch_too_small, "state");
  expect_refused(plan.prepare({state.all().data() + 8, sizes.state_bytes}, nullptr), Error::misaligned,
                 "state");
  made_up->is_capturing = true;
  expect_refused(plan.prepare(state.all(), nullptr), Error::invalid_argument, "being captured: prepare");
  made_up->is_capturing = false;
  made_up->capability = 75;
  expect_refused(plan.prepare(state.all(), nullptr), Error::wrong_device, "at least 8.0");
  gsst_orc_column none{};
  none.struct_bytes = sizeof(none);
  none.values = GSST_ORC_INT64;
  none.coding = GSST_CHUNK_RLE_V2;
  const OwnedOrcPlan c_plan(&none);
  expect_memory_is_looked_at<gsst_gpu_orc_execute>(c_plan.get(), gsst_gpu_orc_memory{});
}

TEST_F(GpuMisuse, DecodingOfChunksLooksAtAllThatItIsGiven) {
  const ChunksPlan plan =
      value_of(ChunksPlan::create_within({.chunk_count = 3, .input_bytes = 100, .output_bytes = 200},
                                         {.codec = ChunkCodec::deflate, .output_bytes_are_bounds = true}));
  const AlignedBytes all(4096);
  const std::span<std::byte> bytes = all.all();
  auto* const words = reinterpret_cast<std::uint32_t*>(bytes.data());
  auto* const chunks = reinterpret_cast<const Chunk*>(bytes.data() + 1024);
  const ChunksMemory right{.input = bytes.subspan(256, 100),
                           .chunks = {chunks, 3},
                           .output = bytes.subspan(512, 200),
                           .written = {words, 3},
                           .status = {words + 16, 3}};
  const auto refuse = [&](auto change, Error error, const std::string& word) {
    ChunksMemory memory = right;
    change(memory);
    expect_refused(plan.execute(memory, nullptr), error, word);
  };
  using Memory = ChunksMemory;
  constexpr std::byte* nothing = nullptr;
  refuse([](Memory& memory) { memory.input = memory.input.first(99); }, Error::invalid_argument, "input");
  refuse([&](Memory& memory) { memory.input = {nothing, 100}; }, Error::null_pointer, "input");
  refuse([](Memory& memory) { memory.chunks = memory.chunks.first(2); }, Error::invalid_argument, "chunks");
  refuse(
      [&](Memory& memory) {
        memory.chunks = {reinterpret_cast<const Chunk*>(bytes.data() + 1028), 3};
      },
      Error::misaligned, "chunks");
  refuse([](Memory& memory) { memory.output = memory.output.first(199); }, Error::output_too_small, "output");
  refuse([](Memory& memory) { memory.written = {}; }, Error::output_too_small, "written");
  refuse([](Memory& memory) { memory.status = memory.status.first(2); }, Error::output_too_small, "status");
  refuse([](Memory& memory) { memory.written = memory.status; }, Error::overlap, "written and status");
  refuse([&](Memory& memory) { memory.input = bytes.subspan(600, 100); }, Error::overlap, "input and output");
  made_up->elsewhere = right.output.data();
  refuse([](Memory&) {}, Error::wrong_memory, "output");
  made_up->elsewhere = nullptr;
  made_up->capability = 75;
  refuse([](Memory&) {}, Error::wrong_device, "at least 8.0");
}

TEST_F(GpuMisuse, DecompressionOfManyFramesLooksAtAllThatItIsGiven) {
  const FramesPlan plan = value_of(FramesPlan::create({.format = Format::tiles,
                                                       .frame_count = 3,
                                                       .frame_bytes = 100,
                                                       .output_bytes = 200,
                                                       .input_bytes = 300,
                                                       .total_output_bytes = 600}));
  const FramesSizes sizes = plan.sizes();
  const AlignedBytes input(300);
  const AlignedBytes output(600);
  const AlignedBytes scratch(sizes.scratch_bytes);
  std::vector<FramePlace> places(3);
  std::vector<std::uint32_t> status(3);
  std::vector<FrameResult> results(3);
  const FramesMemory right{.input = input.all(),
                           .frames = places,
                           .output = output.all(),
                           .scratch = scratch.all(),
                           .status = status,
                           .results = results};
  const auto refuse = [&](auto change, Error error, const std::string& word) {
    FramesMemory memory = right;
    change(memory);
    expect_refused(plan.execute(memory, nullptr), error, word);
  };
  using Memory = FramesMemory;
  constexpr std::byte* nothing = nullptr;
  refuse([](Memory& memory) { memory.input = memory.input.first(299); }, Error::invalid_argument, "input");
  refuse([&](Memory& memory) { memory.input = {nothing, 300}; }, Error::null_pointer, "input");
  refuse([](Memory& memory) { memory.frames = memory.frames.first(2); }, Error::invalid_argument, "frames");
  refuse(
      [&](Memory& memory) {
        memory.frames = {reinterpret_cast<const FramePlace*>(input.all().data() + 4), 3};
      },
      Error::misaligned, "frames");
  refuse([](Memory& memory) { memory.output = memory.output.first(599); }, Error::output_too_small, "output");
  refuse([](Memory& memory) { memory.scratch = memory.scratch.first(memory.scratch.size() - 1); },
         Error::scratch_too_small, "scratch");
  refuse(
      [](Memory& memory) {
        memory.scratch = {memory.scratch.data() + 4, memory.scratch.size()};
      },
      Error::misaligned, "scratch");
  refuse([](Memory& memory) { memory.status = memory.status.first(2); }, Error::output_too_small, "status");
  refuse([](Memory& memory) { memory.results = memory.results.first(2); }, Error::output_too_small,
         "results");
  refuse([](Memory& memory) { memory.input = memory.output; }, Error::overlap, "input and output");
  made_up->elsewhere = right.output.data();
  refuse([](Memory&) {}, Error::wrong_memory, "output");
  made_up->elsewhere = nullptr;
  made_up->capability = 75;
  refuse([](Memory&) {}, Error::wrong_device, "at least 8.0");
}

// What a compression works in.
struct CompressBytes {
  explicit CompressBytes(const CompressSizes& sizes)
      : input(sizes.input_bytes), output(sizes.output_bytes), scratch(sizes.scratch_bytes) {}

  CompressMemory memory() {
    return {
        .input = input.all(), .output = output.all(), .scratch = scratch.all(), .frame_bytes = &frame_bytes};
  }

  AlignedBytes input;
  AlignedBytes output;
  AlignedBytes scratch;
  std::uint64_t frame_bytes = 0;
};

TEST_F(GpuMisuse, CompressionLooksAtAllThatItIsGiven) {
  const CompressPlan plan = value_of(CompressPlan::create(1000, {.format = Format::splits}));
  CompressBytes bytes(plan.sizes());
  const auto refuse = [&](auto change, Error error, const std::string& word) {
    CompressMemory memory = bytes.memory();
    change(memory);
    expect_refused(plan.execute(memory, nullptr), error, word);
  };
  using Memory = CompressMemory;
  constexpr std::byte* nothing = nullptr;
  refuse([](Memory& memory) { memory.input = memory.input.first(999); }, Error::invalid_argument,
         "input_bytes");
  refuse([&](Memory& memory) { memory.input = {nothing, 1000}; }, Error::null_pointer, "input");
  refuse([](Memory& memory) { memory.output = memory.output.first(memory.output.size() - 1); },
         Error::output_too_small, "output");
  refuse(
      [&](Memory& memory) {
        memory.output = {nothing, memory.output.size()};
      },
      Error::null_pointer, "output");
  refuse(
      [](Memory& memory) {
        memory.output = {memory.output.data() + 8, memory.output.size()};
      },
      Error::misaligned, "output");
  refuse([](Memory& memory) { memory.scratch = memory.scratch.first(memory.scratch.size() - 1); },
         Error::scratch_too_small, "scratch");
  refuse(
      [](Memory& memory) {
        memory.scratch = {memory.scratch.data() + 8, memory.scratch.size()};
      },
      Error::misaligned, "scratch");
  refuse(
      [](Memory& memory) {
        memory.output = {memory.scratch.data(), memory.output.size()};
      },
      Error::overlap, "output and scratch");
  refuse([](Memory& memory) { memory.frame_bytes = nullptr; }, Error::null_pointer, "frame_bytes");
}

TEST_F(GpuMisuse, ALoadedTableNeedsScratchMemory) {
  CompressPlan plan = value_of(CompressPlan::create(1000, {.tables = Tables::loaded}));
  const CompressBytes bytes(plan.sizes());
  const std::span<std::byte> scratch = bytes.scratch.all();
  const Table table = value_of(Table::train(text(1000, 1)));
  constexpr std::byte* nothing = nullptr;
  expect_refused(plan.load_table(table, scratch.first(scratch.size() - 1), nullptr), Error::scratch_too_small,
                 "scratch");
  expect_refused(plan.load_table(table, {nothing, scratch.size()}, nullptr), Error::null_pointer, "scratch");
  expect_refused(plan.load_table(table, {scratch.data() + 8, scratch.size()}, nullptr), Error::misaligned,
                 "scratch");
  made_up->elsewhere = scratch.data();
  expect_refused(plan.load_table(table, scratch, nullptr), Error::wrong_memory, "scratch");
}

TEST_F(GpuMisuse, TrainingATableLooksAtAllThatItIsGiven) {
  made_up->shared_bytes = enough_shared_bytes;
  CompressPlan plan =
      value_of(CompressPlan::create(1000, {.tables = Tables::loaded, .format = Format::tiles}));
  const CompressBytes bytes(plan.sizes());
  const std::span<std::byte> input = bytes.input.all();
  const std::span<std::byte> scratch = bytes.scratch.all();
  constexpr std::byte* nothing = nullptr;
  expect_refused(plan.train_table(input.first(999), scratch, nullptr), Error::invalid_argument,
                 "input_bytes");
  expect_refused(plan.train_table({nothing, 1000}, scratch, nullptr), Error::null_pointer, "input");
  expect_refused(plan.train_table(input, scratch.first(scratch.size() - 1), nullptr),
                 Error::scratch_too_small, "scratch");
  expect_refused(plan.train_table(input, {nothing, scratch.size()}, nullptr), Error::null_pointer, "scratch");
  expect_refused(plan.train_table(input, {scratch.data() + 8, scratch.size()}, nullptr), Error::misaligned,
                 "scratch");
  expect_refused(plan.train_table(scratch.first(1000), scratch, nullptr), Error::overlap,
                 "input and scratch");
  for (const std::byte* const pointer : {input.data(), scratch.data()}) {
    made_up->elsewhere = pointer;
    expect_refused(plan.train_table(input, scratch, nullptr), Error::wrong_memory,
                   pointer == input.data() ? "input" : "scratch");
  }
  made_up->elsewhere = nullptr;
  made_up->number = 3;
  expect_refused(plan.train_table(input, scratch, nullptr), Error::wrong_device, "the plan is for device 0");
  made_up->number = 0;
  made_up->is_capturing = true;
  expect_refused(plan.train_table(input, scratch, nullptr), Error::invalid_argument,
                 "being captured: train the table before");
  made_up->is_capturing = false;

  CompressPlan trained = value_of(CompressPlan::create(1000, {.format = Format::tiles}));
  const CompressBytes of_trained(trained.sizes());
  expect_refused(trained.train_table(input, of_trained.scratch.all(), nullptr), Error::invalid_argument,
                 "the plan trains its tables");
}

TEST_F(GpuMisuse, TablesThatTheGpuCannotTrainAreRefused) {
  made_up->shared_bytes = enough_shared_bytes;
  EXPECT_TRUE(CompressPlan::create(1000, {.format = Format::tiles, .code_bits = 8}));
  for (const std::uint32_t code_bits : {10u, 12u}) {
    const std::string word = "codes of " + std::to_string(code_bits) + " bits are trained on the CPU";
    const Failure trained =
        CompressPlan::create(1000, {.format = Format::tiles, .code_bits = code_bits}).failure();
    EXPECT_EQ(trained.error, Error::invalid_argument);
    EXPECT_NE(trained.message.find(word), std::string::npos) << trained.message;
    CompressPlan plan = value_of(CompressPlan::create(
        1000, {.tables = Tables::loaded, .format = Format::tiles, .code_bits = code_bits}));
    const CompressBytes bytes(plan.sizes());
    expect_refused(plan.train_table(bytes.input.all(), bytes.scratch.all(), nullptr), Error::invalid_argument,
                   word);
  }
  made_up->shared_bytes = 48 * 1024;
  EXPECT_EQ(CompressPlan::create(1000, {.format = Format::tiles}).failure().error, Error::wrong_device);
  for (const Format format : {Format::splits, Format::tiles}) {
    CompressPlan plan = value_of(CompressPlan::create(1000, {.tables = Tables::loaded, .format = format}));
    const CompressBytes bytes(plan.sizes());
    expect_refused(plan.train_table(bytes.input.all(), bytes.scratch.all(), nullptr), Error::wrong_device,
                   "too little shared memory");
  }
}

TEST_F(GpuMisuse, ATableOfAnotherFormatOrWidthIsNotLoaded) {
  const Bytes sample = text(1000, 1);
  const Table of_splits = value_of(Table::train(sample, {.format = Format::splits}));
  const Table of_tiles = value_of(Table::train(sample, {.format = Format::tiles, .code_bits = 10}));
  CompressPlan splits =
      value_of(CompressPlan::create(1000, {.tables = Tables::loaded, .format = Format::splits}));
  CompressPlan tiles = value_of(
      CompressPlan::create(1000, {.tables = Tables::loaded, .format = Format::tiles, .code_bits = 12}));
  const CompressBytes for_splits(splits.sizes());
  const CompressBytes for_tiles(tiles.sizes());
  expect_refused(splits.load_table(of_tiles, for_splits.scratch.all(), nullptr), Error::invalid_argument,
                 "table is for format tiles with codes of 10 bits, the plan is for format splits");
  expect_refused(tiles.load_table(of_splits, for_tiles.scratch.all(), nullptr), Error::invalid_argument,
                 "table is for format splits, the plan is for format tiles with codes of 12 bits");
  expect_refused(tiles.load_table(of_tiles, for_tiles.scratch.all(), nullptr), Error::invalid_argument,
                 "codes of 10 bits, the plan is for format tiles with codes of 12 bits");
  made_up->is_capturing = true;
  expect_refused(splits.load_table(of_splits, for_splits.scratch.all(), nullptr), Error::invalid_argument,
                 "being captured: load the table before");
}

TEST_F(GpuMisuse, GpuOptionsOfAnEarlierVersionTakeDefaultsAndThoseOfALaterOneAreRefused) {
  gsst_gpu_compress_options options{};
  options.tables = GSST_GPU_TABLES_LOADED;
  options.block_bytes = 500;
  // Not there in the first version.
  options.format = 77;
  options.code_bits = 77;
  options.struct_bytes = offsetof(gsst_gpu_compress_options, format);
  ASSERT_EQ(options.struct_bytes, 24u);
  const OwnedCompressPlan earlier(std::size_t{1000}, &options);
  gsst_gpu_compress_sizes sizes{};
  EXPECT_EQ(gsst_gpu_compress_plan_sizes(earlier.get(), &sizes), GSST_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(sizes.scratch_bytes, 0);
  sizes.struct_bytes = sizeof(sizes);
  EXPECT_EQ(gsst_gpu_compress_plan_sizes(earlier.get(), &sizes), GSST_OK);
  const CompressSizes as_now =
      value_of(CompressPlan::create(1000, {.tables = Tables::loaded, .block_bytes = 500})).sizes();
  EXPECT_EQ(sizes.scratch_bytes, as_now.scratch_bytes);

  gsst_message message;
  gsst_gpu_compress_plan* plan = nullptr;
  options.format = GSST_FORMAT_DEFAULT;
  options.code_bits = 0;
  constexpr std::uint32_t now = sizeof(gsst_gpu_compress_options);
  for (const std::uint32_t struct_bytes : {0U, 16U, 28U, now + 8, ~0U}) {
    options.struct_bytes = struct_bytes;
    EXPECT_EQ(gsst_gpu_compress_plan_create(1000, &options, &plan, &message), GSST_ERROR_INVALID_ARGUMENT);
    EXPECT_NE(std::string(message.text).find("struct_bytes"), std::string::npos) << message.text;
  }
  gsst_gpu_table* table = nullptr;
  gsst_gpu_table_options table_options{};
  for (const std::uint32_t struct_bytes : {0U, 16U, 24U}) {
    table_options.struct_bytes = struct_bytes;
    EXPECT_EQ(gsst_gpu_table_train_with(nullptr, 0, &table_options, &table, &message),
              GSST_ERROR_INVALID_ARGUMENT);
    EXPECT_NE(std::string(message.text).find("struct_bytes"), std::string::npos) << message.text;
  }
}

// Host memory, and that of another device, at each pointer in turn.
template <typename Execute>
void expect_wrong_memory_is_seen(const std::vector<std::pair<const char*, const void*>>& pointers,
                                 const Execute& execute) {
  for (const auto& [name, pointer] : pointers) {
    made_up->elsewhere = pointer;
    made_up->type_elsewhere = cudaMemoryTypeHost;
    expect_refused(execute(), Error::wrong_memory, std::string(name) + " is not in device memory");
    made_up->type_elsewhere = cudaMemoryTypeDevice;
    expect_refused(execute(), Error::wrong_memory, std::string(name) + " is in memory of device 1");
  }
  made_up->elsewhere = nullptr;
}

TEST_F(GpuMisuse, MemoryThatIsNotOfTheDeviceIsNamed) {
  const Bytes frame = compress_on_cpu(text(100000, 1), Format::tiles);
  const DecompressPlan plan = value_of(DecompressPlan::create(frame));
  Bytes output(plan.sizes().output_bytes);
  const AlignedBytes scratch(plan.sizes().scratch_bytes);
  std::vector<std::uint32_t> status(plan.sizes().status_count);
  const DecompressMemory whole{.frame = frame, .output = output, .scratch = scratch.all(), .status = status};
  expect_wrong_memory_is_seen({{"frame", frame.data()},
                               {"output", output.data()},
                               {"scratch", scratch.all().data()},
                               {"status", status.data()}},
                              [&] { return plan.execute(whole, nullptr); });

  const std::vector<Range> ranges(2);
  const AlignedBytes ranges_scratch(value_of(plan.ranges_sizes(ranges.size())).scratch_bytes);
  const RangesMemory parts{
      .frame = frame, .ranges = ranges, .output = output, .scratch = ranges_scratch.all(), .status = status};
  expect_wrong_memory_is_seen({{"frame", frame.data()},
                               {"ranges", ranges.data()},
                               {"output", output.data()},
                               {"scratch", ranges_scratch.all().data()},
                               {"status", status.data()}},
                              [&] { return plan.execute_ranges(parts, nullptr); });

  made_up->shared_bytes = enough_shared_bytes;
  for (const Tables tables : {Tables::trained, Tables::loaded}) {
    const CompressPlan compress =
        value_of(CompressPlan::create(1000, {.tables = tables, .format = Format::tiles}));
    CompressBytes bytes(compress.sizes());
    expect_wrong_memory_is_seen({{"input", bytes.input.all().data()},
                                 {"output", bytes.output.all().data()},
                                 {"scratch", bytes.scratch.all().data()},
                                 {"frame_bytes", &bytes.frame_bytes}},
                                [&] { return compress.execute(bytes.memory(), nullptr); });
  }
}

TEST_F(GpuMisuse, AnotherDeviceAndOneThatIsTooOldAreRefused) {
  const CompressPlan compress = value_of(CompressPlan::create(1000, {.format = Format::splits}));
  CompressBytes bytes(compress.sizes());
  made_up->number = 3;
  expect_refused(compress.execute(bytes.memory(), nullptr), Error::wrong_device, "the plan is for device 0");

  made_up->capability = 75;
  EXPECT_EQ(CompressPlan::create(1000).failure().error, Error::wrong_device);
  const Bytes frame = compress_on_cpu(text(1000, 1), Format::splits);
  const DecompressPlan decompress = value_of(DecompressPlan::create(frame));
  Bytes output(1000);
  const AlignedBytes scratch(decompress.sizes().scratch_bytes + 1);
  std::vector<std::uint32_t> status(1);
  expect_refused(decompress.execute(
                     {.frame = frame, .output = output, .scratch = scratch.all(), .status = status}, nullptr),
                 Error::wrong_device, "compute capability 7.5");
}

}  // namespace
}  // namespace gsst::gpu
