#include "cli/temporary_file.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>

#include "cli/termination.hpp"

namespace gsst::cli {
namespace {

int rename_file(const std::filesystem::path& from, const std::filesystem::path& to, bool replace) {
  if (replace) return ::rename(from.c_str(), to.c_str());
  const int result = ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
  if (result == 0 || errno != EINVAL) return result;
  // Some file systems (NFS among them) do not know the flag: look, then rename.
  if (::access(to.c_str(), F_OK) == 0) {
    errno = EEXIST;
    return -1;
  }
  return ::rename(from.c_str(), to.c_str());
}

}  // namespace

TemporaryFile::TemporaryFile(const std::filesystem::path& destination) : destination_(destination) {
  std::filesystem::path folder = destination.parent_path();
  if (folder.empty()) folder = ".";
  std::string pattern = folder / ".gsst-XXXXXX";

  const auto lock = hold_termination();
  file_ = FileDescriptor(::mkostemp(pattern.data(), O_CLOEXEC));
  if (file_.get() < 0) {
    throw system_error(destination.string(), "create a file in the folder '" + folder.string() + "'", errno);
  }
  path_ = pattern;
  remove_on_termination(path_);
}

TemporaryFile::~TemporaryFile() {
  if (path_.empty()) return;
  const auto lock = hold_termination();
  ::unlink(path_.c_str());
  remove_on_termination({});
}

void TemporaryFile::publish(bool replace) {
  file_.close(destination_.string());
  const auto lock = hold_termination();
  if (rename_file(path_, destination_, replace) != 0) {
    if (errno == EEXIST) throw already_exists_error(destination_.string());
    throw system_error(destination_.string(), "give the finished file its name", errno);
  }
  path_.clear();
  remove_on_termination({});
}

CommandError already_exists_error(const std::string& name) {
  return CommandError(ExitCode::input_output, name + ": already exists; -f replaces it");
}

}  // namespace gsst::cli
