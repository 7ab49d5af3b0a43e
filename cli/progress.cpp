#include "cli/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "cli/quantity_text.hpp"

namespace gsst::cli {
namespace {

constexpr std::size_t bar_columns = 20;
constexpr std::size_t name_columns = 24;
constexpr std::chrono::milliseconds time_between_updates{100};

std::size_t terminal_columns() {
  struct winsize size {};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  // The last column stays free: some terminals wrap once it is written.
  return size.ws_col - 1U;
}

// The end of a path tells more than its start.
std::string shorten(const std::string& name) {
  if (name.size() <= name_columns) return name;
  std::string text = "...";
  return text.append(name, name.size() - (name_columns - text.size()));
}

std::string bar(double share) {
  const auto filled = static_cast<std::size_t>(share * bar_columns);
  std::string text = "[";
  text.append(filled, '#').append(bar_columns - filled, '-');
  return text + "]";
}

}  // namespace

std::string progress_text(const ProgressState& state, std::size_t columns) {
  const double rate = state.seconds > 0 ? static_cast<double>(state.uncompressed_bytes) / state.seconds : 0;
  const std::string amount =
      byte_text(static_cast<double>(state.uncompressed_bytes)) + "  " + byte_text(rate) + "/s";
  std::string line = shorten(state.name) + "  ";
  if (state.input_size && *state.input_size > 0) {
    const double share =
        std::min(1.0, static_cast<double>(state.input_bytes) / static_cast<double>(*state.input_size));
    line += bar(share) + " " + std::to_string(static_cast<int>(std::floor(share * 100))) + " %  " + amount;
    if (share > 0) line += "  " + duration_text(state.seconds * (1 - share) / share) + " left";
  } else {
    line += amount;
  }
  return line.substr(0, columns);
}

ProgressLine::ProgressLine(const std::string& name, std::optional<std::uint64_t> input_size, bool quiet)
    : name_(name),
      input_size_(input_size),
      enabled_(!quiet && ::isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()),
      last_shown_(start_) {}

ProgressLine::~ProgressLine() {
  if (shown_) std::cerr << "\r\033[K" << std::flush;
}

void ProgressLine::update(std::uint64_t input_bytes, std::uint64_t uncompressed_bytes) {
  const auto now = std::chrono::steady_clock::now();
  if (!enabled_ || (shown_ && now - last_shown_ < time_between_updates)) return;
  const ProgressState state{.name = name_,
                            .input_bytes = input_bytes,
                            .input_size = input_size_,
                            .uncompressed_bytes = uncompressed_bytes,
                            .seconds = seconds()};
  std::cerr << "\r" << progress_text(state, terminal_columns()) << "\033[K" << std::flush;
  last_shown_ = now;
  shown_ = true;
}

double ProgressLine::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

}  // namespace gsst::cli
