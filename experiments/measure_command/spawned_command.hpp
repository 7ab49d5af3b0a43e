#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace gsst::experiments {

/// Takes what a command writes to a pipe, in order.
using TakeBytes = std::function<void(std::span<const std::uint8_t> bytes)>;

/// Runs a command as a user does, and returns the seconds from before its start until it has ended: the
/// program is loaded, works, and frees what it has. `command` is the program, a path or a name that PATH
/// finds, and its arguments. Its standard output goes to /dev/null; with `take` it is a pipe, all of which
/// this process reads. Throws InputError if it cannot be started, or ends with another status than 0, with
/// what it said on standard error.
double seconds_of_command(const std::vector<std::string>& command, const TakeBytes& take = {});

}  // namespace gsst::experiments
