#include "cli/cpu_encoding.hpp"

#include <cstdint>
#include <span>

#include "cpu/tiles/frame_encoder.hpp"

namespace gsst::cli {
namespace {

bool has_fast_encoder(const reference::Codec& codec, const format::EncodeSettings& settings) {
  return codec.traits().format == format::BlockFormat::tiles && cpu::tiles::is_fast_level(settings);
}

}  // namespace

std::optional<cpu::BlockSizeChoice> choose_block_size(const reference::Codec& codec, InputFile& input,
                                                      const format::EncodeSettings& settings) {
  if (!has_fast_encoder(codec, settings)) return std::nullopt;
  const auto read_at = [&](std::uint64_t offset, std::span<std::uint8_t> buffer) {
    input.peek_at(offset, buffer);
  };
  return cpu::choose_block_size(input.count_bytes(cpu::most_looked_at_bytes), read_at, settings);
}

format::EncodeTotals encode_on_cpu(const reference::Codec& codec, InputFile& input,
                                   const format::WriteFunction& write, const format::EncodeSettings& settings,
                                   const format::ProgressFunction& progress) {
  const format::ReadFunction read = [&](std::span<std::uint8_t> buffer) { return input.read(buffer); };
  if (has_fast_encoder(codec, settings)) {
    return cpu::tiles::encode_frame(read, write, settings, progress);
  }
  return codec.encode(read, write, settings, progress);
}

}  // namespace gsst::cli
