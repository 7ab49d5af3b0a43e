#include "cli/cpu_encoding.hpp"

#include <cstdint>
#include <span>

#include "cpu/tiles/frame_encoder.hpp"

namespace gsst::cli {

format::EncodeTotals encode_on_cpu(const reference::Codec& codec, InputFile& input,
                                   const format::WriteFunction& write, const format::EncodeSettings& settings,
                                   const format::ProgressFunction& progress) {
  const format::ReadFunction read = [&](std::span<std::uint8_t> buffer) { return input.read(buffer); };
  if (codec.traits().format == format::BlockFormat::tiles && cpu::tiles::is_fast_level(settings)) {
    return cpu::tiles::encode_frame(read, write, settings, progress);
  }
  return codec.encode(read, write, settings, progress);
}

}  // namespace gsst::cli
