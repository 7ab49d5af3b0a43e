#include "cli/file_descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <tuple>
#include <utility>

namespace gsst::cli {
namespace {

// Linux moves at most 0x7ffff000 bytes in one call; stay well below.
constexpr std::size_t max_transfer_bytes = std::size_t{1} << 30;

// Linux gives so much to users without privileges.
constexpr int pipe_bytes = 1 << 20;

}  // namespace

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileDescriptor::~FileDescriptor() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void FileDescriptor::close(const std::string& name) {
  const int descriptor = std::exchange(descriptor_, -1);
  if (descriptor >= 0 && ::close(descriptor) != 0) throw system_error(name, "finish writing", errno);
}

CommandError system_error(const std::string& subject, const std::string& action, int error_number) {
  return CommandError(ExitCode::input_output,
                      subject + ": cannot " + action + ": " + std::generic_category().message(error_number));
}

std::size_t read_fully(int descriptor, std::span<std::uint8_t> buffer, const std::string& name) {
  std::size_t filled = 0;
  while (filled < buffer.size()) {
    const std::size_t wanted = std::min(buffer.size() - filled, max_transfer_bytes);
    const ssize_t count = ::read(descriptor, buffer.data() + filled, wanted);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw system_error(name, "read", errno);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  return filled;
}

void write_all(int descriptor, std::span<const std::uint8_t> bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), std::min(bytes.size(), max_transfer_bytes));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EPIPE) {
      throw CommandError(ExitCode::input_output, name + ": the program that reads it has ended");
    }
    if (count < 0) throw system_error(name, "write", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

void enlarge_pipe(int descriptor) {
  const int bytes = ::fcntl(descriptor, F_GETPIPE_SZ);
  if (bytes >= 0 && bytes < pipe_bytes) std::ignore = ::fcntl(descriptor, F_SETPIPE_SZ, pipe_bytes);
}

void write_to_standard_output(const std::string& text) {
  write_all(STDOUT_FILENO, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()},
            "standard output");
}

void reserve_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1) continue;
    // Opened the wrong way round, so that reading and writing fail. open() takes the lowest free number: this
    // one.
    ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace gsst::cli
