#pragma once

#include <cstdint>
#include <span>

namespace gsst::experiments {

/// Copies `from` to the start of `to`, which is at least as large, with `threads` threads, each one
/// contiguous part by one memcpy(): what a stage that reads and writes every byte once is compared with.
void copy_memory(std::span<const std::uint8_t> from, std::span<std::uint8_t> to, unsigned threads);

}  // namespace gsst::experiments
