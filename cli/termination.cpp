#include "cli/termination.hpp"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <thread>

namespace gsst::cli {
namespace {

// What people, terminals, limits and job schedulers send to end a program.
constexpr std::array ending_signals = {SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};

// Never destroyed: the waiting thread may use them while the process exits.
std::mutex& termination_mutex() {
  static auto& mutex = *new std::mutex;
  return mutex;
}

std::string& doomed_path() {
  static auto& path = *new std::string;
  return path;
}

void wait_for_signal(const sigset_t& signals) {
  int signal_number = 0;
  if (sigwait(&signals, &signal_number) != 0) return;
  const std::lock_guard lock(termination_mutex());
  if (!doomed_path().empty()) ::unlink(doomed_path().c_str());
  // Ends the process by the signal itself, so that the caller sees which one it was.
  ::signal(signal_number, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  ::raise(signal_number);
}

}  // namespace

void start_termination_watch() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal_number : ending_signals) {
    struct sigaction action {};
    sigaction(signal_number, nullptr, &action);
    if (action.sa_handler != SIG_IGN) sigaddset(&signals, signal_number);
  }
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  ::signal(SIGXFSZ, SIG_IGN);
  std::thread(wait_for_signal, signals).detach();
}

std::unique_lock<std::mutex> hold_termination() {
  return std::unique_lock(termination_mutex());
}

void remove_on_termination(const std::string& path) {
  doomed_path() = path;
}

}  // namespace gsst::cli
