#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "cli/input_file.hpp"
#include "common/format/block_format.hpp"

namespace gsst::cli {

/// Bytes from the start of a compressed file that recognise_format() wants to see.
inline constexpr std::size_t recognised_bytes = 40;

/// The format of the compressed file `name` which starts with `start` (all of the file if it is shorter than
/// recognised_bytes). A frame is known by its magic, and so is a file of another format if that has one; else
/// `wanted` or the suffix says what it is. Throws CommandError for anything else, and if a frame has another
/// format than `wanted`; format::FormatError if the frame's header is damaged.
format::BlockFormat recognise_format(std::span<const std::uint8_t> start, const std::string& name,
                                     std::optional<format::BlockFormat> wanted);

/// The format of a compressed file that is to be decompressed whole. Looks at its start, and takes nothing.
/// Throws as recognise_format() and, without `wanted`, check_column_is_chosen() do.
format::BlockFormat format_to_decode(InputFile& input, std::optional<format::BlockFormat> wanted);

}  // namespace gsst::cli
