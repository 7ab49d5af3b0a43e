#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/frame/frame.hpp"
#include "reference_cpu/decoder.hpp"

namespace gsst::experiments {

/// decode() or decode_fast(): which decoder of codes is measured.
using CodesDecoder = reference::DecodeProblem (*)(const format::SymbolTable& table,
                                                  std::span<const std::uint8_t> codes,
                                                  std::span<std::uint8_t> output);

/// Decodes every block of a frame of format blocks into `output`, which has exactly the frame's uncompressed
/// bytes, with `threads` threads over the blocks. Each block's header and table are parsed on the way;
/// checksums are left out. Throws MismatchError if codes cannot be decoded, InputError if the machine grants
/// fewer threads, and std::invalid_argument for another format.
void decode_frame_blocks(const format::FrameView& frame, CodesDecoder decoder, unsigned threads,
                         std::span<std::uint8_t> output);

}  // namespace gsst::experiments
