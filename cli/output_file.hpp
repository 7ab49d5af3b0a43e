#pragma once

#include <unistd.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "cli/file_descriptor.hpp"
#include "cli/input_file.hpp"
#include "cli/temporary_file.hpp"

namespace gsst::cli {

/// What is written to: a new file, standard output, or a device or named pipe that exists already.
class OutputFile {
public:
  /// `argument` is the path, or `-` for standard output. An existing file is an error unless `replace`; the
  /// input's own file is one always. Large pieces of a new file are written by `threads` threads; 0 are all.
  /// Throws CommandError.
  OutputFile(const std::string& argument, const InputFile& input, bool replace, unsigned threads);

  /// For messages: the path, or "standard output".
  const std::string& name() const { return name_; }
  bool is_terminal() const;
  /// Throws CommandError.
  void write(std::span<const std::uint8_t> bytes);
  /// All is written: a new file gets `input`'s permissions and times and appears under its name. An output
  /// that is destroyed without it leaves no file. Throws CommandError.
  void finish(const InputFile& input);

private:
  std::string name_;
  bool replace_;
  unsigned threads_;
  bool takes_slices_ = false;
  // Of a new file.
  std::uint64_t bytes_written_ = 0;
  FileDescriptor opened_;
  std::unique_ptr<TemporaryFile> temporary_;
  int descriptor_ = STDOUT_FILENO;
};

}  // namespace gsst::cli
