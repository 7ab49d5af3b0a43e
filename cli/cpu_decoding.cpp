#include "cli/cpu_decoding.hpp"

#include <cstdint>
#include <span>

#include "cpu/tiles/frame_decoder.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::cli {

format::StreamTotals decode_on_cpu(format::BlockFormat block_format, InputFile& input,
                                   const format::WriteFunction& write, unsigned threads,
                                   const format::ProgressFunction& progress) {
  const format::ReadFunction read = [&](std::span<std::uint8_t> buffer) { return input.read(buffer); };
  if (block_format == format::BlockFormat::tiles) {
    return cpu::tiles::decode_frame(read, write, threads, progress);
  }
  return reference::codec_of(block_format).decode(read, write, threads, progress);
}

}  // namespace gsst::cli
