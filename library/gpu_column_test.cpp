#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/cuda/error.hpp"
#include "gsst/column.hpp"
#include "gsst/gpu_column.hpp"
#include "library/foreign_array.hpp"
#include "library/gpu_test_memory.hpp"
#include "stages/suite/test_sample.hpp"

// gsst/gpu_column.hpp and, through it, gsst/gpu_column.h. What needs a GPU is skipped where there is none.
namespace gsst::gpu {
namespace {

using namespace test;
using library::ForeignArray;
using library::Strings;

// What a foreign array has, in device memory.
class ForeignGpuArray {
public:
  explicit ForeignGpuArray(const ForeignArray& foreign)
      : validity_(std::span(foreign.validity)),
        offsets_(std::span(foreign.offsets)),
        data_(std::span(foreign.data.data(), foreign.data.size())),
        buffers_({validity_.data(), offsets_.data(), data_.data()}) {
    array.array = foreign.array;
    array.array.buffers = buffers_.data();
    array.device_type = ARROW_DEVICE_CUDA;
    int device = 0;
    GSST_CUDA_CHECK(cudaGetDevice(&device));
    array.device_id = device;
  }

  std::uint8_t* offsets() { return offsets_.data(); }

  ArrowDeviceArray array{};

private:
  DeviceArray<std::uint8_t> validity_;
  DeviceArray<std::uint8_t> offsets_;
  DeviceArray<char> data_;
  std::array<const void*, 3> buffers_;
};

std::uint64_t little_endian(const std::vector<std::uint8_t>& bytes, std::size_t place, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < width; ++i) value |= std::uint64_t{bytes[place * width + i]} << (8 * i);
  return value;
}

// Also of host memory, where columns that were decompressed on the CPU are.
template <typename Value>
std::vector<Value> read_memory(const void* memory, std::size_t count) {
  std::vector<Value> values(count);
  if (count != 0) {
    GSST_CUDA_CHECK(cudaMemcpy(values.data(), memory, count * sizeof(Value), cudaMemcpyDefault));
  }
  return values;
}

// The strings of an array in device memory without an offset, or of one in host memory.
Strings strings_of(const ArrowSchema& schema, const ArrowArray& array) {
  const std::size_t width = schema.format == std::string("U") ? 8 : 4;
  const auto count = static_cast<std::size_t>(array.length);
  const auto offsets = read_memory<std::uint8_t>(array.buffers[1], (count + 1) * width);
  const auto data = read_memory<char>(array.buffers[2], little_endian(offsets, count, width));
  const auto validity =
      read_memory<std::uint8_t>(array.buffers[0], array.buffers[0] == nullptr ? 0 : (count + 7) / 8);
  Strings strings;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t begin = little_endian(offsets, i, width);
    const std::string string(data.data() + begin, little_endian(offsets, i + 1, width) - begin);
    const bool is_null = !validity.empty() && (validity[i / 8] >> (i % 8) & 1) == 0;
    strings.push_back(is_null ? std::nullopt : std::optional(string));
  }
  return strings;
}

Strings text_strings(std::size_t count) {
  const std::vector<std::uint8_t> bytes = reference::test::make_text(count * 40, 31);
  const std::string text(bytes.begin(), bytes.end());
  Strings strings;
  for (std::size_t i = 0; i < count; ++i) {
    strings.push_back(i % 13 == 4 ? std::nullopt : std::optional(text.substr(i * 40, i * i % 41)));
  }
  return strings;
}

Strings strings_of_host_column(const std::vector<std::byte>& column) {
  const ColumnPlan plan = value_of(ColumnPlan::create(column));
  OwnedArray array = value_of(plan.decompress(0, plan.info().string_count));
  return strings_of(array.schema(), array.array());
}

using GpuColumns = GpuLibrary;

TEST_F(GpuColumns, AnArrayInDeviceMemoryGoesToAColumnAndBack) {
  const Strings strings = text_strings(30000);
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::size_t index = 0;
  for (const char* const format : {"u", "U"}) {
    for (const char* const hidden : {"", "hidden"}) {
      if (!sample.has(index++)) continue;
      SCOPED_TRACE(std::string(format) + hidden);
      const ForeignArray foreign(format, strings, hidden);
      const ForeignGpuArray on_device(foreign);
      const Stream stream;
      const auto column =
          value_of(compress_column(foreign.schema, on_device.array, stream.get(), {.block_bytes = 100000}));
      EXPECT_TRUE(strings_of_host_column(column) == strings);
      OwnedDeviceArray back = value_of(decompress_column(column, stream.get()));
      EXPECT_STREQ(back.schema().format, format);
      EXPECT_EQ(back.array().device_type, ARROW_DEVICE_CUDA);
      EXPECT_EQ(back.array().sync_event, nullptr);
      cudaPointerAttributes attributes{};
      GSST_CUDA_CHECK(cudaPointerGetAttributes(&attributes, back.array().array.buffers[2]));
      EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
      EXPECT_TRUE(strings_of(back.schema(), back.array().array) == strings);
    }
  }
}

