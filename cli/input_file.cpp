#include "cli/input_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <span>

#include "cli/file_slices.hpp"

namespace gsst::cli {

InputFile::InputFile(const std::string& argument, unsigned threads) : name_(argument), threads_(threads) {
  if (argument == standard_stream_argument) {
    name_ = "standard input";
  } else {
    owned_ = FileDescriptor(::open(argument.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (owned_.get() < 0) throw system_error(name_, "open", errno);
    descriptor_ = owned_.get();
  }
  if (::fstat(descriptor_, &status_) != 0) throw system_error(name_, "read", errno);
  if (S_ISDIR(status_.st_mode)) {
    throw CommandError(ExitCode::input_output, name_ + ": is a directory, not a file");
  }
  if (S_ISFIFO(status_.st_mode)) enlarge_pipe(descriptor_);
  if (!S_ISREG(status_.st_mode)) return;
  // Standard input may have been read in part by the program before.
  const off_t position = ::lseek(descriptor_, 0, SEEK_CUR);
  if (position < 0) throw system_error(name_, "read", errno);
  // Files of /proc call themselves regular and empty, and are not.
  std::uint8_t byte = 0;
  if (status_.st_size > 0 || ::pread(descriptor_, &byte, 1, position) == 0) {
    start_ = position;
    size_ = static_cast<std::uint64_t>(std::max<off_t>(status_.st_size - position, 0));
  }
}

bool InputFile::is_terminal() const {
  return ::isatty(descriptor_) == 1;
}

std::span<const std::uint8_t> InputFile::peek(std::size_t count) {
  const std::size_t known = peeked_.size();
  if (count > known) {
    peeked_.resize(count);
    peeked_.resize(known + read_fully(descriptor_, std::span(peeked_).subspan(known), name_));
  }
  return std::span(peeked_).first(std::min(count, peeked_.size()));
}

std::uint64_t InputFile::count_bytes(std::uint64_t most) {
  return size_ ? std::min(*size_, most) : peek(most).size();
}

void InputFile::peek_at(std::uint64_t offset, std::span<std::uint8_t> buffer) {
  if (!size_) {
    std::ranges::copy(peek(offset + buffer.size()).subspan(offset, buffer.size()), buffer.begin());
    return;
  }
  read_slices(descriptor_, static_cast<std::uint64_t>(start_) + offset, buffer, 1, name_);
}

std::size_t InputFile::read(std::span<std::uint8_t> buffer) {
  const std::size_t from_peeked = std::min(buffer.size(), peeked_.size() - peeked_taken_);
  std::copy_n(peeked_.begin() + static_cast<std::ptrdiff_t>(peeked_taken_), from_peeked, buffer.begin());
  peeked_taken_ += from_peeked;
  const std::size_t count = from_peeked + read_from_file(buffer.subspan(from_peeked));
  bytes_read_ += count;

  const bool at_end = count < buffer.size();
  if (size_ && (bytes_read_ > *size_ || (at_end && bytes_read_ != *size_))) {
    throw CommandError(ExitCode::input_output, name_ + ": changed while it was read: it had " +
                                                   std::to_string(*size_) + " bytes when opened, " +
                                                   std::to_string(bytes_read_) + " were read");
  }
  return count;
}

// Whoever reads standard input after this program goes on where it stopped.
std::size_t InputFile::read_from_file(std::span<std::uint8_t> buffer) const {
  if (!size_ || threads_ == 1 || buffer.size() < least_sliced_bytes) {
    return read_fully(descriptor_, buffer, name_);
  }
  const off_t position = ::lseek(descriptor_, 0, SEEK_CUR);
  if (position < 0) throw system_error(name_, "read", errno);
  const std::size_t count =
      read_slices(descriptor_, static_cast<std::uint64_t>(position), buffer, threads_, name_);
  if (::lseek(descriptor_, static_cast<off_t>(count), SEEK_CUR) < 0) {
    throw system_error(name_, "read", errno);
  }
  return count;
}

bool is_same_file(const struct stat& left, const struct stat& right) {
  return left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

}  // namespace gsst::cli
