#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gsst/gpu_orc_column.hpp"
#include "library/gpu_test_memory.hpp"

// gsst/gpu_orc_column.hpp and, through it, gsst/gpu_orc_column.h. What decodes is tested on columns that
// pyarrow has written in stages/codag/orc/array_plan_test.cpp, with and without a GPU.
namespace gsst::gpu {
namespace {

using namespace test;

// Two stripes of ten rows, the first one with nulls.
const std::vector<unsigned> small_streams = {
    // PRESENT: rows 0, 2, 3, 6, 7 and 8.
    0xfe, 0xb3, 0x80,
    // DATA: 1 to 6.
    0x03, 0x01, 0x02,
    // DATA of the second stripe: -5 ten times.
    0x07, 0x00, 0x09};
const std::vector<std::int32_t> small_values = {1,  0,  2,  3,  0,  0,  4,  5,  6,  0,
                                                -5, -5, -5, -5, -5, -5, -5, -5, -5, -5};
constexpr std::uint32_t small_validity = 0xffdcd;

OrcStripe stripe_of(std::uint64_t present, std::uint64_t data) {
  OrcStripe stripe{};
  stripe.rows = 10;
  stripe.has_present = present == data ? 0 : 1;
  stripe.present_offset = present;
  stripe.present_bytes = data - present;
  stripe.data_offset = data;
  stripe.data_bytes = 3;
  return stripe;
}

struct SmallColumn {
  Bytes input;
  std::vector<OrcStripe> stripes = {stripe_of(0, 3), stripe_of(6, 6)};
  OrcColumn column = {
      .values = OrcValues::int32, .coding = ChunkCodec::rle_v1, .stripes = stripes, .row_groups = {}};

  SmallColumn() {
    for (const unsigned byte : small_streams) input.push_back(static_cast<std::byte>(byte));
  }
  SmallColumn(const SmallColumn&) = delete;
  SmallColumn& operator=(const SmallColumn&) = delete;
};

// What an execution works in.
struct OrcMemoryOfTest {
  explicit OrcMemoryOfTest(const OrcSizes& sizes)
      : input(sizes.input_bytes),
        values(sizes.values_bytes),
        validity(sizes.validity_bytes),
        nulls(1),
        state(sizes.state_bytes),
        scratch(sizes.scratch_bytes),
        status(sizes.status_count) {}

  OrcMemory memory() {
    return {.input = input.all(),
            .values = values.all(),
            .validity = validity.all(),
            .nulls = nulls.data(),
            .state = state.all(),
            .scratch = scratch.all(),
            .status = status.all()};
  }
  void poison() {
    values.fill(0xb7);
    validity.fill(0xb7);
    nulls.fill(0xb7);
    scratch.fill(0xb7);
    status.fill(0xb7);
  }
  bool is_intact() const {
    return input.is_intact() && values.is_intact() && validity.is_intact() && nulls.is_intact() &&
           state.is_intact() && scratch.is_intact() && status.is_intact();
  }

