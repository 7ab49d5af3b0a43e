#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "cli/command_error.hpp"

namespace gsst::cli {

/// How `-` stands for standard input and standard output on the command line.
inline constexpr std::string_view standard_stream_argument = "-";

/// Owns an open file of the operating system.
class FileDescriptor {
public:
  FileDescriptor() = default;
  explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor();

  int get() const { return descriptor_; }
  /// Closes the file now. Throws CommandError naming `name` if the system only now reports a failed write.
  void close(const std::string& name);

private:
  int descriptor_ = -1;
};

/// "`subject`: cannot `action`: <the text of `error_number`, a value of errno>", with ExitCode::input_output.
CommandError system_error(const std::string& subject, const std::string& action, int error_number);

/// Reads until `buffer` is full or the input ends, and returns the bytes read. Throws CommandError.
std::size_t read_fully(int descriptor, std::span<std::uint8_t> buffer, const std::string& name);

/// Writes all of `bytes`. Throws CommandError.
void write_all(int descriptor, std::span<const std::uint8_t> bytes, const std::string& name);

/// Asks the system for as much room in the pipe as any user may have: each side then waits less often for the
/// other. Where it refuses, the pipe stays as it is.
void enlarge_pipe(int descriptor);

/// Writes `text` to standard output. Throws CommandError.
void write_to_standard_output(const std::string& text);

/// Makes sure that a file opened later never gets the number of a standard stream that the caller closed.
/// Using such a stream fails as it would have.
void reserve_standard_descriptors();

}  // namespace gsst::cli
