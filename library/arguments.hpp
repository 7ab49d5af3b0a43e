#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

/// What the C functions ask of pointers and sizes. All throw ApiError.
namespace gsst::library {

void check_not_null(const void* pointer, const char* name);

/// `size` bytes at `bytes`, which may be null if there are none.
std::span<const std::uint8_t> input_span(const void* bytes, std::size_t size, const char* name);

/// The first `least_size` bytes of an output of `size` bytes.
std::span<std::uint8_t> output_span(void* bytes, std::size_t size, std::uint64_t least_size);

void check_no_overlap(std::span<const std::uint8_t> input, std::span<const std::uint8_t> output);

}  // namespace gsst::library
