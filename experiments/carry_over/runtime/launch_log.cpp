#include "experiments/carry_over/runtime/launch_log.hpp"

#include <array>
#include <cstdlib>
#include <fstream>
#include <mutex>

#include "experiments/carry_over/runtime/settings.hpp"

namespace gsst::logged_cuda {
namespace {

struct Files {
  Files() {
    const char* const path = std::getenv("GSST_LOGGED_CUDA_LOG");
    if (path == nullptr) fail("GSST_LOGGED_CUDA_LOG names no file");
    lines.open(path, std::ios::binary | std::ios::trunc);
    contents.open(std::string(path) + ".contents", std::ios::binary | std::ios::trunc);
    if (!lines || !contents) fail(std::string("cannot write ") + path);
  }

  std::mutex mutex;
  std::ofstream lines;
  std::ofstream contents;
};

// Never destroyed: destructors of other libraries call the runtime at exit.
Files& files() {
  static Files& only = *new Files;  // NOLINT(cppcoreguidelines-owning-memory)
  return only;
}

// More than the frames of what a program calls between two calls of the runtime.
constexpr std::size_t filled_bytes = std::size_t{1} << 15;

[[gnu::noinline]] void fill_stack() {
  static const char fill = [] {
    const char* const said = std::getenv("GSST_LOGGED_CUDA_FILL");
    return static_cast<char>(said == nullptr ? 0 : std::atoi(said));
  }();
  std::array<char, filled_bytes> below;
  below.fill(fill);
  // Else the compiler would leave it out.
  asm volatile("" : : "r"(below.data()) : "memory");
}

}  // namespace

void log(const std::string& line) {
  Files& to = files();
  const std::lock_guard lock(to.mutex);
  to.lines << line << '\n' << std::flush;
  fill_stack();
}

void log_contents(const void* bytes, std::size_t count) {
  Files& to = files();
  const std::lock_guard lock(to.mutex);
  to.contents.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(count)).flush();
}

}  // namespace gsst::logged_cuda
