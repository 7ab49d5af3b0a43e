#include "cli/temporary_file.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <array>
#include <fstream>
#include <iterator>

namespace gsst::cli {
namespace {

constexpr std::array<std::uint8_t, 3> new_content = {'n', 'e', 'w'};

class TemporaryFileTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "gsst_test_XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path destination() const { return folder_ / "out"; }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator()));
  }
  std::string content() const {
    std::ifstream file(destination());
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  void write_old_content() const { std::ofstream(destination()) << "old"; }

private:
  std::filesystem::path folder_;
};

TEST_F(TemporaryFileTest, AppearsUnderItsNameOnlyWhenPublished) {
  TemporaryFile file(destination());
  write_all(file.descriptor(), new_content, "out");
  EXPECT_FALSE(std::filesystem::exists(destination()));
  EXPECT_EQ(files(), 1U);
  file.publish(false);
  EXPECT_EQ(content(), "new");
  EXPECT_EQ(files(), 1U);
}

TEST_F(TemporaryFileTest, LeavesNothingWhenNotPublished) {
  { const TemporaryFile file(destination()); }
  EXPECT_EQ(files(), 0U);
}

TEST_F(TemporaryFileTest, KeepsAFileThatAppearedMeanwhile) {
  {
    TemporaryFile file(destination());
    write_old_content();
    EXPECT_THROW(file.publish(false), CommandError);
  }
  EXPECT_EQ(content(), "old");
  EXPECT_EQ(files(), 1U);
}

TEST_F(TemporaryFileTest, ReplacesWhenTold) {
  write_old_content();
  TemporaryFile file(destination());
  write_all(file.descriptor(), new_content, "out");
  EXPECT_EQ(content(), "old");
  file.publish(true);
  EXPECT_EQ(content(), "new");
}

TEST_F(TemporaryFileTest, IsReadableByItsOwnerOnly) {
  const TemporaryFile file(destination());
  struct stat status {};
  ASSERT_EQ(::fstat(file.descriptor(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
}

TEST_F(TemporaryFileTest, NamesTheFolderThatIsMissing) {
  try {
    const TemporaryFile file("/no/such/folder/out");
    FAIL() << "no error";
  } catch (const CommandError& error) {
    EXPECT_NE(std::string(error.what()).find("'/no/such/folder'"), std::string::npos);
  }
}

}  // namespace
}  // namespace gsst::cli
