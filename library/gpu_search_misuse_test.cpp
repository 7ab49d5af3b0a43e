#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gsst/gpu_search.hpp"
#include "library/gpu_test_memory.hpp"
#include "library/made_up_device.hpp"

// Wrong arguments of searches on a GPU.
namespace gsst::gpu {
namespace {

using namespace test;

constexpr std::size_t raw_block_bytes = 1000;
constexpr std::size_t raw_blocks = 6;

// Of blocks that are stored raw: a plan for codes would ask the device how many thread blocks run at once.
Bytes frame_of_raw_blocks(Format format = Format::tiles) {
  const Bytes random = to_bytes(reference::test::make_random(raw_blocks * raw_block_bytes, 1));
  return value_of(compress(random, {.format = format, .block_bytes = raw_block_bytes}));
}

// What a search works in.
struct SearchBytes {
  explicit SearchBytes(const SearchSizes& sizes)
      : counts(sizes.count_count),
        positions(sizes.position_count),
        state(sizes.state_bytes),
        scratch(sizes.scratch_bytes),
        status(sizes.status_count) {}

  SearchMemory memory(const Bytes& frame) {
    return {.frame = frame,
            .counts = counts,
            .positions = positions,
            .state = state.all(),
            .scratch = scratch.all(),
            .status = status};
  }

