#include "cli/list_command.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "cli/command_error.hpp"
#include "common/format/formats.hpp"
#include "reference_cpu/memory_codec.hpp"

namespace gsst::cli {
namespace {

class ListCommandTest : public testing::Test {
protected:
  // A file of 8 blocks that do not compress well: it has many pages.
  std::uint64_t write_file(format::BlockFormat format) {
    std::vector<std::uint8_t> input(200'000);
    for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<std::uint8_t>(i * i >> 7);
    const auto bytes =
        reference::compress(input, {.format = format, .block_bytes = 25'000, .split_count = 1, .threads = 1});
    std::ofstream file(path_, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return bytes.size();
  }
  void TearDown() override { std::filesystem::remove(path_); }

  const std::string& path() const { return path_; }

private:
  std::string path_ = testing::TempDir() + "gsst_listed_" + std::to_string(::getpid());
};

TEST_F(ListCommandTest, AFileThatIsCutWhileItIsListedIsNoDamagedOne) {
  for (const auto format : {format::BlockFormat::fsst, format::BlockFormat::splits}) {
    SCOPED_TRACE(std::string(format::block_format_name(format)));
    const std::uint64_t bytes = write_file(format);
    Options options;
    if (format == format::BlockFormat::fsst) options.format = format;
    EXPECT_EQ(list_file(options, InputFile(path())).content.blocks, 8U);
    for (const std::uint64_t left : {bytes - 1, bytes / 2, std::uint64_t{0}}) {
      write_file(format);
      const InputFile input(path());
      std::filesystem::resize_file(path(), left);
      try {
        list_file(options, input);
        FAIL() << "no error";
      } catch (const CommandError& error) {
        EXPECT_EQ(error.code(), ExitCode::input_output);
        EXPECT_EQ(error.what(), path() + ": changed while it was read: it had " + std::to_string(bytes) +
                                    " bytes when opened, and has " + std::to_string(left) + " now");
      }
    }
  }
}

}  // namespace
}  // namespace gsst::cli
