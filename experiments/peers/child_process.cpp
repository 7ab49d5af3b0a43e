#include "experiments/peers/child_process.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>
#include <string>
#include <system_error>

#include "experiments/peers/peer_error.hpp"

namespace gsst::experiments {
namespace {

// The first byte of what the child writes says what follows.
constexpr char value_mark = 'v';
constexpr char error_mark = 'e';

[[noreturn]] void fail(const std::string& call) {
  throw PeerError(call + ": " + std::generic_category().message(errno));
}

// Closes a file descriptor.
class Descriptor {
public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int value() const { return value_; }
  void close() {
    if (value_ >= 0) ::close(value_);
    value_ = -1;
  }

private:
  int value_;
};

void write_all(int descriptor, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = ::write(descriptor, text.data() + done, text.size() - done);
    if (written < 0) return;
    done += static_cast<std::size_t>(written);
  }
}

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer = {};
  for (;;) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

std::string outcome_of(const std::function<std::string()>& work) {
  try {
    return value_mark + work();
  } catch (const std::exception& error) {
    return error_mark + std::string(error.what());
  }
}

}  // namespace

std::string run_in_child(const std::function<std::string()>& work) {
  std::array<int, 2> ends = {};
  if (::pipe(ends.data()) != 0) fail("pipe");
  Descriptor reading(ends[0]);
  Descriptor writing(ends[1]);
  // Else the child would write what waits here a second time.
  std::cerr.flush();
  const pid_t child = ::fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    write_all(writing.value(), outcome_of(work));
    // No destructors: those of the parent's objects and of a spoilt CUDA context are not the child's
    // business.
    ::_exit(0);
  }
  writing.close();
  const std::string text = read_all(reading.value());
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) fail("waitpid");
  }
  if (WIFSIGNALED(status))
    throw PeerError(std::string("ended by a signal: ") + ::strsignal(WTERMSIG(status)));
  if (text.empty()) throw PeerError("ended with status " + std::to_string(WEXITSTATUS(status)));
  if (text.front() == error_mark) throw PeerError(text.substr(1));
  return text.substr(1);
}

}  // namespace gsst::experiments
