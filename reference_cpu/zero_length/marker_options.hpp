#pragma once

#include <array>
#include <string_view>

#include "common/format/encoding.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/zero_length/marked_elements.hpp"

/// The options of format zle_markers.
namespace gsst::reference::zero_length {

/// The names of an option's values. The first one is the default.
inline constexpr std::array<std::string_view, 2> marker_names = {"rarest", "ff"};
inline constexpr std::array<std::string_view, 2> runs_of_4_names = {"one-byte", "two-bytes"};

/// As --help lists them.
inline constexpr std::array<CodecOption, 2> marker_options = {{
    {.name = "marker",
     .help = "The byte that runs start with: rarest (default), the one\n"
             "that a block has least of, or ff; for zle_markers",
     .names = marker_names},
    {.name = "runs-of-4",
     .help = "A run of four zeros takes one-byte (default), a code that\n"
             "each block chooses, or two-bytes; for zle_markers",
     .names = runs_of_4_names},
}};

/// What `options` say; those that are absent have their defaults.
MarkerChoice marker_choice(const format::CodecOptions& options);

}  // namespace gsst::reference::zero_length
