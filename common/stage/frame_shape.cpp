#include "common/stage/frame_shape.hpp"

#include "common/frame/frame.hpp"
#include "common/frame/payload_checker.hpp"

namespace gsst::stage {

FrameOnDevice frame_shape(std::span<const std::uint8_t> frame) {
  const format::FrameView view = format::parse_frame(frame);
  FrameOnDevice shape = {.bytes = nullptr,
                         .frame_bytes = frame.size(),
                         .index_offset = view.index_offset(),
                         .uncompressed_bytes = view.index.uncompressed_bytes,
                         .block_count = static_cast<std::uint32_t>(view.index.entries.size()),
                         .split_count = view.header.split_count,
                         .format = view.header.format,
                         .payload_traits = 0,
                         .has_raw_blocks = false};
  format::PayloadChecker payloads(view.header);
  for (std::size_t block = 0; block < view.index.entries.size(); ++block) {
    const format::BlockRecord& record = view.index.entries[block].record;
    shape.note_block(record.layout, payloads.check_next(view.payload(block), record).traits);
  }
  return shape;
}

}  // namespace gsst::stage
