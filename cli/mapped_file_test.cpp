#include "cli/mapped_file.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace gsst::cli {
namespace {

constexpr std::size_t file_bytes = 1'000'000;

class MappedFileTest : public testing::Test {
protected:
  void SetUp() override { std::ofstream(path_, std::ios::binary) << std::string(file_bytes, 'x'); }
  void TearDown() override { std::filesystem::remove(path_); }

  const std::string& path() const { return path_; }

private:
  std::string path_ = testing::TempDir() + "gsst_mapped_" + std::to_string(::getpid());
};

std::ptrdiff_t count_x(const MappedFile& file) {
  return std::ranges::count(file.bytes(), std::uint8_t{'x'});
}

std::string problem_of(const MappedFile& file) {
  try {
    file.check_unchanged();
  } catch (const CommandError& error) {
    EXPECT_EQ(error.code(), ExitCode::input_output);
    return error.what();
  }
  return "none";
}

TEST_F(MappedFileTest, HasTheBytesOfTheFile) {
  const InputFile input(path());
  const MappedFile file(input, "");
  EXPECT_EQ(file.bytes().size(), file_bytes);
  EXPECT_EQ(count_x(file), static_cast<std::ptrdiff_t>(file_bytes));
  EXPECT_EQ(problem_of(file), "none");
}

TEST_F(MappedFileTest, WhatIsNoRegularFileIsRefusedWithTheReason) {
  const InputFile input("/dev/null");
  try {
    const MappedFile file(input, "it is read twice");
    ADD_FAILURE() << "no error";
  } catch (const CommandError& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    EXPECT_STREQ(error.what(), "/dev/null: is not a regular file; it is read twice, so name one");
  }
}

TEST_F(MappedFileTest, AFileThatIsCutIsSaidToHaveChanged) {
  const InputFile input(path());
  const MappedFile file(input, "");
  std::filesystem::resize_file(path(), 300'000);
  EXPECT_EQ(count_x(file), 300'000);
  EXPECT_EQ(
      problem_of(file),
      path() + ": changed while it was read: it had 1000000 bytes when opened, and has " + "300000 now");
}

TEST_F(MappedFileTest, AFileThatIsLongAgainHasChangedAllTheSame) {
  const InputFile input(path());
  const MappedFile file(input, "");
  std::filesystem::resize_file(path(), 0);
  EXPECT_EQ(count_x(file), 0);
  std::ofstream(path(), std::ios::binary) << std::string(file_bytes, 'x');
  EXPECT_EQ(problem_of(file), path() + ": cannot read: Input/output error");
}

TEST_F(MappedFileTest, TheSignalGoesToOthersAgainAfterwards) {
  struct sigaction before {};
  struct sigaction during {};
  struct sigaction after {};
  ::sigaction(SIGBUS, nullptr, &before);
  {
    const InputFile input(path());
    const MappedFile file(input, "");
    ::sigaction(SIGBUS, nullptr, &during);
  }
  ::sigaction(SIGBUS, nullptr, &after);
  EXPECT_NE(during.sa_sigaction, before.sa_sigaction);
  EXPECT_EQ(after.sa_sigaction, before.sa_sigaction);
}

}  // namespace
}  // namespace gsst::cli
