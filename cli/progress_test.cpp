#include "cli/progress.hpp"

#include <gtest/gtest.h>

namespace gsst::cli {
namespace {

TEST(ProgressText, ShowsBarShareRateAndTimeLeft) {
  const ProgressState state{.name = "comments.txt",
                            .input_bytes = 250'000'000,
                            .input_size = 1'000'000'000,
                            .uncompressed_bytes = 250'000'000,
                            .seconds = 0.5};
  EXPECT_EQ(progress_text(state, 200),
            "comments.txt  [#####---------------] 25 %  250 MB  500 MB/s  2 s left");
}

TEST(ProgressText, CountsTheUncompressedSideWhenDecompressing) {
  const ProgressState state{
      .name = "a.gsst", .input_bytes = 50, .input_size = 100, .uncompressed_bytes = 3'000'000, .seconds = 60};
  EXPECT_EQ(progress_text(state, 200),
            "a.gsst  [##########----------] 50 %  3.00 MB  50.0 kB/s  1 min 00 s left");
}

TEST(ProgressText, HasNoBarForAnInputOfUnknownSize) {
  const ProgressState state{.name = "standard input",
                            .input_bytes = 2'000'000,
                            .input_size = std::nullopt,
                            .uncompressed_bytes = 2'000'000,
                            .seconds = 1};
  EXPECT_EQ(progress_text(state, 200), "standard input  2.00 MB  2.00 MB/s");
}

TEST(ProgressText, NeverPassesTheEndOfTheBar) {
  const ProgressState state{
      .name = "log", .input_bytes = 300, .input_size = 100, .uncompressed_bytes = 300, .seconds = 1};
  EXPECT_EQ(progress_text(state, 200), "log  [####################] 100 %  300 B  300 B/s  0 s left");
}

TEST(ProgressText, KeepsTheEndOfALongName) {
  const ProgressState state{.name = "/data/a/very/long/path/to/comments.txt",
                            .input_bytes = 0,
                            .input_size = std::nullopt,
                            .uncompressed_bytes = 0,
                            .seconds = 0};
  EXPECT_EQ(progress_text(state, 200), ".../path/to/comments.txt  0 B  0 B/s");
}

TEST(ProgressText, FitsTheTerminal) {
  const ProgressState state{
      .name = "comments.txt", .input_bytes = 1, .input_size = 2, .uncompressed_bytes = 1, .seconds = 1};
  EXPECT_EQ(progress_text(state, 10), "comments.t");
}

}  // namespace
}  // namespace gsst::cli
