#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "experiments/measure_files/file_on_device.hpp"
#include "experiments/measure_files/orc_input.hpp"

namespace gsst::experiments {

/// The column of an ORC file as one batch of stripes. `file` is the whole file, in host memory; it and
/// `input` are needed as long as the result is. Throws what codag::orc::OrcColumnInMemory throws.
std::unique_ptr<FileOnDevice> make_orc_on_device(std::span<const std::uint8_t> file, const OrcInput& input);

}  // namespace gsst::experiments
