#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/gsst/tiles.hpp"
#include "common/frame/frame.hpp"
#include "library/column.hpp"
#include "library/device_column.hpp"
#include "library/failure.hpp"
#include "library/foreign_array.hpp"

// Columns in the memory of a device that the host cannot read: its addresses are no addresses here.
namespace gsst::library {
namespace {

using stage::Executor;

constexpr std::size_t address_shift = std::size_t{1} << 60;
constexpr std::align_val_t made_up_alignment{256};
constexpr ArrowDeviceType made_up_device = 12;

std::size_t allocations = 0;

// An address of the device, and the memory that is there.
template <typename Value>
Value* at_device(Value* memory) {
  return memory == nullptr ? nullptr : memory + address_shift / sizeof(Value);
}
template <typename Value>
Value* at_host(Value* memory) {
  return memory == nullptr ? nullptr : memory - address_shift / sizeof(Value);
}

// Runs what others would put on a stream at once, on the CPU executor.
class MadeUpDevice : public ColumnDevice {
public:
  ArrowDeviceType type() const override { return made_up_device; }
  std::int64_t id() const override { return 3; }
  void check_memory_of(const ArrowDeviceArray& array) const override {
    if (array.device_type != type()) throw ApiError(GSST_ERROR_WRONG_MEMORY, "array: another device");
  }
  std::uint8_t* allocate(std::size_t bytes) override {
    ++allocations;
    return at_device(static_cast<std::uint8_t*>(::operator new(bytes, made_up_alignment)));
  }
  Free free_function() const override {
    return [](void* memory) noexcept {
      --allocations;
      ::operator delete(at_host(static_cast<std::uint8_t*>(memory)), made_up_alignment);
    };
  }
  void wait_for_event(void* event) override { (*static_cast<std::function<void()>*>(event))(); }
  void copy_from_host(std::uint8_t* to, std::span<const std::uint8_t> from) override {
    if (!from.empty()) std::memcpy(at_host(to), from.data(), from.size());
  }
  void copy_to_host(std::span<std::uint8_t> to, const std::uint8_t* from) override {
    if (!to.empty()) std::memcpy(to.data(), at_host(from), to.size());
  }
  void copy(std::uint8_t* to, std::span<const std::uint8_t> from) override {
    ++copies;
    std::memcpy(at_host(to), at_host(from.data()), from.size());
  }
  GpuCompressPlan plan_compression(std::uint64_t input_bytes, const GpuCompressOptions& options) override {
    return {Executor::simt, input_bytes, options};
  }
  void compress(const GpuCompressPlan& plan, const GpuCompressMemory& memory) override {
    plan.enqueue({.input = at_host(memory.input),
                  .output = at_host(memory.output),
                  .scratch = at_host(memory.scratch),
                  .frame_bytes = at_host(memory.frame_bytes)},
                 nullptr);
  }
  GpuDecompressPlan plan_decompression(std::span<const std::uint8_t> frame,
                                       const GpuDecompressOptions& options) const override {
    return {Executor::simt, frame, options};
  }
  void decompress(const GpuDecompressPlan& plan, const GpuDecompressMemory& memory) override {
    plan.enqueue({.frame = at_host(memory.frame),
                  .output = at_host(memory.output),
                  .scratch = at_host(memory.scratch),
                  .status = at_host(memory.status)},
                 nullptr);
  }
  void wait() override {}

  unsigned copies = 0;
};

// What a foreign array has, as an array of the device.
class ForeignDeviceArray {
public:
  explicit ForeignDeviceArray(const ForeignArray& foreign)
      : buffers_(
            {on_device(foreign.buffers[0]), on_device(foreign.buffers[1]), on_device(foreign.buffers[2])}) {
    array.array = foreign.array;
    array.array.buffers = buffers_.data();
    array.device_type = made_up_device;
    array.device_id = 3;
  }

  ArrowDeviceArray array{};

private:
  static const void* on_device(const void* buffer) {
    return at_device(static_cast<const std::uint8_t*>(buffer));
  }

