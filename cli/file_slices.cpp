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
// To make pages and copy into them takes one thread twice as long as write(2), which clears none.
constexpr unsigned least_writers = 4;
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

// The pages of a part of a file, in memory. They are made by a call that returns an error for a full disk,
// where touching them would end the process by a signal.
class FilePages {
public:
  // From the border at or before `offset` to `end`; none where the system has no pages of the file.
  FilePages(int descriptor, std::uint64_t offset, std::uint64_t end)
      : offset_(offset / border_bytes * border_bytes), size_(end - offset_) {
    void* const pages =
        ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, static_cast<off_t>(offset_));
    if (pages != MAP_FAILED) pages_ = static_cast<std::uint8_t*>(pages);
  }
  FilePages(const FilePages&) = delete;
  FilePages& operator=(const FilePages&) = delete;
  ~FilePages() {
    if (pages_ != nullptr) ::munmap(pages_, size_);
  }

  // Copies `bytes` to `offset`. Returns false, with nothing written, if there are no pages to be had. Several
  // threads may call it at a time: unlike making and removing mappings, it lets the others go on.
  bool copy(std::uint64_t offset, std::span<const std::uint8_t> bytes) const {
    if (pages_ == nullptr) return false;
    const std::uint64_t border = offset / border_bytes * border_bytes;
    std::uint8_t* const begin = pages_ + (border - offset_);
    const std::size_t before = offset - border;
    if (::madvise(begin, before + bytes.size(), MADV_POPULATE_WRITE) != 0) return false;
    std::memcpy(begin + before, bytes.data(), bytes.size());
    // They stay the file's; only their places here go, for which the destructor would take longer alone.
    ::madvise(begin, before + bytes.size(), MADV_DONTNEED);
    return true;
  }

private:
  std::uint64_t offset_;
  std::size_t size_;
  std::uint8_t* pages_ = nullptr;
};

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

bool takes_slices(int descriptor, unsigned threads) {
  struct statfs system {};
  if (team_of(threads) < least_writers || ::fstatfs(descriptor, &system) != 0) return false;
  // Others may be on another machine, or keep a second copy of pages.
  return system.f_type == TMPFS_MAGIC || system.f_type == EXT4_SUPER_MAGIC ||
         system.f_type == XFS_SUPER_MAGIC;
}

void write_slices(int descriptor, std::uint64_t offset, std::span<const std::uint8_t> bytes, unsigned threads,
                  const std::string& name) {
  const std::uint64_t end = offset + bytes.size();
  const unsigned team = team_of(threads);
  const std::size_t slice = slice_bytes(bytes.size(), team);
  // Slices end at borders of the file, so that no two threads are in one page.
  const std::uint64_t first = offset / border_bytes * border_bytes;
  // Pages are within the file only. What the system refuses, write(2) will name.
  const bool is_long_enough = ::ftruncate(descriptor, static_cast<off_t>(end)) == 0;
  const FilePages pages(descriptor, first, is_long_enough ? end : first);
  reference::parallel_for(format::part_size(end - first, std::uint64_t{slice}), team, [&](std::size_t i) {
    const std::uint64_t from = std::max(offset, first + i * slice);
    const auto part = bytes.subspan(from - offset, std::min(end, first + (i + 1) * slice) - from);
    if (!pages.copy(from, part)) write_slice(descriptor, from, part, name);
  });
}

}  // namespace gsst::cli
