#pragma once

#include "common/format/runs/runs.hpp"
#include "common/stage/stage.hpp"

/// What the stage is, on each of its executors: stage.cu is compiled for two of them, cpu.cpp is the third.
namespace gsst::runs {

inline const stage::Description description = {
    .id = "runs/01_runs",
    .base = "",
    .title = "The threads of a thread block write a run together",
    .section = "example",
    .format = format::runs_format,
    .operation = stage::Operation::decode,
    .minimum_compute_capability = 80,
    .parameters = {{.name = "threads",
                    .description = "threads of a thread block, which decode one block",
                    .values = {32, 64, 128, 256},
                    .default_value = 64,
                    .compile_time = false}},
};

}  // namespace gsst::runs
