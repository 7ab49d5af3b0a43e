#pragma once

#include <cstdint>
#include <string>

#include "cli/input_file.hpp"
#include "cli/options.hpp"

/// The option --type of formats whose input is an array of values.
namespace gsst::cli {

/// The options with --type as the header of an array file of numpy says it, where the format has that option,
/// it is not given, and `input` is such a file. Its header is coded as the first values. To be called before
/// anything is read. Throws CommandError for an array of values that the format does not know.
Options with_type_of_array(Options options, InputFile& input);

/// Bytes of a value of the type that --type names; 1 where it is not given.
std::uint64_t bytes_of_value(const Options& options);

/// Throws CommandError unless the `bytes` bytes of `what` are whole values of the type that --type names: a
/// file of other bytes was taken for one of values.
void check_whole_values(const Options& options, const std::string& what, std::uint64_t bytes);

}  // namespace gsst::cli
