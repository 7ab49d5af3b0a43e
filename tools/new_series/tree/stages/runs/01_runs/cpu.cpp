#include <algorithm>
#include <cstdint>

#include "common/stage/decode_plan.hpp"
#include "common/stage/registry.hpp"
#include "stages/runs/01_runs/description.hpp"

// The stage without a kernel, on the host's own processor.
namespace gsst::runs {
namespace {

using format::BlockLayout;
using stage::BlockOnDevice;
using stage::BlockStatus;

BlockStatus decode_block(const BlockOnDevice& block) {
  if (block.layout == BlockLayout::raw) {
    std::copy_n(block.payload, block.uncompressed_bytes, block.output);
    return BlockStatus::decoded;
  }
  std::uint32_t written = 0;
  for (std::uint32_t run = 0; run + format::run_bytes <= block.payload_bytes; run += format::run_bytes) {
    const std::uint32_t count = block.payload[run];
    if (count > block.uncompressed_bytes - written) return BlockStatus::output_too_long;
    std::fill_n(block.output + written, count, block.payload[run + 1]);
    written += count;
  }
  return written == block.uncompressed_bytes ? BlockStatus::decoded : BlockStatus::output_too_short;
}

void decode(const stage::DecodeRequest& request) {
  for (std::uint32_t block = 0; block < request.frame.block_count; ++block) {
    request.status[block] =
        static_cast<std::uint32_t>(decode_block(request.frame.block(block, request.output)));
  }
}

const stage::Registration registration(stage::Executor::cpu, description, decode_plans(description, decode));

}  // namespace
}  // namespace gsst::runs
