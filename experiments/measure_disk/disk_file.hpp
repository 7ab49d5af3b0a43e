#pragma once

#include <cstdint>
#include <filesystem>

#include "common/format/stream.hpp"

namespace gsst::experiments {

/// A file that is read or written without a buffer of the program, so that what is timed is the system's
/// work. All throw InputError, which names the file, where the system refuses.
class DiskFile {
public:
  /// Opens a file to read it from its start.
  static DiskFile to_read(const std::filesystem::path& path);
  /// Makes an empty file in the place of one that is there.
  static DiskFile to_write(const std::filesystem::path& path);

  DiskFile(const DiskFile&) = delete;
  DiskFile& operator=(const DiskFile&) = delete;
  ~DiskFile();

  /// Reads on where it stopped. The function must not outlive the file.
  format::ReadFunction reader();
  /// Appends. The function must not outlive the file.
  format::WriteFunction writer();
  /// Returns when the device has all that was written (fsync(2)).
  void flush();
  /// Asks the system to forget what it has of the file in memory (posix_fadvise(2)): only bytes that the
  /// device has already can be forgotten. Needs no rights.
  void drop_cached();
  /// Bytes of the file that the system has in memory, in whole pages (mincore(2)).
  std::uint64_t cached_bytes() const;

private:
  DiskFile(std::filesystem::path path, int descriptor);
  [[noreturn]] void refuse(const char* what) const;

  std::filesystem::path path_;
  int descriptor_;
};

}  // namespace gsst::experiments
