#include "common/stage/registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/encode_stage/encode_stage.hpp"

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

void decode(const DecodeRequest& /*request*/) {}
const Encoder encoder{};

TEST(Registry, ListsAnIdOnceForEachOperationWithItsExecutors) {
  const std::string id = "test/both";
  const Registration decoder_on_cpu(Executor::simt, describe(id, Operation::decode), decode);
  const Registration decoder_on_gpu(Executor::gpu, describe(id, Operation::decode), decode);
  const Registration encoder_on_cpu(Executor::simt, describe(id, Operation::encode), &encoder);

  const RegisteredStage* const decoder = find_stage(id, Operation::decode);
  ASSERT_NE(decoder, nullptr);
  EXPECT_EQ(decoder->decode.size(), 2u);
  EXPECT_TRUE(decoder->encoders.empty());
  EXPECT_TRUE(is_registered_for(*decoder, Executor::gpu));

  const RegisteredStage* const encoding = find_stage(id, Operation::encode);
  ASSERT_NE(encoding, nullptr);
  EXPECT_TRUE(encoding->decode.empty());
  EXPECT_EQ(encoding->encoders.at(Executor::simt), &encoder);
  EXPECT_FALSE(is_registered_for(*encoding, Executor::gpu));
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
  EXPECT_THROW(Registration(Executor::simt, description, &encoder), std::logic_error);
  EXPECT_THROW(Registration(Executor::simt, describe("test/twice", Operation::encode), decode),
               std::logic_error);
  EXPECT_EQ(find_stage("test/twice", Operation::encode), nullptr);
}

}  // namespace
}  // namespace gsst::stage
