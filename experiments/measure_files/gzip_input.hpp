#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "experiments/measure/shared/points.hpp"
#include "reference_cpu/codag/gzip_codec.hpp"
#include "stages/codag/gzip/gzip_batch.hpp"

namespace gsst::experiments {

/// A file of gzip in host memory, and all members that it has.
struct GzipInput {
  std::vector<std::uint8_t> file;
  codag::gzip::GzipBatch members;
};

/// What the row of a point says of its file's members under `members`: plain, or bgzf. Throws InputError for
/// anything else, and where it says nothing.
reference::codag::GzipMembers members_of_point(const Point& point);

/// The text as a file of gzip with a member for each block of `input`, by zlib at its level; after those of
/// BGZF is one without bytes. Throws MismatchError if a member is not found where it was written: those that
/// do not say their sizes are looked for by their headers, as in any file.
GzipInput make_gzip_input(const Input& input, std::span<const std::uint8_t> text,
                          reference::codag::GzipMembers members);

}  // namespace gsst::experiments
