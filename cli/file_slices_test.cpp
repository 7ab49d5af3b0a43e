#include "cli/file_slices.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/file_descriptor.hpp"
#include "reference_cpu/test_inputs.hpp"

namespace gsst::cli {
namespace {

using Bytes = std::vector<std::uint8_t>;

// In memory where there is such a folder, else where temporary files are: the system fills pages of both.
std::vector<std::filesystem::path> folders() {
  std::vector<std::filesystem::path> folders = {::testing::TempDir()};
  if (::access("/dev/shm", W_OK) == 0) folders.emplace_back("/dev/shm");
  return folders;
}

// Without a name.
FileDescriptor new_file(const std::filesystem::path& folder) {
  std::string pattern = folder / "gsst_slices_XXXXXX";
  FileDescriptor file(::mkstemp(pattern.data()));
  EXPECT_GE(file.get(), 0);
  ::unlink(pattern.c_str());
  return file;
}

Bytes contents(const FileDescriptor& file) {
  EXPECT_EQ(::lseek(file.get(), 0, SEEK_SET), 0);
  Bytes bytes(20'000'000);
  bytes.resize(read_fully(file.get(), bytes, "file"));
  return bytes;
}

TEST(FileSlices, WriteOnePieceAfterAnotherAtAnyOffset) {
  const Bytes bytes = reference::test::make_random(9'000'001, 3);
  for (const std::filesystem::path& folder : folders()) {
    for (const unsigned threads : {2U, 3U, 0U}) {
      const FileDescriptor file = new_file(folder);
      std::size_t written = 0;
      for (const std::size_t size : {1U, 600'000U, 65'536U, 3'000'003U, 5'334'461U}) {
        write_slices(file.get(), written, std::span(bytes).subspan(written, size), threads, "file");
        written += size;
        EXPECT_EQ(std::filesystem::file_size("/proc/self/fd/" + std::to_string(file.get())), written);
      }
      ASSERT_EQ(written, bytes.size());
      EXPECT_TRUE(contents(file) == bytes);
    }
  }
}

TEST(FileSlices, ReadFromAnyOffsetAndLeaveThePosition) {
  const Bytes bytes = reference::test::make_random(5'000'011, 4);
  const FileDescriptor file = new_file(folders().front());
  write_all(file.get(), bytes, "file");
  ASSERT_EQ(::lseek(file.get(), 17, SEEK_SET), 17);
  for (const std::size_t offset : {0U, 1U, 4'000'000U, 5'000'010U, 5'000'011U, 6'000'000U}) {
    for (const std::size_t size : {1U, 700'000U, 4'100'000U}) {
      Bytes buffer(size, 0xcd);
      const std::size_t left = bytes.size() - std::min(bytes.size(), offset);
      const std::size_t expected = std::min(size, left);
      EXPECT_EQ(read_slices(file.get(), offset, buffer, 3, "file"), expected);
      EXPECT_TRUE(std::equal(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(expected),
                             bytes.end() - static_cast<std::ptrdiff_t>(left)));
    }
  }
  EXPECT_EQ(::lseek(file.get(), 0, SEEK_CUR), 17);
}

// A descriptor that takes no pages, since it is for writing only: the bytes are written without them.
TEST(FileSlices, WriteWhereNoPagesAreToBeHad) {
  const Bytes bytes = reference::test::make_random(3'000'000, 5);
  const FileDescriptor file = new_file(folders().front());
  const FileDescriptor to_write(
      ::open(("/proc/self/fd/" + std::to_string(file.get())).c_str(), O_WRONLY | O_CLOEXEC));
  ASSERT_GE(to_write.get(), 0);
  write_slices(to_write.get(), 0, bytes, 4, "file");
  EXPECT_TRUE(contents(file) == bytes);
}

TEST(FileSlices, NameAFileThatBecomesTooLong) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto previous = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit = {.rlim_cur = 1'000'000, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  const Bytes bytes(2'000'000);
  std::string message;
  try {
    write_slices(new_file(folders().front()).get(), 0, bytes, 4, "out");
  } catch (const CommandError& error) {
    message = error.what();
  }
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, previous);
  EXPECT_EQ(message, "out: cannot write: File too large");
}

TEST(FileSlices, NameAFileThatCannotBeRead) {
  const FileDescriptor file(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  Bytes buffer(1'000'000);
  EXPECT_THROW(read_slices(file.get(), 0, buffer, 4, "in"), CommandError);
}

}  // namespace
}  // namespace gsst::cli
