#include "experiments/measure_command/spawned_command.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <system_error>
#include <utility>

#include "experiments/measure/shared/error.hpp"

extern char** environ;

namespace gsst::experiments {
namespace {

// What a user may have, which cat(1) and others ask for.
constexpr int pipe_bytes = 1 << 20;

class PipeEnd {
public:
  explicit PipeEnd(int descriptor) : descriptor_(descriptor) {
    if (descriptor < 0) throw std::system_error(errno, std::generic_category(), "a file for a command");
  }
  PipeEnd(const PipeEnd&) = delete;
  PipeEnd& operator=(const PipeEnd&) = delete;
  ~PipeEnd() { close(); }

  int get() const { return descriptor_; }
  void close() {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  }

private:
  int descriptor_;
};

struct Pipe {
  Pipe() : Pipe(make()) {}

  PipeEnd read_end;
  PipeEnd write_end;

private:
  explicit Pipe(std::array<int, 2> ends) : read_end(ends[0]), write_end(ends[1]) {}

  static std::array<int, 2> make() {
    std::array<int, 2> ends = {-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw std::system_error(errno, std::generic_category(), "a pipe for a command");
    }
    return ends;
  }
};

class FileActions {
public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }

  void give(int descriptor, int as) { posix_spawn_file_actions_adddup2(&actions_, descriptor, as); }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

private:
  posix_spawn_file_actions_t actions_{};
};

// Until its end.
void read_all(const PipeEnd& pipe, const TakeBytes& take) {
  std::vector<std::uint8_t> buffer(pipe_bytes);
  for (;;) {
    const ssize_t count = ::read(pipe.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    take(std::span(buffer).first(static_cast<std::size_t>(count)));
  }
}

}  // namespace

double seconds_of_command(const std::vector<std::string>& command, const TakeBytes& take) {
  PipeEnd messages(::memfd_create("messages", MFD_CLOEXEC));
  PipeEnd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  std::optional<Pipe> pipe;
  if (take) {
    pipe.emplace();
    ::fcntl(pipe->read_end.get(), F_SETPIPE_SZ, pipe_bytes);
  }
  FileActions actions;
  actions.give(nothing.get(), STDIN_FILENO);
  actions.give(pipe ? pipe->write_end.get() : nothing.get(), STDOUT_FILENO);
  actions.give(messages.get(), STDERR_FILENO);
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  const auto start = std::chrono::steady_clock::now();
  pid_t process = 0;
  const int error =
      ::posix_spawnp(&process, arguments.front(), actions.get(), nullptr, arguments.data(), environ);
  if (error != 0) throw InputError(command.front() + ": " + std::generic_category().message(error));
  if (pipe) {
    pipe->write_end.close();
    read_all(pipe->read_end, take);
  }
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return seconds;

  std::string said(4096, '\0');
  const ssize_t count = ::pread(messages.get(), said.data(), said.size(), 0);
  said.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
  std::string line;
  for (const std::string& word : command) line += word + " ";
  throw InputError(line + "failed: " + said);
}

}  // namespace gsst::experiments
