#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gsst/gsst.h"
#include "library/decompress_plan.hpp"
#include "library/known_struct.hpp"

/// Checks of the pointers and sizes that a caller gives. Each throws ApiError naming the argument.
namespace gsst::library {

void check_not_null(const void* pointer, const char* name);

/// `found` must be `planned`.
void check_size(const char* name, std::uint64_t found, std::uint64_t planned);

/// `size` bytes at `bytes`, which may be null if there are none.
std::span<const std::uint8_t> input_span(const void* bytes, std::size_t size, const char* name);

/// The first `least_size` of the output's `size` bytes; `bytes` may be null if that is 0.
std::span<std::uint8_t> output_span(void* bytes, std::size_t size, std::uint64_t least_size);

/// Two ranges of the same address space.
void check_no_overlap(std::span<const std::uint8_t> input, const char* name,
                      std::span<const std::uint8_t> output, const char* output_name);

template <>
inline constexpr std::size_t first_struct_bytes<gsst_frame_info> = 48;
template <>
inline constexpr std::size_t first_struct_bytes<gsst_block_info> = 40;
template <>
inline constexpr std::size_t first_struct_bytes<gsst_read_info> = 32;

/// `summary` as the interface tells it; struct_bytes is 0, as in the next two.
gsst_frame_info frame_info(const FrameSummary& summary);

gsst_block_info block_info(const BlockPlace& place);

gsst_read_info read_info(const ReadCount& count);

}  // namespace gsst::library