// Those of 10 and 12 bits with tables that the CPU trains.
TEST_F(GpuColumns, AnArrayInDeviceMemoryGoesToAColumnOfTilesOfEveryWidth) {
  const Strings strings = text_strings(30000);
  const ForeignArray foreign("u", strings, "hidden");
  const ForeignGpuArray on_device(foreign);
  const Stream stream;
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::size_t index = 0;
  for (const std::uint32_t code_bits : {0u, 8u, 10u, 12u}) {
    if (!sample.has(index++)) continue;
    SCOPED_TRACE(code_bits);
    const auto column =
        value_of(compress_column(foreign.schema, on_device.array, stream.get(),
                                 {.block_bytes = 100000, .format = Format::tiles, .code_bits = code_bits}));
    const ColumnPlan plan = value_of(ColumnPlan::create(column));
    EXPECT_EQ(value_of(inspect(plan.frame())).format, static_cast<std::uint32_t>(Format::tiles));
    EXPECT_TRUE(strings_of_host_column(column) == strings);
    OwnedDeviceArray back = value_of(decompress_column(column, stream.get()));
    EXPECT_TRUE(strings_of(back.schema(), back.array().array) == strings);
  }
}

TEST_F(GpuColumns, SomeStringsOfAColumnAreDecompressedWithoutTheRest) {
  const Strings strings = text_strings(20000);
  const ForeignArray foreign("u", strings);
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t number = 0; number < strings.size(); number += 37) numbers.push_back(number);
  for (const Format format : {Format::splits, Format::tiles}) {
    const auto column = value_of(
        gsst::compress_column(foreign.schema, foreign.array, {.format = format, .block_bytes = 100000}));
    const ColumnPlan of_column = value_of(ColumnPlan::create(column));
    const DecompressPlan plan = value_of(DecompressPlan::create(of_column.frame()));
    const StringRanges wanted = value_of(of_column.ranges(numbers));
    DeviceArray<std::byte> frame(of_column.frame());
    DeviceArray<Range> ranges{std::span<const Range>(wanted.ranges)};
    DeviceArray<std::byte> output(wanted.output_bytes);
    DeviceArray<std::byte> scratch(value_of(plan.ranges_sizes(numbers.size())).scratch_bytes);
    DeviceArray<std::uint32_t> status(numbers.size());
    const Stream stream;
    value_of(plan.execute_ranges({frame.all(), ranges.all(), output.all(), scratch.all(), status.all()},
                                 stream.get()));
    stream.wait();
    EXPECT_EQ(value_of(check_range_status(status.read())), numbers.size());
    const Bytes bytes = output.read();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto* const first = reinterpret_cast<const char*>(bytes.data() + wanted.ranges[i].output_offset);
      EXPECT_EQ(std::string(first, wanted.ranges[i].bytes), strings[numbers[i]].value_or(""));
      EXPECT_EQ(wanted.nulls[i] == 1, !strings[numbers[i]].has_value());
    }
    EXPECT_TRUE(output.is_intact());
  }
}

TEST_F(GpuColumns, ASliceIsCompressedAndEveryFormatIsDecompressed) {
  const Strings strings = text_strings(5000);
  const ForeignArray foreign("u", strings);
  ForeignGpuArray on_device(foreign);
  on_device.array.array.offset = 1003;
  on_device.array.array.length = 3000;
  const Stream stream;
  const auto column = value_of(compress_column(foreign.schema, on_device.array, stream.get()));
  const Strings expected(strings.begin() + 1003, strings.begin() + 4003);
  EXPECT_TRUE(strings_of_host_column(column) == expected);
  for (const Format format : all_formats) {
    const auto of_cpu = value_of(
        gsst::compress_column(foreign.schema, foreign.array, {.format = format, .block_bytes = 20000}));
    OwnedDeviceArray back = value_of(decompress_column(of_cpu, stream.get()));
    EXPECT_TRUE(strings_of(back.schema(), back.array().array) == strings);
  }
}

