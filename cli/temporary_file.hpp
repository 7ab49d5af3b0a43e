#pragma once

#include <filesystem>

#include "cli/file_descriptor.hpp"

namespace gsst::cli {

/// A file that becomes visible under its name only when it is complete. Until then it stands in the same
/// folder as `.gsst-` and six random characters, and is removed when this object goes or a signal ends the
/// process. One at a time.
class TemporaryFile {
public:
  /// Creates the file, readable by its owner only, beside `destination`. Throws CommandError.
  explicit TemporaryFile(const std::filesystem::path& destination);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  int descriptor() const { return file_.get(); }
  /// Closes the file and gives it its name. If there is a file of that name it is replaced if `replace`, else
  /// it stays and a CommandError is thrown.
  void publish(bool replace);

private:
  std::filesystem::path destination_;
  std::filesystem::path path_;
  FileDescriptor file_;
};

/// The error for an output that exists already and must not be replaced.
CommandError already_exists_error(const std::string& name);

}  // namespace gsst::cli
