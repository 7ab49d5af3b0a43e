#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "gsst/gpu.hpp"
#include "gsst/gpu_frames.h"

/// @file
/// Many small frames on a GPU in C++20, over the C functions of gpu_frames.h: what is said there holds here
/// too. Spans of a FramesMemory are of device memory, all others of host memory.

namespace gsst::gpu {

/// Where a frame is, and where its output goes.
using FramePlace = gsst_frame_place;

/// Memory that a plan for many frames needs.
using FramesSizes = gsst_gpu_frames_sizes;

/// What is known of frames that are in device memory only; see gsst_gpu_frames_bounds for the ranges.
struct FramesBounds {
  /// Of every frame.
  Format format = Format::tiles;
  /// Of every frame, of a format that has splits.
  std::uint32_t splits = 0;
  /// Of every frame; Checksum::automatic is Checksum::xxh64_tree here.
  Checksum checksum = Checksum::automatic;
  /// True: do not compare the stored checksums of blocks. Damage that still decodes is not detected then.
  bool skip_checksums = false;
  /// Bits of the codes of Format::tiles; 0: any.
  std::uint32_t code_bits = 0;
  /// Codes of a lane of Format::tiles; 0: any.
  std::uint32_t codes_per_lane = 0;
  /// Elements of the array of frames.
  std::uint64_t frame_count = 0;
  /// At most, of each frame.
  std::uint64_t frame_bytes = 0;
  /// At most, of what each frame decompresses to.
  std::uint64_t output_bytes = 0;
  /// Blocks of each frame at most.
  std::uint64_t blocks_per_frame = 1;
  /// Of all frames together.
  std::uint64_t input_bytes = 0;
  /// Of what all frames decompress to.
  std::uint64_t total_output_bytes = 0;
};

/// Device memory for one execution; see gsst_gpu_frames_memory.
struct FramesMemory {
  /// At least FramesBounds::input_bytes, at any address.
  std::span<const std::byte> input;
  /// At least FramesBounds::frame_count places, read when the stream comes to them.
  std::span<const FramePlace> frames;
  /// At least FramesBounds::total_output_bytes, at any address.
  std::span<std::byte> output;
  /// At least FramesSizes::scratch_bytes, aligned to GSST_GPU_DECOMPRESS_ALIGNMENT.
  std::span<std::byte> scratch;
  /// At least FramesSizes::status_count words. Receives one for each block that the bounds allow.
  std::span<std::uint32_t> status;
  /// At least FramesBounds::frame_count elements. Receives what became of each frame.
  std::span<FrameResult> results;
};

/// Looks for the first frame that was refused, or one of whose blocks was not decompressed, in copies in host
/// memory. Returns the number of frames, all decompressed. Errors: gsst_gpu_check_frames(), and
/// Error::invalid_argument where `status` has not the same number of words for each frame.
inline Result<std::size_t> check_frames(std::span<const FrameResult> results,
                                        std::span<const std::uint32_t> status) {
  gsst_message message;
  const std::size_t blocks = results.empty() ? 0 : status.size() / results.size();
  if (blocks * results.size() != status.size()) {
    return detail::failure(GSST_ERROR_INVALID_ARGUMENT, {"status: not a whole number of words a frame"});
  }
  const gsst_error error =
      gsst_gpu_check_frames(results.data(), results.size(), status.data(), blocks, &message);
  if (error != GSST_OK) return detail::failure(error, message);
  return results.size();
}

/// How many frames are decompressed by one call.
class FramesPlan {
public:
  /// Plans the decompression of any frames within `bounds`. Errors: gsst_gpu_frames_plan_create().
  static Result<FramesPlan> create(const FramesBounds& bounds) {
    const gsst_gpu_frames_bounds c_bounds{.struct_bytes = sizeof(gsst_gpu_frames_bounds),
                                          .format = static_cast<std::uint32_t>(bounds.format),
                                          .splits = bounds.splits,
                                          .checksum = static_cast<std::uint32_t>(bounds.checksum),
                                          .skip_checksums = bounds.skip_checksums ? 1U : 0U,
                                          .code_bits = bounds.code_bits,
                                          .codes_per_lane = bounds.codes_per_lane,
                                          .reserved = 0,
                                          .frame_count = bounds.frame_count,
                                          .frame_bytes = bounds.frame_bytes,
                                          .output_bytes = bounds.output_bytes,
                                          .blocks_per_frame = bounds.blocks_per_frame,
                                          .input_bytes = bounds.input_bytes,
                                          .total_output_bytes = bounds.total_output_bytes};
    gsst_gpu_frames_plan* plan = nullptr;
    gsst_message message;
    const gsst_error error = gsst_gpu_frames_plan_create(&c_bounds, &plan, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return FramesPlan(plan);
  }

  /// How much memory execute() needs. Not for a plan that was moved from.
  FramesSizes sizes() const {
    auto sizes = detail::sized<FramesSizes>();
    gsst_gpu_frames_plan_sizes(plan_.get(), &sizes);
    return sizes;
  }

  /// Enqueues the check of the frames and their decompression on `stream`. Errors: gsst_gpu_frames_execute().
  Result<Enqueued> execute(const FramesMemory& memory, cudaStream_t stream) const {
    const gsst_gpu_frames_memory c_memory{.struct_bytes = sizeof(gsst_gpu_frames_memory),
                                          .reserved = 0,
                                          .input = memory.input.data(),
                                          .input_capacity = memory.input.size(),
                                          .frames = memory.frames.data(),
                                          .frame_capacity = memory.frames.size(),
                                          .output = memory.output.data(),
                                          .output_capacity = memory.output.size(),
                                          .scratch = memory.scratch.data(),
                                          .scratch_capacity = memory.scratch.size(),
                                          .status = memory.status.data(),
                                          .status_capacity = memory.status.size(),
                                          .results = memory.results.data(),
                                          .result_capacity = memory.results.size()};
    gsst_message message;
    return detail::enqueued(gsst_gpu_frames_execute(plan_.get(), &c_memory, stream, &message), message);
  }

private:
  struct Destroy {
    void operator()(gsst_gpu_frames_plan* plan) const { gsst_gpu_frames_plan_destroy(plan); }
  };

  explicit FramesPlan(gsst_gpu_frames_plan* plan) : plan_(plan) {}

  std::unique_ptr<gsst_gpu_frames_plan, Destroy> plan_;
};

}  // namespace gsst::gpu