// The event of the array lies behind a long row of writes to its offsets, of which the last is right.
TEST_F(GpuColumns, AnArrayIsReadBehindItsEvent) {
  const Strings strings = text_strings(5000);
  const ForeignArray foreign("u", strings);
  const ForeignArray none("u", Strings(strings.size(), ""));
  ForeignGpuArray on_device(foreign);
  DeviceArray<std::uint8_t> wrong{std::span(none.offsets)};
  DeviceArray<std::uint8_t> right{std::span(foreign.offsets)};
  const Stream producer;
  const Stream stream;
  cudaEvent_t event = nullptr;
  GSST_CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  const auto write = [&](DeviceArray<std::uint8_t>& values) {
    GSST_CUDA_CHECK(cudaMemcpyAsync(on_device.offsets(), values.data(), foreign.offsets.size(),
                                    cudaMemcpyDeviceToDevice, producer.get()));
  };
  for (int i = 0; i < 2000; ++i) write(wrong);
  write(right);
  GSST_CUDA_CHECK(cudaEventRecord(event, producer.get()));
  on_device.array.sync_event = &event;
  const auto column = value_of(compress_column(foreign.schema, on_device.array, stream.get()));
  EXPECT_TRUE(strings_of_host_column(column) == strings);
  GSST_CUDA_CHECK(cudaEventDestroy(event));
}

TEST_F(GpuColumns, HostMemoryIsRefused) {
  const ForeignArray foreign("u", text_strings(5000));
  const Stream stream;
  ArrowDeviceArray on_host{};
  on_host.array = foreign.array;
  on_host.device_type = ARROW_DEVICE_CPU;
  on_host.device_id = -1;
  EXPECT_EQ(compress_column(foreign.schema, on_host, stream.get()).failure().error, Error::wrong_memory);
  on_host.device_type = ARROW_DEVICE_CUDA;
  on_host.device_id = 0;
  EXPECT_EQ(compress_column(foreign.schema, on_host, stream.get()).failure().error, Error::wrong_memory);
}

TEST_F(GpuColumns, DamageIsRefused) {
  const ForeignArray foreign("u", text_strings(5000));
  const Stream stream;
  const ForeignGpuArray on_device(foreign);
  auto column =
      value_of(compress_column(foreign.schema, on_device.array, stream.get(), {.format = Format::splits}));
  column[column.size() / 3] ^= std::byte{0x21};
  const auto refused = decompress_column(column, stream.get());
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.failure().message.find("block 0"), std::string::npos) << refused.failure().message;
}

// From here on no GPU is needed.

TEST(GpuColumnApi, NullPointersAndOptionsAreRefused) {
  const ForeignArray foreign("u", {"a"});
  ArrowDeviceArray array{};
  array.array = foreign.array;
  ArrowSchema schema{};
  gsst_message message;
  gsst_gpu_column_compress_plan* plan = nullptr;
  EXPECT_EQ(gsst_gpu_column_compress_plan_create(nullptr, &array, nullptr, nullptr, &plan, &message),
            GSST_ERROR_NULL_POINTER);
  EXPECT_STREQ(message.text, "schema is null");
  EXPECT_EQ(gsst_gpu_column_compress_plan_create(&foreign.schema, nullptr, nullptr, nullptr, &plan, &message),
            GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(
      gsst_gpu_column_compress_plan_create(&foreign.schema, &array, nullptr, nullptr, nullptr, &message),
      GSST_ERROR_NULL_POINTER);
  gsst_gpu_compress_options options{};
  options.struct_bytes = sizeof(options);
  options.tables = GSST_GPU_TABLES_LOADED;
  EXPECT_EQ(gsst_gpu_column_compress_plan_create(&foreign.schema, &array, &options, nullptr, &plan, &message),
            GSST_ERROR_INVALID_ARGUMENT);
  std::size_t bytes = 1;
  EXPECT_EQ(gsst_gpu_column_compress_execute(nullptr, nullptr, 0, &bytes, nullptr, &message),
            GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(bytes, 0u);
  EXPECT_EQ(gsst_gpu_column_compress_plan_output_bytes(nullptr), 0u);
  gsst_gpu_column_compress_plan_destroy(nullptr);
  EXPECT_EQ(gsst_gpu_column_decompress(nullptr, 0, nullptr, nullptr, nullptr, &array, &message),
            GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_gpu_column_decompress(nullptr, 5, nullptr, nullptr, &schema, &array, &message),
            GSST_ERROR_NULL_POINTER);
  EXPECT_STREQ(message.text, "column is null");
}

}  // namespace
}  // namespace gsst::gpu
