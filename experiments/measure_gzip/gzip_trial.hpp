#pragma once

#include <memory>

#include "experiments/measure/shared/trial.hpp"

namespace gsst::experiments {

/// A file of gzip, with a member for each block of a point's input, in device memory (BGZF where blocks are
/// small enough): its members are decoded
/// by the point's stage, which is of format deflate, and their CRC-32 are checked, or in place of these the
/// Adler-32 that zlib's streams have. A point has a row for each of gzip_works, which the key `work` names:
/// the decoding, each check, and the decoding with each check after it. The throughputs of all are of the
/// uncompressed bytes.
std::shared_ptr<Kind> gzip_kind(const Measurement& measurement);

}  // namespace gsst::experiments
