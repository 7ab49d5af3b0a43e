#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "common/format/zero_length/zero_length.hpp"
#include "common/stage/stage.hpp"
#include "stages/zero_length/shared/host_to_host.hpp"

namespace gsst::zero_length::host_to_host {
namespace {

// The stage whose plans run here. experiments/sources.py reads this line: what that stage is made of counts
// as this one's.
constexpr std::string_view kernels_of = "zero_length/05_cuda_scan";

inline stage::Description describe() {
  return {.id = "zero_length/06_pipeline",
          .base = "zero_length/05_cuda_scan",
          .title = "Host memory to host memory, in batches that overlap",
          .section = "zero-length thesis, 7.1",
          .format = format::zero_length::bare_format,
          .operation = stage::Operation::encode,
          .minimum_compute_capability = 80,
          .parameters = {{.name = "slots",
                          .description = "batches that are under way at the same time",
                          .values = {1, 2, 3, 4, 6},
                          .default_value = 3,
                          .compile_time = false},
                         {.name = "batch_mib",
                          .description = "MiB of input a batch, in whole blocks; a longer block is a batch",
                          .values = {1, 2, 4, 8, 16, 32, 64, 128, 256},
                          .default_value = 16,
                          .compile_time = false}}};
}

const stage::Description description = describe();

inline BatchShape batch_shape(std::uint64_t block_bytes, const stage::ParameterValues& parameters) {
  stage::check_parameters(description, parameters);
  const auto value = [&](const char* name) {
    return static_cast<std::uint64_t>(stage::parameter_value(description, parameters, name));
  };
  const std::uint64_t batch_bytes = value("batch_mib") << 20;
  return {.block_bytes = block_bytes,
          .batch_blocks = std::max<std::uint64_t>(batch_bytes / block_bytes, 1),
          .slots = static_cast<unsigned>(value("slots"))};
}

}  // namespace
}  // namespace gsst::zero_length::host_to_host
