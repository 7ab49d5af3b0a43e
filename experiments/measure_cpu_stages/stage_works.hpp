#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_cpu/studied_works.hpp"
#include "experiments/measure_cpu_stages/stage_points.hpp"

namespace gsst::experiments {

/// Inputs of at least that many bytes do not fit into caches: what is timed on them comes from DRAM.
inline constexpr std::size_t least_bytes_from_dram = std::size_t{256} << 20;

struct StageOptions {
  std::filesystem::path input;
  std::size_t repetitions;
};

/// A work for each point, from memory to memory. Its row has the times of the stage and of copying the bytes
/// of the input by memcpy(), with one thread and with as many as the stage has, each repeated in turn. What
/// the stage writes is compared with what the format's codec makes (encode) or was made of (decode), before
/// and after. Reads the input at once; throws InputError, and the works throw MismatchError.
std::vector<StudiedWork> stage_works(const StageOptions& options, std::span<const StagePoint> points,
                                     const Dataset& dataset);

}  // namespace gsst::experiments
