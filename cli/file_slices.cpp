#include "cli/file_slices.hpp"

#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "cli/file_descriptor.hpp"
#include "common/format/part_size.hpp"
#include "reference_cpu/parallel.hpp"

// Linux has it from 5.14 on; older ones refuse it.
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

namespace gsst::cli {
namespace {

// More threads than fill the memory's lanes only wait for each other.
constexpr unsigned most_threads = 16;
constexpr std::size_t least_slice_bytes = std::size_t{128} << 10;
constexpr std::size_t most_slice_bytes = std::size_t{4} << 20;
// Borders of slices of a file that is mapped.
constexpr std::uint64_t border_bytes = std::uint64_t{64} << 10;

unsigned team_of(unsigned threads) {
  return std::min(reference::thread_count(threads), most_threads);
}

std::size_t slice_bytes(std::size_t bytes, unsigned team) {
  const std::size_t slice =
      std::clamp(format::part_size(bytes, std::size_t{team}), least_slice_bytes, most_slice_bytes);
  return format::part_size(slice, border_bytes) * border_bytes;
}

std::size_t read_slice(int descriptor, std::uint64_t offset, std::span<std::uint8_t> buffer,
                       const std::string& name) {
  std::size_t filled = 0;
  while (filled < buffer.size()) {
    const ssize_t count = ::pread(descriptor, buffer.data() + filled, buffer.size() - filled,
                                  static_cast<off_t>(offset + filled));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw system_error(name, "read", errno);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  return filled;
}

void write_slice(int descriptor, std::uint64_t offset, std::span<const std::uint8_t> bytes,
                 const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw system_error(name, "write", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::size_t>(count);
  }
}

// Copies into the file's pages. The pages are made first, by a call that returns an error for a full disk,
// where the copy would be ended by a signal. Returns false, with nothing written, if there are none to be had.
bool copy_to_pages(int descriptor, std::uint64_t offset, std::span<const std::uint8_t> bytes) {
  const std::uint64_t begin = offset / border_bytes * border_bytes;
  const std::size_t before = offset - begin;
  const std::size_t mapped = before + bytes.size();
  void* const pages = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor,
                             static_cast<off_t>(begin));
  if (pages == MAP_FAILED) return false;
  const bool are_there = ::madvise(pages, mapped, MADV_POPULATE_WRITE) == 0;
  if (are_there) std::memcpy(static_cast<std::uint8_t*>(pages) + before, bytes.data(), bytes.size());
  ::munmap(pages, mapped);
  return are_there;
}

}  // namespace

std::size_t read_slices(int descriptor, std::uint64_t offset, std::span<std::uint8_t> buffer,
                        unsigned threads, const std::string& name) {
  const unsigned team = team_of(threads);
  const std::size_t slice = slice_bytes(buffer.size(), team);
  std::vector<std::size_t> got(format::part_size(buffer.size(), slice));
  reference::parallel_for(got.size(), team, [&](std::size_t i) {
    const std::size_t begin = i * slice;
    got[i] = read_slice(descriptor, offset + begin,
                        buffer.subspan(begin, std::min(slice, buffer.size() - begin)), name);
  });
  // What follows a place where the file ended counts for nothing: it was made longer meanwhile.
  std::size_t filled = 0;
  for (std::size_t i = 0; i < got.size() && filled == i * slice; ++i) filled += got[i];
  return filled;
}

bool takes_slices(int descriptor) {
  struct statfs system {};
  if (::fstatfs(descriptor, &system) != 0) return false;
  // Others may be on another machine, or keep a second copy of pages.
  return system.f_type == TMPFS_MAGIC || system.f_type == EXT4_SUPER_MAGIC ||
         system.f_type == XFS_SUPER_MAGIC;
}

void write_slices(int descriptor, std::uint64_t offset, std::span<const std::uint8_t> bytes, unsigned threads,
                  const std::string& name) {
  const std::uint64_t end = offset + bytes.size();
  // Pages are within the file only. What the system refuses, write(2) will name.
  const bool is_long_enough = ::ftruncate(descriptor, static_cast<off_t>(end)) == 0;
  const unsigned team = team_of(threads);
  const std::size_t slice = slice_bytes(bytes.size(), team);
  // Slices end at borders of the file, so that no two threads are in one page.
  const std::uint64_t first = offset / border_bytes * border_bytes;
  reference::parallel_for(format::part_size(end - first, std::uint64_t{slice}), team, [&](std::size_t i) {
    const std::uint64_t from = std::max(offset, first + i * slice);
    const auto part = bytes.subspan(from - offset, std::min(end, first + (i + 1) * slice) - from);
    if (is_long_enough && copy_to_pages(descriptor, from, part)) return;
    write_slice(descriptor, from, part, name);
  });
}

}  // namespace gsst::cli
