#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/file_descriptor.hpp"

namespace gsst::cli {

/// What is read from: a file, a device, a pipe or standard input.
class InputFile {
public:
  /// Opens the file that the command line calls `argument`; `-` is standard input. Large pieces of a regular
  /// file are read by `threads` threads; 0 are all. Throws CommandError for what cannot be opened, and for
  /// directories.
  explicit InputFile(const std::string& argument, unsigned threads = 1);

  /// For messages: the path, or "standard input".
  const std::string& name() const { return name_; }
  int descriptor() const { return descriptor_; }
  bool is_terminal() const;
  /// Bytes from here to the end; nothing where the system cannot tell, as for pipes and devices.
  std::optional<std::uint64_t> size() const { return size_; }
  /// Owner, permissions and times, as they were when the file was opened.
  const struct stat& status() const { return status_; }

  /// The first `count` bytes, fewer if the input has fewer. read() gives them again. To be called before
  /// read(), more than once where it must be.
  std::span<const std::uint8_t> peek(std::size_t count);
  /// How many bytes there are, counted up to `most`. To be called before read(), as peek().
  std::uint64_t count_bytes(std::uint64_t most);
  /// Fills `buffer` from `offset` on, counted from the first byte that is to be read, with bytes that
  /// count_bytes() has counted. A file whose size is known is read there alone; what it has lost since is
  /// left out, and read() will say so. To be called before read(), as peek().
  void peek_at(std::uint64_t offset, std::span<std::uint8_t> buffer);
  /// Fills `buffer` and returns the bytes read: fewer than asked for only at the input's end. Throws
  /// CommandError, also when a file ends at another size than it had when it was opened.
  std::size_t read(std::span<std::uint8_t> buffer);

private:
  std::size_t read_from_file(std::span<std::uint8_t> buffer) const;

  std::string name_;
  unsigned threads_;
  FileDescriptor owned_;
  int descriptor_ = STDIN_FILENO;
  struct stat status_ {};
  // Where reading starts, of a file whose size is known.
  off_t start_ = 0;
  std::optional<std::uint64_t> size_;
  std::vector<std::uint8_t> peeked_;
  std::size_t peeked_taken_ = 0;
  std::uint64_t bytes_read_ = 0;
};

/// Whether both describe the same file on the same device.
bool is_same_file(const struct stat& left, const struct stat& right);

}  // namespace gsst::cli
