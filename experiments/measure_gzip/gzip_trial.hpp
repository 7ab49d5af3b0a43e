#pragma once

#include <memory>

#include "experiments/measure/shared/trial.hpp"

namespace gsst::experiments {

/// A file of gzip, with a member for each block of a point's input, in device memory (BGZF where blocks are
/// small enough): its members are decoded by the point's stage, which is of format deflate, and their CRC-32 are checked. A point has a row for each
/// of three works, which the key `work` names: decode, CRC-32, and decode and CRC-32, one after the other.
/// The throughputs of all are of the uncompressed bytes.
std::shared_ptr<Kind> gzip_kind(const Measurement& measurement);

}  // namespace gsst::experiments
