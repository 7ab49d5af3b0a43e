#include "cli/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <tuple>

#include "cli/file_slices.hpp"

namespace gsst::cli {
namespace {

void refuse_input_as_output(const struct stat& output, const InputFile& input, const std::string& name) {
  if (S_ISREG(output.st_mode) && is_same_file(output, input.status())) {
    throw CommandError(ExitCode::usage, name + ": input and output are the same file");
  }
}

// Permissions that a new file gets from open(2): all that the caller's mask allows.
mode_t default_permissions() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

// As far as the file system and the user's rights allow. What fails leaves the file tighter, never looser.
void copy_attributes(int descriptor, const InputFile& input) {
  const struct stat& from = input.status();
  if (!S_ISREG(from.st_mode)) {
    std::ignore = ::fchmod(descriptor, default_permissions());
    return;
  }
  mode_t permissions = from.st_mode & 0777;
  // A group that cannot be kept must not leave the file open to another group.
  if (::fchown(descriptor, static_cast<uid_t>(-1), from.st_gid) != 0) permissions &= ~mode_t{070};
  std::ignore = ::fchown(descriptor, from.st_uid, static_cast<gid_t>(-1));
  std::ignore = ::fchmod(descriptor, permissions);
  const std::array<struct timespec, 2> times = {from.st_atim, from.st_mtim};
  std::ignore = ::futimens(descriptor, times.data());
}

}  // namespace

OutputFile::OutputFile(const std::string& argument, const InputFile& input, bool replace, unsigned threads)
    : name_(argument), replace_(replace), threads_(threads) {
  struct stat status {};
  if (argument == standard_stream_argument) {
    name_ = "standard output";
    if (::fstat(descriptor_, &status) != 0) throw system_error(name_, "write", errno);
    refuse_input_as_output(status, input, name_);
    if (S_ISFIFO(status.st_mode)) enlarge_pipe(descriptor_);
    return;
  }
  // Through a link to the file it stands for: the link stays.
  std::error_code no_such_file;
  std::filesystem::path path = std::filesystem::canonical(argument, no_such_file);
  if (no_such_file) path = argument;

  const bool exists = ::stat(path.c_str(), &status) == 0 || ::lstat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    throw CommandError(ExitCode::input_output, name_ + ": is a directory, not a file");
  }
  if (exists && !S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode)) {
    opened_ = FileDescriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    if (opened_.get() < 0) throw system_error(name_, "open", errno);
    descriptor_ = opened_.get();
    if (S_ISFIFO(status.st_mode)) enlarge_pipe(descriptor_);
    return;
  }
  if (exists) refuse_input_as_output(status, input, name_);
  if (exists && !replace) throw already_exists_error(name_);
  temporary_ = std::make_unique<TemporaryFile>(path);
  descriptor_ = temporary_->descriptor();
  takes_slices_ = takes_slices(descriptor_, threads);
}

bool OutputFile::is_terminal() const {
  return ::isatty(descriptor_) == 1;
}

void OutputFile::write(std::span<const std::uint8_t> bytes) {
  if (takes_slices_ && bytes.size() >= least_sliced_bytes) {
    write_slices(descriptor_, bytes_written_, bytes, threads_, name_);
    if (::lseek(descriptor_, static_cast<off_t>(bytes_written_ + bytes.size()), SEEK_SET) < 0) {
      throw system_error(name_, "write", errno);
    }
  } else {
    write_all(descriptor_, bytes, name_);
  }
  bytes_written_ += bytes.size();
}

void OutputFile::finish(const InputFile& input) {
  if (temporary_) {
    copy_attributes(descriptor_, input);
    temporary_->publish(replace_);
  } else {
    opened_.close(name_);
  }
}

}  // namespace gsst::cli
