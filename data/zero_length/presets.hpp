#pragma once

#include <span>
#include <string_view>

#include "data/zero_length/correlator.hpp"

namespace gsst::data {

/// A simulated stand-in for one of the thesis's four data sets (section 3.6), named by the size in MiB of its
/// HDF5 file. It has the raw size of that set, and the shares of zero bytes, of bytes 0xFF and of runs of
/// four zeros that Figures 18 and 19 give for it.
struct Preset {
  std::string_view name;
  Correlator correlator;
};

/// From the smallest to the largest.
std::span<const Preset> presets();

}  // namespace gsst::data
