#pragma once

#include <mutex>
#include <string>

/// What happens when the user or the system ends the command early: SIGALRM, SIGHUP, SIGINT, SIGQUIT,
/// SIGTERM, SIGUSR1, SIGUSR2, and SIGXCPU at the caller's limit of CPU time.
namespace gsst::cli {

/// Starts a thread that waits for those signals, removes the file of remove_on_termination() and then lets
/// the signal end the process as usual. To be called once, before any other thread is started, since threads
/// take over which signals are blocked. Signals that the caller ignores (nohup) stay ignored. A file above
/// the caller's size limit (SIGXFSZ) becomes an ordinary write error.
void start_termination_watch();

/// While the caller holds it, no signal ends the process: for steps that must not be interrupted half-way.
std::unique_lock<std::mutex> hold_termination();

/// The file to remove when a signal ends the process; empty for none. The caller holds hold_termination().
void remove_on_termination(const std::string& path);

}  // namespace gsst::cli
