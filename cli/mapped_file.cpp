#include "cli/mapped_file.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace gsst::cli {
namespace {

// What the signal handler needs: nothing else than variables of the program is in its reach.
struct Mapping {
  std::uint8_t* begin = nullptr;
  std::size_t size = 0;
  std::size_t page_bytes = 1;
  volatile sig_atomic_t lost_bytes = 0;
  struct sigaction previous {};
};
Mapping mapping;

// From the page that cannot be read on, zeros take the place of the file.
void replace_by_zeros(int /*signal_number*/, siginfo_t* information, void* /*context*/) {
  const auto begin = reinterpret_cast<std::uintptr_t>(mapping.begin);
  const auto touched = reinterpret_cast<std::uintptr_t>(information->si_addr);
  const std::size_t offset = (touched - begin) / mapping.page_bytes * mapping.page_bytes;
  const bool is_here = touched >= begin && touched < begin + mapping.size;
  mapping.lost_bytes = 1;
  if (is_here && ::mmap(mapping.begin + offset, mapping.size - offset, PROT_READ,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED) {
    return;
  }
  // Not ours: it comes again when this returns, and ends the process.
  ::signal(SIGBUS, SIG_DFL);
}

}  // namespace

MappedFile::MappedFile(const InputFile& input, const std::string& reason) : input_(input) {
  if (!S_ISREG(input.status().st_mode)) {
    throw CommandError(ExitCode::usage,
                       input.name() + ": is not a regular file; " + reason + ", so name one");
  }
  mapping = {};
  const auto size = static_cast<std::size_t>(input.status().st_size);
  if (size == 0) return;
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, input.descriptor(), 0);
  if (address == MAP_FAILED) throw system_error(input.name(), "read", errno);
  mapping.begin = static_cast<std::uint8_t*>(address);
  mapping.size = size;
  mapping.page_bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  struct sigaction action {};
  action.sa_sigaction = replace_by_zeros;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &action, &mapping.previous);
}

MappedFile::~MappedFile() {
  if (mapping.size == 0) return;
  ::sigaction(SIGBUS, &mapping.previous, nullptr);
  ::munmap(mapping.begin, mapping.size);
  mapping = {};
}

std::span<const std::uint8_t> MappedFile::bytes() const {
  return {mapping.begin, mapping.size};
}

void MappedFile::check_unchanged() const {
  struct stat now {};
  if (::fstat(input_.descriptor(), &now) != 0) throw system_error(input_.name(), "read", errno);
  if (now.st_size != input_.status().st_size) {
    throw CommandError(ExitCode::input_output, input_.name() + ": changed while it was read: it had " +
                                                   std::to_string(input_.status().st_size) +
                                                   " bytes when opened, and has " +
                                                   std::to_string(now.st_size) + " now");
  }
  if (mapping.lost_bytes != 0) throw system_error(input_.name(), "read", EIO);
}

}  // namespace gsst::cli
