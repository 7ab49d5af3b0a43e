#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "cli/input_file.hpp"

namespace gsst::cli {

/// A whole file as memory, read only. The system loads what is touched and takes it back when memory is
/// short.
class MappedFile {
public:
  /// Throws CommandError if `input` is no regular file.
  explicit MappedFile(const InputFile& input);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::span<const std::uint8_t> bytes() const { return {static_cast<const std::uint8_t*>(address_), size_}; }

private:
  void* address_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace gsst::cli
