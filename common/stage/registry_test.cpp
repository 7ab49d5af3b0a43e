#include "common/stage/registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/frame/frame.hpp"
#include "common/stage/run_decode.hpp"

namespace gsst::stage {
namespace {

Description describe(const std::string& id, Operation operation) {
  return {.id = id,
          .base = "",
          .title = "A stage",
          .section = "1",
          .format = format::BlockFormat::blocks,
          .operation = operation,
          .minimum_compute_capability = 80,
          .parameters = {}};
}

const DecodePlans decode{};
constexpr const EncodePlans* encode = nullptr;
const RangesPlans ranges{};

TEST(Registry, ListsAnIdOnceForEachOperationWithItsExecutors) {
  const std::string id = "test/both";
  const Registration decoder_on_cpu(Executor::simt, describe(id, Operation::decode), decode);
  const Registration decoder_on_gpu(Executor::gpu, describe(id, Operation::decode), decode);
  const Registration encoder_on_cpu(Executor::simt, describe(id, Operation::encode), encode);
  const Registration ranges_on_gpu(Executor::gpu, describe(id, Operation::ranges), ranges);

  const RegisteredStage* const decoder = find_stage(id, Operation::decode);
  ASSERT_NE(decoder, nullptr);
  EXPECT_EQ(decoder->decode.size(), 2u);
  EXPECT_TRUE(decoder->encode.empty());
  EXPECT_TRUE(is_registered_for(*decoder, Executor::gpu));
  EXPECT_FALSE(is_registered_for(*decoder, Executor::cpu));

  const RegisteredStage* const encoding = find_stage(id, Operation::encode);
  ASSERT_NE(encoding, nullptr);
  EXPECT_TRUE(encoding->decode.empty());
  EXPECT_TRUE(is_registered_for(*encoding, Executor::simt));
  EXPECT_FALSE(is_registered_for(*encoding, Executor::gpu));

  ASSERT_NE(find_stage(id, Operation::ranges), nullptr);
  EXPECT_TRUE(is_registered_for(*find_stage(id, Operation::ranges), Executor::gpu));
  EXPECT_EQ(find_stage(id, Operation::query), nullptr);
}

TEST(Registry, ListsStagesByRisingId) {
  for (const char* const name : {"m", "a", "z", "b"}) {
    const Registration registration(Executor::simt,
                                    describe(std::string("test/sorted_") + name, Operation::decode), decode);
  }
  const auto id = [](const RegisteredStage& stage) { return stage.description.id; };
  EXPECT_TRUE(std::ranges::is_sorted(registered_stages(Operation::decode), {}, id));
  EXPECT_NE(find_stage("test/sorted_b", Operation::decode), nullptr);
  EXPECT_EQ(find_stage("test/sorted_c", Operation::decode), nullptr);
  EXPECT_EQ(find_stage("test/sorted_b", Operation::encode), nullptr);
}

TEST(Registry, RefusesASecondRegistrationAndAnotherOperation) {
  const Description description = describe("test/twice", Operation::decode);
  const Registration first(Executor::simt, description, decode);
  EXPECT_THROW(Registration(Executor::simt, description, decode), std::logic_error);
  EXPECT_THROW(Registration(Executor::simt, description, encode), std::logic_error);
  EXPECT_THROW(Registration(Executor::simt, describe("test/twice", Operation::encode), decode),
               std::logic_error);
  EXPECT_EQ(find_stage("test/twice", Operation::encode), nullptr);
}

TEST(Registry, NamesExecutorsAndOperations) {
  std::string names;
  for (const Executor executor : executors) names.append(executor_name(executor)).append(" ");
  for (const Operation operation : operations) names.append(operation_name(operation)).append(" ");
  EXPECT_EQ(names, "cpu simt gpu decode encode ranges query ");
}

// Decodes frames whose blocks are stored as they are, without a kernel.
class CopyPlan : public Plan {
public:
  explicit CopyPlan(const FrameOnDevice& frame)
      : frame_(frame),
        parts_{{{.name = "frame", .role = Role::input, .bytes = frame.frame_bytes, .alignment = 1},
                {.name = "output", .role = Role::output, .bytes = frame.uncompressed_bytes, .alignment = 1},
                {.name = "scratch", .role = Role::scratch, .bytes = 0, .alignment = 1},
                {.name = "status",
                 .role = Role::status,
                 .bytes = frame.block_count * sizeof(std::uint32_t),
                 .alignment = 4}}} {}

  std::span<const Part> parts() const override { return parts_; }
  std::span<const Phase> phases() const override {
    static constexpr std::array phases = {Phase{.name = "copies"}};
    return phases;
  }
  void enqueue(std::span<const Given> given, Stream /*stream*/, std::size_t /*phase*/) const override {
    FrameOnDevice frame = frame_;
    frame.bytes = static_cast<const std::uint8_t*>(given[0].data);
    for (std::uint32_t number = 0; number < frame.block_count; ++number) {
      const BlockOnDevice block = frame.block(number, static_cast<std::uint8_t*>(given[1].data));
      std::memcpy(block.output, block.payload, block.uncompressed_bytes);
      static_cast<std::uint32_t*>(given[3].data)[number] = 0;
    }
  }
  Outcome check(std::span<const std::byte> /*status*/, std::span<const std::byte> /*result*/,
                std::uint64_t /*first*/) const override {
    return {.count = frame_.uncompressed_bytes, .is_complete = true};
  }

private:
  FrameOnDevice frame_;
  std::array<Part, 4> parts_;
};

// A frame of one block that is stored as it is.
std::vector<std::uint8_t> raw_frame(std::span<const std::uint8_t> output) {
  const auto header = format::build_frame_header(
      {.format = format::BlockFormat::blocks, .block_size = 1000, .split_count = 1});
  std::vector<std::uint8_t> frame(header.begin(), header.end());
  const format::BlockRecord record = {.layout = format::BlockLayout::raw,
                                      .payload_bytes = static_cast<std::uint32_t>(output.size()),
                                      .uncompressed_bytes = static_cast<std::uint32_t>(output.size()),
                                      .checksum = format::checksum(output)};
  const auto record_bytes = format::build_block_record(record);
  frame.insert(frame.end(), record_bytes.begin(), record_bytes.end());
  frame.insert(frame.end(), output.begin(), output.end());
  format::FrameIndex index;
  format::append_block(index, record);
  const std::vector<std::uint8_t> end = format::build_frame_end(index);
  frame.insert(frame.end(), end.begin(), end.end());
  return frame;
}

TEST(Registry, AStageOfTheHostsOwnCodeIsRunAsAnyOther) {
  const auto make = [](const DecodeSubject& subject) { return std::make_unique<CopyPlan>(subject.frame); };
  const Registration registration(Executor::cpu, describe("test/on_cpu", Operation::decode),
                                  DecodePlans{.make = make});
  const RegisteredStage& stage = *find_stage("test/on_cpu", Operation::decode);
  const std::vector<std::uint8_t> output = {3, 1, 4, 1, 5};
  const DecodeResult result = run_decode(stage, Executor::cpu, raw_frame(output), {}, {.guard_bytes = 8});
  EXPECT_TRUE(std::ranges::equal(result.output(), output));
  EXPECT_EQ(result.statuses, std::vector<std::uint32_t>{0});
  try {
    run_decode(stage, Executor::simt, raw_frame(output));
    FAIL() << "it is not registered for that";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "stage test/on_cpu: this program cannot run it on executor simt here");
  }
}

}  // namespace
}  // namespace gsst::stage
