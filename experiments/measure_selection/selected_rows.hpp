#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gsst::experiments {

/// Words with a bit for each of `values` values, for whole tiles of 512: bit i % 32 of word i / 32 says
/// whether value i is selected, at random with the probability `selectivity`, 0 to 1. The same on every
/// machine.
std::vector<std::uint32_t> select_values(std::uint64_t values, double selectivity);

/// The oracle of SelectedSums: the sums of the values that are selected.
std::vector<std::uint64_t> sums_of_selected(std::span<const std::uint32_t> values,
                                            std::span<const std::uint32_t> selected);

}  // namespace gsst::experiments
