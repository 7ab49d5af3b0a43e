#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "common/format/block_format.hpp"
#include "common/format/payload_rules.hpp"

/// The formats that there are. Each series brings its own: a folder common/format/<series>/ with a file
/// formats.cpp, which defines `std::span<const Format> formats_of_<series>()`. CMake makes the table of these
/// functions (cmake/GsstSeries.cmake); nothing else names a series.
namespace gsst::format {

/// A format of some series.
struct Format {
  /// What frames store; no two formats have the same.
  BlockFormat id;
  /// The name that commands and records use; no two formats have the same.
  std::string_view name;
  /// Nullptr for a format with files of its own, whose blocks no frame holds.
  const PayloadRules* rules;
};

/// The formats of a series.
using FormatsOfSeries = std::span<const Format> (*)();

/// The functions of all series.
std::span<const FormatsOfSeries> series_with_formats();

/// All formats, by rising id. Throws std::logic_error, which names both, if two have the same id.
std::vector<Format> registered_formats();

/// The format of that id, or nothing.
std::optional<Format> find_format(BlockFormat format);

/// The rules of a format whose blocks stand in frames. Throws std::invalid_argument for any other.
const PayloadRules& rules_of(BlockFormat format);

/// The format's name, "unknown" for one that is not registered.
std::string_view block_format_name(BlockFormat format);

/// The format of that name; nothing for any other text.
std::optional<BlockFormat> block_format_from_name(std::string_view name);

}  // namespace gsst::format
