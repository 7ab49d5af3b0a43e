#include "cli/file_descriptor.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <numeric>
#include <thread>
#include <vector>

namespace gsst::cli {
namespace {

struct Pipe {
  FileDescriptor read_end;
  FileDescriptor write_end;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

TEST(FileDescriptor, ClosesTheFileWhenItGoes) {
  int number = -1;
  {
    const FileDescriptor file(::open("/dev/null", O_RDONLY));
    number = file.get();
    EXPECT_NE(::fcntl(number, F_GETFD), -1);
  }
  EXPECT_EQ(::fcntl(number, F_GETFD), -1);
}

TEST(FileDescriptor, MovesTheFileAndLeavesNoneBehind) {
  FileDescriptor first(::open("/dev/null", O_RDONLY));
  const int number = first.get();
  const FileDescriptor second = std::move(first);
  EXPECT_EQ(second.get(), number);
}

// A pipe holds 64 KiB, so both sides meet short reads and short writes.
TEST(ReadFully, FillsTheBufferFromShortReadsUpToTheEnd) {
  Pipe pipe = make_pipe();
  std::vector<std::uint8_t> sent(1'000'003);
  std::iota(sent.begin(), sent.end(), std::uint8_t{0});
  std::thread writer([&] {
    write_all(pipe.write_end.get(), sent, "pipe");
    pipe.write_end.close("pipe");
  });
  std::vector<std::uint8_t> received(1'000'000);
  EXPECT_EQ(read_fully(pipe.read_end.get(), received, "pipe"), 1'000'000U);
  EXPECT_TRUE(std::equal(received.begin(), received.end(), sent.begin()));
  EXPECT_EQ(read_fully(pipe.read_end.get(), received, "pipe"), 3U);
  EXPECT_EQ(read_fully(pipe.read_end.get(), received, "pipe"), 0U);
  writer.join();
}

TEST(WriteAll, ReportsAFullDisk) {
  const FileDescriptor full(::open("/dev/full", O_WRONLY));
  const std::array<std::uint8_t, 4> bytes{};
  try {
    write_all(full.get(), bytes, "out");
    FAIL() << "no error";
  } catch (const CommandError& error) {
    EXPECT_EQ(error.code(), ExitCode::input_output);
    EXPECT_STREQ(error.what(), "out: cannot write: No space left on device");
  }
}

}  // namespace
}  // namespace gsst::cli
