#include "cli/mapped_file.hpp"

#include <sys/mman.h>

#include <cerrno>

namespace gsst::cli {

MappedFile::MappedFile(const InputFile& input) {
  if (!S_ISREG(input.status().st_mode)) {
    throw CommandError(ExitCode::usage,
                       input.name() + ": is not a regular file; -l reads the index at the end, so name one");
  }
  const auto size = static_cast<std::size_t>(input.status().st_size);
  if (size == 0) return;
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, input.descriptor(), 0);
  if (address == MAP_FAILED) throw system_error(input.name(), "read", errno);
  address_ = address;
  size_ = size;
}

MappedFile::~MappedFile() {
  if (address_ != nullptr) ::munmap(address_, size_);
}

}  // namespace gsst::cli
