#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "common/format/block_format.hpp"
#include "cpu/default_format.hpp"
#include "gsst/gsst.h"
#include "library/decompress_plan.hpp"
#include "reference_cpu/compress_block.hpp"

namespace gsst::library {

/// What `options`, which may be null, ask for, with the defaults in place of zeros: the format is `usual`
/// where none is named. Throws std::invalid_argument for what does not depend on the input or on other
/// options.
reference::CompressOptions compress_options(const gsst_compress_options* options,
                                            format::BlockFormat usual = cpu::default_format);
DecompressOptions decompress_options(const gsst_decompress_options* options);

/// The threads that `threads` of an interface's options asks for. Throws std::invalid_argument for too many.
unsigned thread_count(std::uint32_t threads);

/// Throws std::invalid_argument if the option `name` is not 0 or 1.
void check_flag(const char* name, std::uint32_t found);

/// Throws std::invalid_argument unless the reserved field `name` is 0.
void check_zero(const char* name, std::uint32_t found);

/// The format that the gsst_format `number` asks for; nothing for the default. Throws std::invalid_argument
/// if it is none.
std::optional<format::BlockFormat> block_format(std::uint32_t number);

/// The number of a format in the interface.
gsst_format api_format(format::BlockFormat format);

}  // namespace gsst::library
