#pragma once

#include <cstdint>
#include <type_traits>

#include "common/stage/shared_memory.hpp"
#include "stages/search/05_wide_codes/class_table.cuh"
#include "stages/search/shared/piece_walk.cuh"
#include "stages/search/shared/queued_shifts.cuh"
#include "stages/search/shared/search_on_device.hpp"
#include "stages/search/shared/shift_words.cuh"

namespace gsst::search::kernels {
namespace {

// Codes of 12 bits have classes.
template <std::uint32_t CodeBits>
using WidthTable = std::conditional_t<CodeBits == 12, ClassTable, WordTable<CodeBits>>;

template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
__global__ void __launch_bounds__(most_threads, 1)
    search_codes(const GSST_GRID_CONSTANT SearchOnDevice search) {
  GSST_SHARED_MEMORY(shared);
  search_with_queue<CodeBits, CodesPerLane, Aligned, WidthTable<CodeBits>>(search, shared);
}

}  // namespace
}  // namespace gsst::search::kernels
