#pragma once

#include <cstdint>
#include <string>

#include "cli/options.hpp"

/// The option --type of formats whose input is an array of values.
namespace gsst::cli {

/// Bytes of a value of the type that --type names; 1 where it is not given.
std::uint64_t bytes_of_value(const Options& options);

/// Throws CommandError unless the `bytes` bytes of `what` are whole values of the type that --type names: a
/// file of other bytes was taken for one of values.
void check_whole_values(const Options& options, const std::string& what, std::uint64_t bytes);

}  // namespace gsst::cli
