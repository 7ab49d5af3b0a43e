#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/stage/compile_time_choice.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/scratch_layout.hpp"
#include "stages/zero_length/05_cuda_scan/description.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/zero_length/05_cuda_scan/decode_kernel_1_block_tiles.cuh"
#include "stages/zero_length/05_cuda_scan/decode_kernel_2_spread_tiles.cuh"

// The host side of the decoder.
namespace gsst::zero_length::decoder {
namespace {

const stage::Description description = describe(stage::Operation::decode);

TileWork lay_out(stage::ScratchLayout& layout, const stage::FrameOnDevice& frame) {
  return {.tickets = layout.take<unsigned>(1), .states = layout.take<std::uint64_t>(slot_count(frame))};
}

std::size_t scratch_bytes(const stage::FrameOnDevice& frame) {
  stage::ScratchLayout layout(nullptr);
  lay_out(layout, frame);
  return layout.bytes();
}

template <unsigned Threads, unsigned Vectors>
void decode_blocks(const stage::DecodeRequest& request) {
  stage::launch({.thread_blocks = request.frame.block_count,
                 .threads_per_block = Threads,
                 .shared_bytes = shared_bytes<Threads, Vectors>,
                 .stream = request.stream},
                block_tiles::decode_blocks<Threads, Vectors>, request.frame, request.output, request.status);
}

void decode_tiles(const stage::DecodeRequest& request) {
  stage::clear(request.status, request.frame.block_count * sizeof(std::uint32_t), request.stream);
  stage::clear(request.scratch, scratch_bytes(request.frame), request.stream);
  stage::ScratchLayout layout(static_cast<std::uint8_t*>(request.scratch));
  stage::launch({.thread_blocks = static_cast<unsigned>(slot_count(request.frame)),
                 .threads_per_block = spread_tiles::threads,
                 .shared_bytes = spread_tiles::shared_bytes_of_tile,
                 .stream = request.stream},
                spread_tiles::decode_tiles, request.frame, request.output, request.status,
                lay_out(layout, request.frame));
}

// Whether blocks have several tiles, and most of them would be decoded at once, one by a thread block.
bool is_better_spread(const stage::FrameOnDevice& frame) {
  if (frame.frame_bytes / frame.block_count <= 2 * slot_bytes) return false;
  return frame.block_count < 2 * stage::resident_thread_blocks(spread_tiles::threads,
                                                               spread_tiles::shared_bytes_of_tile,
                                                               spread_tiles::decode_tiles);
}

// The threads of step 1 where nobody says them. Small thread blocks are faster, 83 % of the limit against 76
// % for blocks of 32 KiB on an H200, but for what they take of the last block: of 392 blocks of 1 MiB 128
// threads each decode at 69 %, and 64 at 52 %.
std::int64_t usual_threads(const stage::FrameOnDevice& frame) {
  constexpr unsigned rounds = 4;
  const unsigned at_once =
      stage::resident_thread_blocks(64, shared_bytes<64, 4>, block_tiles::decode_blocks<64, 4>);
  return frame.block_count < rounds * at_once ? 128 : 64;
}

void decode(const stage::DecodeRequest& request) {
  const auto value = [&](const char* name) {
    return stage::parameter_value(description, request.parameters, name);
  };
  const std::int64_t step = value("step");
  if (step == 2 || (step == 0 && is_better_spread(request.frame))) {
    decode_tiles(request);
    return;
  }
  const std::int64_t threads_wanted = value("threads");
  stage::choose<64, 128>(
      threads_wanted == 0 ? usual_threads(request.frame) : threads_wanted, [&](auto threads) {
        stage::choose<1, 2, 4>(value("vectors"),
                               [&](auto vectors) { decode_blocks<threads(), vectors()>(request); });
      });
}

}  // namespace
}  // namespace gsst::zero_length::decoder