  std::vector<std::uint64_t> counts;
  std::vector<std::uint64_t> positions;
  AlignedBytes state;
  AlignedBytes scratch;
  std::vector<std::uint32_t> status;
};

constexpr std::array<Pattern, 2> two_words = {{{.text = "one"}, {.text = "two"}}};

TEST_F(GpuMisuse, SearchingLooksAtAllThatItIsGiven) {
  const Bytes frame = frame_of_raw_blocks();
  const SearchPlan plan = value_of(SearchPlan::create(frame, two_words, {.position_capacity = 5}, nullptr));
  const SearchSizes sizes = plan.sizes();
  EXPECT_EQ(sizes.frame_bytes, frame.size());
  EXPECT_EQ(sizes.count_count, 2u);
  EXPECT_EQ(sizes.position_count, 10u);
  EXPECT_EQ(sizes.status_count, 2 * raw_blocks);
  EXPECT_EQ(sizes.device_bytes, frame.size() + 8 * (sizes.count_count + sizes.position_count) +
                                    sizes.state_bytes + sizes.scratch_bytes + 4 * sizes.status_count);
  SearchBytes bytes(sizes);
  const auto refuse = [&](auto change, Error error, const std::string& word) {
    SearchMemory memory = bytes.memory(frame);
    change(memory);
    expect_refused(plan.execute(memory, nullptr), error, word);
  };
  using Memory = SearchMemory;
  constexpr std::byte* nothing = nullptr;
  refuse([](Memory&) {}, Error::invalid_argument, "state: the plan was not prepared");
  refuse([](Memory& memory) { memory.frame = memory.frame.first(99); }, Error::invalid_argument,
         "frame_bytes");
  refuse([&](Memory& memory) { memory.frame = {nothing, frame.size()}; }, Error::null_pointer, "frame");
  refuse([](Memory& memory) { memory.counts = memory.counts.first(1); }, Error::output_too_small, "counts");
  refuse([](Memory& memory) { memory.positions = memory.positions.first(9); }, Error::output_too_small,
         "positions");
  refuse(
      [](Memory& memory) {
        auto* const between = reinterpret_cast<std::byte*>(memory.positions.data()) + 4;
        memory.positions = {reinterpret_cast<std::uint64_t*>(between), memory.positions.size()};
      },
      Error::misaligned, "positions");
  refuse([](Memory& memory) { memory.state = memory.state.first(memory.state.size() - 1); },
         Error::scratch_too_small, "state");
  refuse([](Memory& memory) { memory.scratch = memory.scratch.first(memory.scratch.size() - 1); },
         Error::scratch_too_small, "scratch");
  refuse(
      [](Memory& memory) {
        memory.scratch = {memory.scratch.data() + 8, memory.scratch.size()};
      },
      Error::misaligned, "scratch");
  refuse([](Memory& memory) { memory.status = memory.status.first(11); }, Error::output_too_small, "status");
  refuse([](Memory& memory) { memory.scratch = memory.state; }, Error::overlap, "state and scratch");
  for (const void* const pointer :
       {static_cast<const void*>(bytes.counts.data()), static_cast<const void*>(bytes.status.data())}) {
    made_up->elsewhere = pointer;
    refuse([](Memory&) {}, Error::wrong_memory, pointer == bytes.counts.data() ? "counts" : "status");
  }
  made_up->elsewhere = nullptr;
  made_up->number = 3;
  refuse([](Memory&) {}, Error::wrong_device, "the plan is for device 0");
}

TEST_F(GpuMisuse, PreparingASearchLooksAtAllThatItIsGiven) {
  const Bytes frame = frame_of_raw_blocks();
  SearchPlan plan = value_of(SearchPlan::create(frame, two_words[0], {}, nullptr));
  const SearchBytes bytes(plan.sizes());
  const std::span<std::byte> state = bytes.state.all();
  const auto refuse = [&](std::span<const std::byte> given, std::span<std::byte> to, Error error,
                          const std::string& word) {
    expect_refused(plan.prepare(given, to, nullptr), error, word);
  };
  const std::span<const std::byte> whole(frame);
  constexpr std::byte* nothing = nullptr;
  refuse(whole.first(99), state, Error::invalid_argument, "frame_bytes");
  refuse({nothing, whole.size()}, state, Error::null_pointer, "frame");
  refuse(whole, state.first(state.size() - 1), Error::scratch_too_small, "state");
  refuse(whole, {nothing, state.size()}, Error::null_pointer, "state");
  refuse(whole, {state.data() + 8, state.size()}, Error::misaligned, "state");
  made_up->elsewhere = state.data();
  refuse(whole, state, Error::wrong_memory, "state");
  made_up->elsewhere = nullptr;
  made_up->number = 3;
  refuse(whole, state, Error::wrong_device, "the plan is for device 0");
  made_up->number = 0;
  made_up->is_capturing = true;
  refuse(whole, state, Error::invalid_argument, "being captured: prepare the plan before");
}

TEST_F(GpuMisuse, PlansOfSearchesAreMadeOfWhatAGpuSearches) {
  const Bytes frame = frame_of_raw_blocks();
  const auto refuse = [&](const Bytes& searched, const Pattern& pattern, Error error,
                          const std::string& word) {
    const Result<SearchPlan> plan = SearchPlan::create(searched, pattern, {}, nullptr);
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.failure().error, error) << plan.failure().message;
    EXPECT_NE(plan.failure().message.find(word), std::string::npos) << plan.failure().message;
  };
  const Pattern word{.text = "one"};
  refuse(frame, {.text = "o%e", .kind = PatternKind::like}, Error::invalid_argument,
         "pattern 0: kind is 5, a GPU searches for substrings only");
  refuse(frame, {.text = ""}, Error::invalid_argument, "pattern 0: has 0 bytes");
  refuse(frame, {.text = {nullptr, 3}}, Error::null_pointer, "pattern 0: bytes");
  refuse(frame_of_raw_blocks(Format::splits), word, Error::wrong_format, "only tiles");
  refuse(Bytes(5000), word, Error::wrong_format, "no");
  refuse({}, word, Error::wrong_format, "not a gsst frame");
  Bytes damaged = frame;
  damaged[damaged.size() - 50] ^= std::byte{1};
  refuse(damaged, word, Error::wrong_checksum, "index checksum");
  made_up->elsewhere = frame.data();
  refuse(frame, word, Error::wrong_memory, "frame");
  made_up->elsewhere = nullptr;
  made_up->is_capturing = true;
  refuse(frame, word, Error::invalid_argument, "being captured: create the plan before");
  made_up->is_capturing = false;
  made_up->capability = 80;
  refuse(frame, word, Error::wrong_device, "at least 9.0");
}

TEST_F(GpuMisuse, CFunctionsOfSearchesLookAtTheirArguments) {
  const Bytes frame = frame_of_raw_blocks();
  gsst_message message;
  const auto expect_named = [&](gsst_error found, gsst_error expected, const char* word) {
    EXPECT_EQ(found, expected) << message.text;
    EXPECT_NE(std::string(message.text).find(word), std::string::npos) << message.text;
  };
  gsst_pattern pattern{.bytes = "one", .size = 3, .kind = GSST_PATTERN_SUBSTRING, .reserved = 1};
  gsst_gpu_search_options options{.struct_bytes = 8, .reserved = 0, .position_capacity = 0};
  gsst_gpu_search_plan* plan = nullptr;
  const auto create = [&](const gsst_pattern* patterns, gsst_gpu_search_plan** made) {
    return gsst_gpu_search_plan_create(frame.data(), frame.size(), patterns, 1, &options, nullptr, made,
                                       &message);
  };
  expect_named(create(&pattern, nullptr), GSST_ERROR_NULL_POINTER, "plan is null");
  expect_named(create(nullptr, &plan), GSST_ERROR_NULL_POINTER, "patterns is null");
  expect_named(create(&pattern, &plan), GSST_ERROR_INVALID_ARGUMENT, "options: struct_bytes");
  options = {.struct_bytes = sizeof(options), .reserved = 1, .position_capacity = 0};
  expect_named(create(&pattern, &plan), GSST_ERROR_INVALID_ARGUMENT, "options: reserved");
  options.reserved = 0;
  expect_named(create(&pattern, &plan), GSST_ERROR_INVALID_ARGUMENT, "pattern 0: reserved");
  EXPECT_EQ(plan, nullptr);
  pattern.reserved = 0;
  ASSERT_EQ(create(&pattern, &plan), GSST_OK) << message.text;

  gsst_gpu_search_sizes sizes{};
  EXPECT_EQ(gsst_gpu_search_plan_sizes(plan, &sizes), GSST_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(gsst_gpu_search_plan_sizes(plan, nullptr), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_gpu_search_plan_sizes(nullptr, &sizes), GSST_ERROR_NULL_POINTER);
  gsst_gpu_search_memory memory{};
  expect_named(gsst_gpu_search_execute(nullptr, &memory, nullptr, &message), GSST_ERROR_NULL_POINTER,
               "plan is null");
  expect_named(gsst_gpu_search_execute(plan, nullptr, nullptr, &message), GSST_ERROR_NULL_POINTER,
               "memory is null");
  expect_named(gsst_gpu_search_execute(plan, &memory, nullptr, &message), GSST_ERROR_INVALID_ARGUMENT,
               "struct_bytes");
  memory.struct_bytes = sizeof(memory);
  memory.reserved = 1;
  expect_named(gsst_gpu_search_execute(plan, &memory, nullptr, &message), GSST_ERROR_INVALID_ARGUMENT,
               "memory: reserved");
  expect_named(gsst_gpu_search_prepare(nullptr, frame.data(), frame.size(), nullptr, 0, nullptr, &message),
               GSST_ERROR_NULL_POINTER, "plan is null");

  const std::uint64_t count = 0;
  const std::vector<std::uint32_t> status(raw_blocks);
  const auto check = [&](const std::uint64_t* counts, std::size_t count_count, std::size_t status_count) {
    return gsst_gpu_search_check(plan, counts, count_count, status.data(), status_count, &message);
  };
  EXPECT_EQ(check(&count, 1, raw_blocks), GSST_OK) << message.text;
  expect_named(check(&count, 2, raw_blocks), GSST_ERROR_INVALID_ARGUMENT, "count_count");
  expect_named(check(&count, 1, raw_blocks - 1), GSST_ERROR_INVALID_ARGUMENT, "status_count");
  expect_named(check(nullptr, 1, raw_blocks), GSST_ERROR_NULL_POINTER, "counts");
  expect_named(gsst_gpu_search_check(plan, &count, 1, nullptr, raw_blocks, &message), GSST_ERROR_NULL_POINTER,
               "status");
  expect_named(gsst_gpu_search_check(nullptr, &count, 1, status.data(), raw_blocks, &message),
               GSST_ERROR_NULL_POINTER, "plan");
  gsst_gpu_search_plan_destroy(plan);
  gsst_gpu_search_plan_destroy(nullptr);
}

TEST_F(GpuMisuse, DecompressionOfAFrameOfADeviceIsPlannedFromItsMemory) {
  const Bytes frame = compress_on_cpu(text(300'000, 1), Format::tiles);
  const DecompressPlan from_host = value_of(DecompressPlan::create(frame));
  const DecompressPlan plan = value_of(DecompressPlan::create_on_device(frame, {}, nullptr));
  EXPECT_EQ(plan.info().uncompressed_bytes, 300'000u);
  EXPECT_EQ(plan.sizes().device_bytes, from_host.sizes().device_bytes);
  EXPECT_EQ(value_of(plan.ranges_sizes(7)).scratch_bytes, value_of(from_host.ranges_sizes(7)).scratch_bytes);
  const auto refuse = [](const Bytes& bytes, const DecompressOptions& options, Error error) {
    const Result<DecompressPlan> refused = DecompressPlan::create_on_device(bytes, options, nullptr);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.failure().error, error) << refused.failure().message;
  };
  refuse(frame, {.format = Format::splits}, Error::wrong_format);
  refuse(compress_on_cpu(text(1000, 1), Format::splits), {}, Error::wrong_format);
  made_up->elsewhere = frame.data();
  refuse(frame, {}, Error::wrong_memory);
  made_up->elsewhere = nullptr;
  made_up->is_capturing = true;
  refuse(frame, {}, Error::invalid_argument);
  made_up->is_capturing = false;
  made_up->capability = 75;
  refuse(frame, {}, Error::wrong_device);
  gsst_message message;
  EXPECT_EQ(gsst_gpu_decompress_plan_create_on_device(frame.data(), frame.size(), nullptr, nullptr, nullptr,
                                                      &message),
            GSST_ERROR_NULL_POINTER);
}

}  // namespace
}  // namespace gsst::gpu
