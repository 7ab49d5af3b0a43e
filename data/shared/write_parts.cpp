#include "data/shared/write_parts.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <exception>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace gsst::data {
namespace {

/// A file under another name until it is whole.
class NewFile {
public:
  explicit NewFile(const std::filesystem::path& path)
      : path_(path),
        temporary_(path.string() + ".partial"),
        descriptor_(open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) throw_error();
  }
  ~NewFile() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!is_finished_) unlink(temporary_.c_str());
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// From several threads.
  void write_at(std::span<const std::uint8_t> bytes, std::uint64_t offset) const {
    while (!bytes.empty()) {
      const ssize_t written = pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) throw_error();
      bytes = bytes.subspan(static_cast<std::size_t>(written));
      offset += static_cast<std::uint64_t>(written);
    }
  }

  void finish() {
    const int descriptor = descriptor_;
    descriptor_ = -1;
    if (close(descriptor) != 0) throw_error();
    std::filesystem::rename(temporary_, path_);
    is_finished_ = true;
  }

private:
  [[noreturn]] void throw_error() const {
    throw std::system_error(errno, std::generic_category(), temporary_.string());
  }

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  int descriptor_;
  bool is_finished_ = false;
};

/// What the threads share.
struct Work {
  const Parts& parts;
  std::uint64_t bytes;
  const NewFile& file;
  std::atomic<std::uint64_t> next_part = 0;
  std::mutex guard;
  std::exception_ptr failure;
};

void write_some(Work& work) {
  try {
    std::vector<std::uint8_t> output(work.parts.part_bytes);
    while (true) {
      const std::uint64_t part = work.next_part++;
      const std::uint64_t offset = part * work.parts.part_bytes;
      if (offset >= work.bytes) return;
      work.parts.fill(part, output);
      const std::uint64_t size = std::min(work.parts.part_bytes, work.bytes - offset);
      work.file.write_at(std::span(output).first(size), offset);
    }
  } catch (...) {
    const std::lock_guard<std::mutex> lock(work.guard);
    work.failure = std::current_exception();
    // The others end at their next part. Far from where the counter would wrap.
    work.next_part = work.bytes;
  }
}

}  // namespace

void write_parts(const Parts& parts, std::uint64_t first_bytes, unsigned threads,
                 const std::filesystem::path& path) {
  if (first_bytes > parts.bytes) {
    throw std::invalid_argument("the first " + std::to_string(first_bytes) +
                                " bytes were asked for, there are " + std::to_string(parts.bytes));
  }
  // A device must not be replaced by a file.
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path)) {
    throw std::invalid_argument(path.string() + " exists and is no file");
  }
  NewFile file(path);
  Work work{.parts = parts, .bytes = first_bytes, .file = file, .guard = {}, .failure = nullptr};
  {
    std::vector<std::jthread> running;
    const unsigned count = threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : threads;
    for (unsigned thread = 0; thread < count; ++thread) running.emplace_back([&work] { write_some(work); });
  }
  if (work.failure) std::rethrow_exception(work.failure);
  file.finish();
}

}  // namespace gsst::data
