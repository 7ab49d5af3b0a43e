#pragma once

#include <cstdint>

#include "stages/gsst/encode/encode_plan.hpp"

// What the stage is, for its host side.
namespace {

using gsst::stage::EncodeRequest;
using gsst::stage::EncodeSettings;

// The steps of the ladder. Each includes the ones before it.
enum Step : int {
  warp_chunks = 1,
  hash_entries = 2,
  transposed = 3,
  hashed_pairs = 4,
  checksums_beside = 5,
  gpu_training = 6,
};

const gsst::stage::Description description = {
    .id = "gsst/10_wide_encoder",
    .base = "gsst/08_gpu_encoder",
    .title = "Beyond the paper: a warp encodes 32 splits in shared memory",
    .section = "GPU encoder paper, 7",
    .format = gsst::format::BlockFormat::splits,
    .operation = gsst::stage::Operation::encode,
    .minimum_compute_capability = 80,
    .parameters = {{.name = "step",
                    .description =
                        "ideas that are used, each with those before it: 1 warp chunks, 2 hash "
                        "entries of 8 bytes, 3 transposed chunks, 4 hashed pairs, 5 checksums beside the "
                        "encoding, 6 training on the GPU",
                    .values = {1, 2, 3, 4, 5, 6},
                    .default_value = gpu_training,
                    .compile_time = true},
                   {.name = "warps_per_block",
                    .description = "warps of a thread block at most; fewer where shared memory ends",
                    .values = {4, 8, 12, 16, 20, 22},
                    .default_value = 20,
                    .compile_time = false},
                   {.name = "shared_kilobytes",
                    .description = "shared memory of a thread block at most; with less than 102 rows are "
                                   "halved, and where tables do not "
                                   "fit they are read from global memory, or trained on the host",
                    .values = {48, 64, 99, 163, 227},
                    .default_value = 227,
                    .compile_time = false},
                   {.name = "pieces",
                    .description =
                        "parts of the input; the codes of each are copied to the frame while the next one is "
                        "encoded, by other warps; for format splits",
                    .values = {1, 4, 8, 16},
                    .default_value = 1,
                    .compile_time = false}},
};

inline std::int64_t value_of(const EncodeSettings& settings, const char* name) {
  return parameter_value(description, settings.parameters, name);
}

}  // namespace
