#pragma once

#include <cstdint>

#include "common/format/host_device.hpp"

namespace gsst::format {

/// A size as Eq 4.2 and Eq 4.3 of the thesis define it: `total` divided by `parts`, rounded up.
GSST_HOST_DEVICE inline std::uint64_t part_size(std::uint64_t total, std::uint64_t parts) {
  return (total + parts - 1) / parts;
}

}  // namespace gsst::format