  DeviceArray<std::byte> input;
  DeviceArray<std::byte> values;
  DeviceArray<std::byte> validity;
  DeviceArray<std::uint64_t> nulls;
  DeviceArray<std::byte> state;
  DeviceArray<std::byte> scratch;
  DeviceArray<std::uint32_t> status;
};

template <typename Value>
Bytes bytes_of_orc(std::span<const Value> values) {
  const auto bytes = std::as_bytes(values);
  return {bytes.begin(), bytes.end()};
}

TEST_F(GpuLibrary, AColumnOfOrcIsDecodedToAnArrayByAGraphThatRunsAgain) {
  const SmallColumn small;
  OrcPlan plan = value_of(OrcPlan::create(small.column));
  OrcMemoryOfTest arrays(plan.sizes());
  arrays.input.write(small.input);
  const Stream stream;
  expect_refused(plan.execute(arrays.memory(), stream.get()), Error::invalid_argument, "not prepared");
  value_of(plan.prepare(arrays.state.all(), stream.get()));
  stream.wait();
  const Graph graph(stream, [&] { value_of(plan.execute(arrays.memory(), stream.get())); });
  for (int run = 0; run < 2; ++run) {
    arrays.poison();
    graph.run(stream);
    EXPECT_EQ(value_of(check_row_group_status(arrays.status.read())), 2u);
    EXPECT_TRUE(arrays.values.read() == bytes_of_orc(std::span(small_values)));
    EXPECT_TRUE(arrays.validity.read() == bytes_of_orc(std::span(&small_validity, 1)));
    EXPECT_EQ(arrays.nulls.read().front(), 4u);
    EXPECT_TRUE(arrays.is_intact());
  }
  // Damage in the second stripe.
  Bytes damaged = small.input;
  damaged[6] = std::byte{0x08};
  arrays.input.write(damaged);
  graph.run(stream);
  const Failure failure = check_row_group_status(arrays.status.read()).failure();
  EXPECT_EQ(failure.error, Error::damaged);
  EXPECT_EQ(failure.message,
            "row group 1: stream DATA: values go past the block's end, in the run at byte 0");
  const auto captured_state = [&] { value_of(plan.prepare(arrays.state.all(), stream.get())); };
  EXPECT_THROW(Graph(stream, captured_state), std::runtime_error);
  cudaGraph_t left = nullptr;
  cudaStreamEndCapture(stream.get(), &left);
  if (left != nullptr) cudaGraphDestroy(left);
}

TEST_F(GpuLibrary, AnArrayOfOrcIsTheCallersMemory) {
  const SmallColumn small;
  OrcPlan plan = value_of(OrcPlan::create(small.column));
  OrcMemoryOfTest arrays(plan.sizes());
  for (const bool is_counted : {false, true}) {
    const std::optional<std::uint64_t> nulls = is_counted ? std::optional<std::uint64_t>(4) : std::nullopt;
    OwnedDeviceArray made = value_of(plan.array(arrays.memory(), nulls, nullptr));
    EXPECT_STREQ(made.schema().format, "i");
    const ArrowDeviceArray& array = made.array();
    EXPECT_EQ(array.device_type, ARROW_DEVICE_CUDA);
    EXPECT_EQ(array.sync_event, nullptr);
    EXPECT_EQ(array.array.length, 20);
    EXPECT_EQ(array.array.null_count, is_counted ? 4 : -1);
    ASSERT_EQ(array.array.n_buffers, 2);
    EXPECT_EQ(array.array.buffers[0], arrays.validity.data());
    EXPECT_EQ(array.array.buffers[1], arrays.values.data());
  }
  EXPECT_EQ(plan.array(arrays.memory(), 21, nullptr).failure().error, Error::invalid_argument);
}

// Needs no GPU, as the next ones.
TEST(GpuOrcColumn, PlansSayWhatTheyNeed) {
  const SmallColumn small;
  const OrcSizes sizes = value_of(OrcPlan::create(small.column)).sizes();
  EXPECT_EQ(sizes.input_bytes, 9u);
  EXPECT_EQ(sizes.rows, 20u);
  EXPECT_EQ(sizes.values_bytes, 80u);
  EXPECT_EQ(sizes.validity_bytes, 4u);
  EXPECT_EQ(sizes.status_count, 2u);
  EXPECT_EQ(sizes.device_bytes, 9u + 80u + 4u + sizes.state_bytes + sizes.scratch_bytes + 2u * 4u + 8u);
  OrcColumn none = small.column;
  none.stripes = {};
  EXPECT_EQ(value_of(OrcPlan::create(none)).sizes().values_bytes, 0u);
}

TEST(GpuOrcColumn, MetadataThatContradictsItselfIsNamed) {
  const auto expect_named = [](const std::function<void(SmallColumn&)>& change, const std::string& word) {
    SmallColumn small;
    change(small);
    small.column.stripes = small.stripes;
    const Failure failure = OrcPlan::create(small.column).failure();
    EXPECT_EQ(failure.error, Error::invalid_argument);
    EXPECT_NE(failure.message.find(word), std::string::npos) << failure.message;
  };
  expect_named([](SmallColumn& made) { made.column.values = static_cast<OrcValues>(8); },
               "values 8 are none");
  expect_named([](SmallColumn& made) { made.column.coding = ChunkCodec::deflate; }, "coding 4 is none");
  expect_named([](SmallColumn& made) { made.column.coding = ChunkCodec::byte_rle; }, "stripe 0: the coding");
  expect_named([](SmallColumn& made) { made.stripes[1].has_present = 2; }, "stripe 1: has_present");
  expect_named([](SmallColumn& made) { made.stripes[1].reserved = 1; }, "stripe 1: reserved");
  expect_named([](SmallColumn& made) { made.stripes[1].row_group_count = 1; },
               "stripe 1: has more row groups");
  const OrcRowGroup group = {.rows = 10, .present = {}, .data = {}};
  expect_named(
      [&](SmallColumn& made) {
        made.column.row_groups = {&group, 1};
      },
      "row_group_count is 1, the stripes have 0");
}

TEST(GpuOrcColumn, StructsOfAnotherVersionAreRefusedAndNullIsNamed) {
  gsst_orc_column column{};
  column.struct_bytes = sizeof(column);
  column.values = GSST_ORC_INT64;
  column.coding = GSST_CHUNK_RLE_V2;
  gsst_gpu_orc_plan* plan = nullptr;
  gsst_message message;
  const auto create = [&] { return gsst_gpu_orc_plan_create(&column, &plan, &message); };
  EXPECT_EQ(create(), GSST_OK);
  gsst_gpu_orc_plan_destroy(plan);
  column.struct_bytes += 8;
  EXPECT_EQ(create(), GSST_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(plan, nullptr);
  column.struct_bytes -= 8;
  column.reserved = 1;
  EXPECT_EQ(create(), GSST_ERROR_INVALID_ARGUMENT);
  column.reserved = 0;
  const auto null = GSST_ERROR_NULL_POINTER;
  column.stripe_count = 1;
  EXPECT_EQ(create(), null);
  column.stripe_count = 0;
  column.row_group_count = 1;
  EXPECT_EQ(create(), null);
  EXPECT_EQ(gsst_gpu_orc_plan_create(nullptr, &plan, nullptr), null);
  EXPECT_EQ(gsst_gpu_orc_plan_create(&column, nullptr, nullptr), null);
  EXPECT_EQ(gsst_gpu_orc_plan_sizes(nullptr, nullptr), null);
  EXPECT_EQ(gsst_gpu_check_row_group_status(nullptr, 1, nullptr), null);
  gsst_gpu_orc_plan_destroy(nullptr);
}

}  // namespace
}  // namespace gsst::gpu
