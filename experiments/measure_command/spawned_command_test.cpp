#include "experiments/measure_command/spawned_command.hpp"

#include <gtest/gtest.h>

#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

TEST(SpawnedCommand, TakesAllThatIsWrittenToItsPipe) {
  std::string taken;
  const double seconds = seconds_of_command(
      {"sh", "-c", "head -c 3000000 /dev/zero; sleep 0.02; echo end"},
      [&](std::span<const std::uint8_t> bytes) { taken.append(bytes.begin(), bytes.end()); });
  EXPECT_EQ(taken, std::string(3'000'000, '\0') + "end\n");
  EXPECT_GT(seconds, 0.02);
}

TEST(SpawnedCommand, HasNoInputAndNoOtherOutput) {
  EXPECT_GT(seconds_of_command({"sh", "-c", "cat; echo unseen"}), 0.0);
}

TEST(SpawnedCommand, SaysWhyACommandFailed) {
  try {
    seconds_of_command({"sh", "-c", "echo the reason >&2; exit 3"});
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()), "sh -c echo the reason >&2; exit 3 failed: the reason\n");
  }
  EXPECT_THROW(seconds_of_command({"sh", "-c", "kill -9 $$"}), InputError);
  EXPECT_THROW(seconds_of_command({"/no/such/program"}), InputError);
}

}  // namespace
}  // namespace gsst::experiments
