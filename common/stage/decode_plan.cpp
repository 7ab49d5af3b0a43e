#include "common/stage/decode_plan.hpp"

#include <optional>
#include <string>

#include "common/format/error.hpp"
#include "common/format/frame.hpp"

namespace gsst::stage {
namespace {

const char* describe(BlockStatus status) {
  switch (status) {
    case BlockStatus::decoded:
      return "";
    case BlockStatus::output_too_short:
      return "decode to fewer bytes than stated";
    case BlockStatus::output_too_long:
      return "decode to more bytes than stated";
    case BlockStatus::escape_at_end:
      return "the last code is an escape with no byte after it";
    case BlockStatus::code_without_symbol:
      return "a code has no symbol in the table";
    case BlockStatus::escape_missing:
      return "a split starts with an escaped byte, but the one before does not end with an escape";
    case BlockStatus::wrong_checksum:
      return "is not that of the decompressed bytes";
  }
  return "unknown status";
}

}  // namespace

DecodePlan::DecodePlan(std::span<const std::uint8_t> frame) {
  const format::FrameView view = format::parse_frame(frame);
  frame_ = {.bytes = nullptr,
            .frame_bytes = frame.size(),
            .index_offset = view.index_offset(),
            .uncompressed_bytes = view.index.uncompressed_bytes,
            .block_count = static_cast<std::uint32_t>(view.index.entries.size()),
            .split_count = view.header.split_count,
            .format = view.header.format,
            .tile_shapes = 0,
            .has_raw_blocks = false};
  for (std::size_t block = 0; block < view.index.entries.size(); ++block) {
    frame_.note_block(view.parse_block(block).layout, view.payload(block).data());
  }
}

FrameOnDevice DecodePlan::frame_at(const std::uint8_t* bytes) const {
  FrameOnDevice frame = frame_;
  frame.bytes = bytes;
  return frame;
}

void check_statuses(std::span<const std::uint32_t> status) {
  for (std::size_t block = 0; block < status.size(); ++block) {
    if (status[block] == 0) continue;
    const BlockStatus problem = block_status(status[block]);
    const std::optional<std::uint32_t> strip = wrong_strip(status[block]);
    const std::string field = problem == BlockStatus::wrong_checksum ? "checksum"
                              : strip ? "codes of strip " + std::to_string(*strip)
                                      : "codes";
    throw format::FormatError(block, field, describe(problem));
  }
}

}  // namespace gsst::stage