  std::array<const void*, 3> buffers_;
};

std::vector<std::uint8_t> compress_on_device(const ForeignArray& foreign, const ForeignDeviceArray& on_device,
                                             MadeUpDevice& device,
                                             const GpuCompressOptions& options = {.block_bytes = 2000,
                                                                                  .split_count = 8}) {
  const DeviceColumnCompressPlan plan(foreign.schema, on_device.array, options, device);
  std::vector<std::uint8_t> column(plan.output_bytes());
  column.resize(plan.execute(column, device));
  return column;
}

// The strings of an array whose buffers the host can read.
Strings strings_of(const ArrowSchema& schema, const ArrowArray& array) {
  const ArrowStrings strings(schema, array);
  Strings values;
  for (std::uint64_t number = 0; number < strings.size(); ++number) {
    const auto string = strings.string(number);
    values.push_back(string ? std::optional(std::string(string->begin(), string->end())) : std::nullopt);
  }
  return values;
}

// Decompresses on the CPU.
Strings strings_of_column(const std::vector<std::uint8_t>& column) {
  const auto plan = plan_column(std::span(column), DecompressOptions{});
  ArrowSchema schema{};
  ArrowArray array{};
  plan->decompress(0, plan->info().string_count, schema, array, nullptr);
  Strings values = strings_of(schema, array);
  array.release(&array);
  return values;
}

// Decompresses to the device, and reads there what came of it.
Strings strings_on_device(const std::vector<std::uint8_t>& column, const char* format) {
  MadeUpDevice device;
  ArrowSchema schema{};
  ArrowDeviceArray array{};
  decompress_to_device(column, {}, device, schema, array);
  EXPECT_STREQ(schema.format, format);
  EXPECT_EQ(array.device_type, made_up_device);
  EXPECT_EQ(array.device_id, 3);
  EXPECT_EQ(array.sync_event, nullptr);
  EXPECT_EQ(array.array.offset, 0);
  std::array<const void*, 3> buffers = {at_host(static_cast<const std::uint8_t*>(array.array.buffers[0])),
                                        at_host(static_cast<const std::uint8_t*>(array.array.buffers[1])),
                                        at_host(static_cast<const std::uint8_t*>(array.array.buffers[2]))};
  ArrowArray readable = array.array;
  readable.buffers = buffers.data();
  Strings values = strings_of(schema, readable);
  array.array.release(&array.array);
  EXPECT_EQ(array.array.release, nullptr);
  EXPECT_EQ(allocations, 0u);
  return values;
}

Strings some_strings(std::size_t count) {
  Strings strings;
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_null = i % 11 == 3;
    strings.push_back(is_null ? std::nullopt
                              : std::optional("string " + std::string(i % 7, 'x') + std::to_string(i * i)));
  }
  return strings;
}

TEST(DeviceColumns, EveryTypeGoesToTheHostAndBackToTheDevice) {
  for (const char* const format : {"u", "U", "z", "Z"}) {
    SCOPED_TRACE(format);
    const Strings strings = some_strings(2500);
    const ForeignArray foreign(format, strings);
    MadeUpDevice device;
    const auto column = compress_on_device(foreign, ForeignDeviceArray(foreign), device);
    EXPECT_EQ(device.copies, 0u);
    EXPECT_EQ(allocations, 0u);
    EXPECT_TRUE(strings_of_column(column) == strings);
    EXPECT_TRUE(strings_on_device(column, format) == strings);
  }
}

TEST(DeviceColumns, TilesOfEveryWidthGoToTheHostAndBackToTheDevice) {
  const Strings strings = some_strings(2500);
  const ForeignArray foreign("u", strings, "hidden");
  for (const std::uint32_t code_bits : format::tile_code_bits) {
    SCOPED_TRACE(code_bits);
    MadeUpDevice device;
    const auto column = compress_on_device(
        foreign, ForeignDeviceArray(foreign), device,
        {.tables = GpuTables::trained_anywhere, .block_bytes = 20000, .tile_code_bits = code_bits});
    const format::FrameView frame = format::parse_frame(parse_column(column).frame);
    EXPECT_EQ(frame.header.format, format::BlockFormat::tiles);
    EXPECT_EQ(allocations, 0u);
    EXPECT_TRUE(strings_of_column(column) == strings);
    EXPECT_TRUE(strings_on_device(column, "u") == strings);
  }
}

TEST(DeviceColumns, SlicesAndNullsWithBytes) {
  const Strings strings = some_strings(300);
  const ForeignArray foreign("u", strings, "hidden");
  for (const auto& [first, count] :
       {std::pair(0, 300), std::pair(3, 290), std::pair(8, 1), std::pair(17, 0)}) {
    SCOPED_TRACE(first);
    ForeignDeviceArray on_device(foreign);
    on_device.array.array.offset = first;
    on_device.array.array.length = count;
    const Strings expected(strings.begin() + first, strings.begin() + first + count);
    MadeUpDevice device;
    const auto column = compress_on_device(foreign, on_device, device);
    EXPECT_TRUE(strings_of_column(column) == expected);
    EXPECT_TRUE(strings_on_device(column, "u") == expected);
    EXPECT_LE(device.copies, 30u);
  }
}

TEST(DeviceColumns, ColumnsOfNothingAndOfNulls) {
  for (const Strings& strings : {Strings(), Strings(1000), Strings(10, "")}) {
    const ForeignArray foreign("U", strings);
    MadeUpDevice device;
    const auto column = compress_on_device(foreign, ForeignDeviceArray(foreign), device);
    EXPECT_TRUE(strings_of_column(column) == strings);
    EXPECT_TRUE(strings_on_device(column, "U") == strings);
  }
}

TEST(DeviceColumns, AnArrayIsReadBehindItsEvent) {
  const Strings strings = some_strings(100);
  ForeignArray foreign("u", strings);
  const std::vector<std::uint8_t> offsets = foreign.offsets;
  std::fill(foreign.offsets.begin(), foreign.offsets.end(), std::uint8_t{0xff});
  ForeignDeviceArray on_device(foreign);
  std::function<void()> write_offsets = [&] {
    std::copy(offsets.begin(), offsets.end(), foreign.offsets.begin());
  };
  on_device.array.sync_event = &write_offsets;
  MadeUpDevice device;
  EXPECT_TRUE(strings_of_column(compress_on_device(foreign, on_device, device)) == strings);
}

TEST(DeviceColumns, ArraysOfAnotherDeviceAndWrongOffsetsAreRefused) {
  ForeignArray foreign("u", some_strings(100));
  MadeUpDevice device;
  ForeignDeviceArray on_device(foreign);
  on_device.array.device_type = ARROW_DEVICE_CPU;
  EXPECT_THROW(compress_on_device(foreign, on_device, device), ApiError);
  on_device.array.device_type = made_up_device;
  foreign.offsets[200] ^= 0x40;
  EXPECT_THROW(compress_on_device(foreign, on_device, device), std::invalid_argument);
}

TEST(DeviceColumns, AColumnWithASeparatorIsRefusedAsAVersionThatIsNotKnown) {
  const ForeignArray foreign("u", some_strings(100));
  const auto plan = plan_dense_column(ArrowStrings(foreign.schema, foreign.array), {}, std::uint8_t{0});
  std::vector<std::uint8_t> column(plan->output_bytes());
  column.resize(plan->execute(column));
  MadeUpDevice device;
  ArrowSchema schema{};
  ArrowDeviceArray array{};
  try {
    decompress_to_device(column, {}, device, schema, array);
    FAIL();
  } catch (const format::FormatError& error) {
    EXPECT_EQ(error.field(), "column version");
  }
  EXPECT_EQ(array.array.release, nullptr);
  EXPECT_EQ(allocations, 0u);
}

TEST(DeviceColumns, DamageIsAnErrorAndFreesEverything) {
  const ForeignArray foreign("u", some_strings(1000));
  MadeUpDevice device;
  const auto column = compress_on_device(foreign, ForeignDeviceArray(foreign), device);
  const format::StringColumnView view = parse_column(column);
  ArrowSchema schema{};
  ArrowDeviceArray array{};
  for (const std::size_t place : {std::size_t{60}, view.frame.size() / 4, view.frame.size() + 20}) {
    SCOPED_TRACE(place);
    auto damaged = column;
    damaged[place] ^= 0x21;
    EXPECT_THROW(decompress_to_device(damaged, {}, device, schema, array), format::FormatError);
    EXPECT_EQ(array.array.release, nullptr);
    EXPECT_EQ(allocations, 0u);
  }
  EXPECT_THROW(decompress_to_device(view.frame, {}, device, schema, array), WrongFormat);
}

}  // namespace
}  // namespace gsst::library
