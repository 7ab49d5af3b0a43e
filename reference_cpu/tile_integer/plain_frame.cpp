#include "reference_cpu/tile_integer/plain_frame.hpp"

#include "common/format/payload_rules.hpp"
#include "common/format/stream.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "reference_cpu/tile_integer/file_writer.hpp"

namespace gsst::reference::tile_integer {

std::vector<std::uint8_t> plain_frame(std::span<const std::uint8_t> column, std::uint64_t block_bytes) {
  constexpr format::BlockFormat format = format::tile_integer::for_format;
  std::vector<std::uint8_t> frame;
  const auto encode = [](std::span<const std::uint8_t> block) {
    BlockPayload raw = {.layout = format::BlockLayout::raw, .payload = {block.begin(), block.end()}};
    raw.payload.resize(format::raw_payload_bytes(format, block.size()), 0);
    return raw;
  };
  write_frame_file(format, format::reader_of(column), format::writer_to(frame), {.block_bytes = block_bytes},
                   {}, encode);
  return frame;
}

}  // namespace gsst::reference::tile_integer
