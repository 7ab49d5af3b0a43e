/// @file
/// Many small frames on a GPU, decompressed by one call, as C functions. What gpu.h says of plans, streams
/// and device memory holds here too.
///
/// A plan is created from bounds. Execute reads in device memory where each frame is and where its output
/// goes. Kernels check the frames, so that the host reads none of them; then one decoder runs for the blocks
/// of all frames. Execute allocates nothing and waits for nothing, so that it can be captured in a CUDA
/// graph.
#ifndef GSST_GPU_FRAMES_H
#define GSST_GPU_FRAMES_H

#include "gsst/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Offsets of frames of GSST_FORMAT_TILES in the input are multiples of this. Other formats take any offset.
#define GSST_GPU_FRAMES_TILES_ALIGNMENT 16

/// Where a frame is. One of all zeros is no frame: an array may have room for more than there are.
typedef struct gsst_frame_place {
  /// From the first byte of the input to that of the frame.
  uint64_t input_offset;
  /// From the first byte of the output to that of the frame's. Any number; multiples of 128 are fastest.
  uint64_t output_offset;
  /// Bytes of the whole frame.
  uint64_t frame_bytes;
  /// Bytes that its output may have.
  uint64_t output_capacity;
} gsst_frame_place;

/// How many frames are decompressed by one call.
typedef struct gsst_gpu_frames_plan gsst_gpu_frames_plan;

/// What is known of frames that are in device memory only. Format, splits and checksum are those of every
/// frame, everything else is a bound. Memory and time are those of the bounds.
typedef struct gsst_gpu_frames_bounds {
  /// sizeof(gsst_gpu_frames_bounds).
  uint32_t struct_bytes;
  /// A gsst_format, but neither GSST_FORMAT_DEFAULT nor GSST_FORMAT_FSST.
  uint32_t format;
  /// Splits of each block, for a format that has them; else 0 or 1.
  uint32_t splits;
  /// A gsst_checksum: how blocks are checked. Frames with blocks that are checked differently are refused.
  /// Default: GSST_CHECKSUM_XXH64_TREE, as the encoders on a GPU write it.
  uint32_t checksum;
  /// 1: do not compare the stored checksums of blocks, whatever their kind. Damage that still decodes is not
  /// detected then.
  uint32_t skip_checksums;
  /// For GSST_FORMAT_TILES: bits of a code, 8, 10 or 12. Blocks with others are refused. Default: any, which
  /// takes a launch for each.
  uint32_t code_bits;
  /// For GSST_FORMAT_TILES: codes of a lane, 16, 24 or 32. Blocks with others are refused. Default: any,
  /// which takes a launch for each.
  uint32_t codes_per_lane;
  /// 0.
  uint32_t reserved;
  /// Elements of the array of frames. With blocks_per_frame blocks each, the frames have at most 2^26 blocks.
  uint64_t frame_count;
  /// Bytes of each frame: 1 to 2^56.
  uint64_t frame_bytes;
  /// Bytes that each frame decompresses to: 0 to 2^56.
  uint64_t output_bytes;
  /// Blocks of each frame: 1 to 2^26. Small frames have one.
  uint64_t blocks_per_frame;
  /// Bytes of the input, of all frames together: 1 to 2^56.
  uint64_t input_bytes;
  /// Bytes of the output, of all frames together: 0 to 2^56.
  uint64_t total_output_bytes;
} gsst_gpu_frames_bounds;

/// Memory that a plan for many frames needs.
typedef struct gsst_gpu_frames_sizes {
  /// sizeof(gsst_gpu_frames_sizes), of the caller.
  uint32_t struct_bytes;
  /// 0.
  uint32_t reserved;
  /// Bytes of the input, at least.
  uint64_t input_bytes;
  /// Bytes of the output, at least.
  uint64_t output_bytes;
  /// Bytes that the scratch memory must have.
  uint64_t scratch_bytes;
  /// Elements of the array of frames, and of that of results.
  uint64_t frame_count;
  /// Words of `status`: blocks_per_frame for each frame.
  uint64_t status_count;
  /// Bytes of all of it. Execute uses no other device memory.
  uint64_t device_bytes;
} gsst_gpu_frames_sizes;

