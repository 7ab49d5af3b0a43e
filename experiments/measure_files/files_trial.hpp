#pragma once

#include <memory>

#include "experiments/measure/shared/trial.hpp"

namespace gsst::experiments {

/// The stage of points of ORC files.
inline constexpr const char* stage_of_orc = "codag/orc";

/// Files in device memory, decoded there to values in device memory. The text of `measurement` is an ORC file
/// with a column `c`, for points of stage_of_orc, or the bytes that a file of gzip is made of, for points of
/// stages of format deflate, whose rows say its `members`. Each row has `graph_seconds` too.
std::shared_ptr<Kind> files_kind(const Measurement& measurement);

}  // namespace gsst::experiments
