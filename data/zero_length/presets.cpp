#include "data/zero_length/presets.hpp"

#include <array>

namespace gsst::data {
namespace {

// Accumulated integers lie in about -2,000 to 9,500, which are the thesis's 9,000 different values
// (section 5.11). A flat band has few sums that are 0, so that runs of four zeros are little more than the 14
// of 224 floats; where the band falls off at its ends, more sums are. The scale is 1 over a whole number, an
// average's: it decides how often the bytes of the mantissa are 0x00 and 0xFF, and is the one of those up to
// 1/3000 that comes near to both counts of Figure 18.
constexpr std::uint32_t gain = 2100;
constexpr std::uint32_t source = 32;

constexpr std::array<Preset, 4> all_presets = {{
    {.name = "15",
     .correlator = {.seed = 15,
                    .dumps = 14,
                    .gain = gain,
                    .source = source,
                    .scale = 1.0f / 2561,
                    .flagged_per_million = 100}},
    {.name = "859",
     .correlator = {.seed = 859,
                    .dumps = 864,
                    .gain = gain,
                    .edge_channels = 160,
                    .edge_gain = 40,
                    .source = source,
                    .scale = 1.0f / 1671,
                    .flagged_per_million = 7000}},
    {.name = "2562",
     .correlator = {.seed = 2562,
                    .dumps = 2494,
                    .gain = gain,
                    .source = source,
                    .scale = 1.0f / 1530,
                    .flagged_per_million = 3}},
    {.name = "5060",
     .correlator = {.seed = 5060,
                    .dumps = 5094,
                    .gain = gain,
                    .edge_channels = 192,
                    .edge_gain = 50,
                    .source = source,
                    .scale = 1.0f / 2070,
                    .flagged_per_million = 20}},
}};

}  // namespace

std::span<const Preset> presets() {
  return all_presets;
}

}  // namespace gsst::data