/// Memory for one execution. All pointers are to device memory; no two of the six share bytes. One that needs
/// no memory may be null.
typedef struct gsst_gpu_frames_memory {
  /// sizeof(gsst_gpu_frames_memory).
  uint32_t struct_bytes;
  /// 0.
  uint32_t reserved;
  /// Any bytes, which are read when the stream comes to them. Any address; multiples of 16 are fastest.
  const void* input;
  /// At least the input_bytes of the bounds, of which no more are read.
  size_t input_capacity;
  /// Where the frames are. The enqueued work reads it, so a kernel before it on the stream can write it.
  /// Aligned to 8.
  const gsst_frame_place* frames;
  /// Elements: at least the frame_count of the bounds, of which no more are read.
  size_t frame_capacity;
  /// Any address.
  void* output;
  /// At least the total_output_bytes of the bounds. Nothing is written but where frames that lie in it say.
  size_t output_capacity;
  /// Aligned to GSST_GPU_DECOMPRESS_ALIGNMENT.
  void* scratch;
  /// At least the plan's scratch_bytes.
  size_t scratch_capacity;
  /// Receives blocks_per_frame words for each frame, as gsst_gpu_device_frame_memory::status. Aligned to 4.
  uint32_t* status;
  /// Words: at least the plan's status_count.
  size_t status_capacity;
  /// Receives what became of each frame. Aligned to 8.
  gsst_gpu_frame_result* results;
  /// Elements: at least the plan's frame_count.
  size_t result_capacity;
} gsst_gpu_frames_memory;

/// Plans the decompression of any frames within `bounds`. Needs no GPU.
/// `plan`: receives the plan, or null after an error; gsst_gpu_frames_plan_destroy() frees it.
/// `message`: may be null.
/// Errors: null_pointer, invalid_argument (a bound that no frames have), out_of_memory.
GSST_API gsst_error gsst_gpu_frames_plan_create(const gsst_gpu_frames_bounds* bounds,
                                                gsst_gpu_frames_plan** plan, gsst_message* message);

/// Frees `plan`, which may be null. Work that is enqueued needs it no longer.
GSST_API void gsst_gpu_frames_plan_destroy(gsst_gpu_frames_plan* plan);

/// How much memory the decompression needs: for input and output the bounds.
/// `sizes`: receives the result; unchanged after an error.
/// Errors: null_pointer, invalid_argument (struct_bytes).
GSST_API gsst_error gsst_gpu_frames_plan_sizes(const gsst_gpu_frames_plan* plan,
                                               gsst_gpu_frames_sizes* sizes);

/// Enqueues, on `stream`, a stream of the current device, kernels that check the frames as
/// gsst_gpu_device_frame_execute() does, and the decompression of what they accept.
/// `message`: may be null.
/// A frame that is refused is not an error of this call: its element of `memory->results` reports it, once
/// the stream has done the work, nothing is in its output then, and the other frames are still decompressed.
/// So they are where a block's header is refused or its codes are damaged, which `memory->status` reports.
/// Where frames share bytes of the output, what is there is unspecified. Nothing is written outside of the
/// memory that was given, whatever frames and places are. Errors: null_pointer, invalid_argument (input or
/// frames are too few), output_too_small (output, status or results), scratch_too_small, misaligned, overlap,
/// wrong_memory, wrong_device (too old), cuda. Nothing was enqueued then, but perhaps after cuda.
GSST_API gsst_error gsst_gpu_frames_execute(const gsst_gpu_frames_plan* plan,
                                            const gsst_gpu_frames_memory* memory, cudaStream_t stream,
                                            gsst_message* message);

/// Looks for the first frame that was refused, or one of whose blocks was not decompressed.
/// `results`: a copy, in host memory, of those of `frame_count` frames; may be null if `frame_count` is 0.
/// `status`: a copy, in host memory, of their words, `blocks_per_frame` for each; may be null if there are
/// none.
/// `message`: may be null.
/// Errors, whose message names the frame: null_pointer, invalid_argument and output_too_small (it is not
/// within the bounds, or not where a frame can be), wrong_format, unsupported_version, damaged,
/// wrong_checksum.
GSST_API gsst_error gsst_gpu_check_frames(const gsst_gpu_frame_result* results, size_t frame_count,
                                          const uint32_t* status, size_t blocks_per_frame,
                                          gsst_message* message);

#ifdef __cplusplus
}
#endif

#endif
