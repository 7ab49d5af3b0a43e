#include "experiments/measure_disk/disk_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "common/format/part_size.hpp"
#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {

DiskFile::DiskFile(std::filesystem::path path, int descriptor)
    : path_(std::move(path)), descriptor_(descriptor) {
  if (descriptor_ < 0) refuse("cannot be opened");
}

DiskFile::~DiskFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

DiskFile DiskFile::to_read(const std::filesystem::path& path) {
  return {path, open(path.c_str(), O_RDONLY | O_CLOEXEC)};
}

DiskFile DiskFile::to_write(const std::filesystem::path& path) {
  constexpr mode_t owner_reads_and_writes = 0600;
  return {path, open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, owner_reads_and_writes)};
}

void DiskFile::refuse(const char* what) const {
  throw InputError(path_.string() + " " + what + ": " + std::strerror(errno));
}

format::ReadFunction DiskFile::reader() {
  return [this](std::span<std::uint8_t> buffer) {
    std::size_t filled = 0;
    while (filled < buffer.size()) {
      const ssize_t count = read(descriptor_, buffer.data() + filled, buffer.size() - filled);
      if (count == 0) break;
      if (count < 0 && errno != EINTR) refuse("cannot be read");
      filled += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
    }
    return filled;
  };
}

format::WriteFunction DiskFile::writer() {
  return [this](std::span<const std::uint8_t> bytes) {
    while (!bytes.empty()) {
      const ssize_t count = write(descriptor_, bytes.data(), bytes.size());
      if (count < 0 && errno != EINTR) refuse("cannot be written");
      bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    }
  };
}

void DiskFile::flush() {
  if (fsync(descriptor_) != 0) refuse("cannot be flushed");
}

void DiskFile::drop_cached() {
  // It returns the error, and leaves errno as it was.
  errno = posix_fadvise(descriptor_, 0, 0, POSIX_FADV_DONTNEED);
  if (errno != 0) refuse("cannot be dropped from memory");
}

std::uint64_t DiskFile::cached_bytes() const {
  struct stat status = {};
  if (fstat(descriptor_, &status) != 0) refuse("cannot be looked at");
  const auto bytes = static_cast<std::size_t>(status.st_size);
  if (bytes == 0) return 0;
  void* const mapped = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor_, 0);
  if (mapped == MAP_FAILED) refuse("cannot be mapped");
  const auto unmap = [bytes](void* memory) { munmap(memory, bytes); };
  const std::unique_ptr<void, decltype(unmap)> mapping(mapped, unmap);
  const auto page_bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> pages(format::part_size(bytes, page_bytes));
  if (mincore(mapped, bytes, pages.data()) != 0) refuse("cannot be looked at");
  const auto cached = std::ranges::count_if(pages, [](unsigned char page) { return (page & 1) != 0; });
  return static_cast<std::uint64_t>(cached) * page_bytes;
}

}  // namespace gsst::experiments
