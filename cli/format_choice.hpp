#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input_file.hpp"
#include "cli/options.hpp"
#include "reference_cpu/codec.hpp"

/// `--format auto`: of the formats for arrays of values the one that makes an input smallest.
namespace gsst::cli {

/// What --format calls it.
inline constexpr std::string_view automatic_format = "auto";

/// The formats that it chooses from, by rising id: those with an option --type, but for those that are there
/// to be compared with them.
std::vector<const reference::Codec*> formats_to_choose_from();

/// Bytes at the start of an input that the choice is made by.
inline constexpr std::size_t choice_bytes = std::size_t{16} << 20;

/// What was chosen.
struct FormatChoice {
  const reference::Codec* codec;
  /// For people: what each format makes of the start of the input.
  std::string reason;
};

/// Codes the start of `input` with each format as `options` say, in blocks of their size, and takes the
/// smallest; the first of equal ones. To be called before anything is read.
FormatChoice choose_format(const Options& options, InputFile& input);

}  // namespace gsst::cli
