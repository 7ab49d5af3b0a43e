#include "cli/output_name.hpp"

#include <gtest/gtest.h>

#include "cli/command_error.hpp"

namespace gsst::cli {
namespace {

Options options_for(Operation operation) {
  Options options;
  options.operation = operation;
  return options;
}

TEST(OutputName, CompressionAddsTheSuffixOfTheFormat) {
  Options options = options_for(Operation::compress);
  EXPECT_EQ(output_name(options, "folder/a.txt"), "folder/a.txt.gsst");
  options.format = format::BlockFormat::coalesced;
  EXPECT_EQ(output_name(options, "a"), "a.gsst");
  options.format = format::BlockFormat::fsst;
  EXPECT_EQ(output_name(options, "a"), "a.fsst");
}

TEST(OutputName, DecompressionTakesTheSuffixOff) {
  const Options options = options_for(Operation::decompress);
  EXPECT_EQ(output_name(options, "folder.gsst/a.txt.gsst"), "folder.gsst/a.txt");
  EXPECT_EQ(output_name(options, "a.fsst"), "a");
  EXPECT_EQ(output_name(options, "./a.gsst.gsst"), "./a.gsst");
}

TEST(OutputName, DecompressionRefusesOtherNames) {
  const Options options = options_for(Operation::decompress);
  for (const char* input : {"a.txt", "a", "a.gsst.txt", ".gsst", "folder/.fsst", "folder.gsst/a"}) {
    EXPECT_THROW(output_name(options, input), CommandError) << input;
  }
}

TEST(OutputName, FollowsTheCommandLine) {
  Options options = options_for(Operation::decompress);
  options.output = "b";
  EXPECT_EQ(output_name(options, "a.txt"), "b");
}

TEST(OutputName, IsStandardOutputForStandardInput) {
  EXPECT_EQ(output_name(options_for(Operation::compress), "-"), "-");
  EXPECT_EQ(output_name(options_for(Operation::decompress), "-"), "-");
}

}  // namespace
}  // namespace gsst::cli
