#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "cli/input_file.hpp"

namespace gsst::cli {

/// A whole file as memory, read only. The system loads what is touched and takes it back when memory is
/// short. Where another process cuts the file, or the system cannot read it, the bytes turn to 0 instead of
/// ending the process: check_unchanged() says so. One at a time, since it handles the signal SIGBUS.
class MappedFile {
public:
  /// `input` must outlive this object. Throws CommandError if it is no regular file, with `reason`, a clause
  /// that says why it must be one.
  MappedFile(const InputFile& input, const std::string& reason);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::span<const std::uint8_t> bytes() const;
  /// To be called after the bytes were looked at, whatever was found in them. Throws CommandError if they
  /// were not those of the file as it was opened.
  void check_unchanged() const;

private:
  const InputFile& input_;
};

}  // namespace gsst::cli
