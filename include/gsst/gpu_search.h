/// @file
/// Searching a frame that is in device memory, as C functions. What gpu.h says of plans, streams and device
/// memory holds here too, and search.h has patterns, and searches on the CPU.
///
/// A plan is for one frame of GSST_FORMAT_TILES and the strings that are looked for in it. Creating it copies
/// to the host what says where everything in the frame is, and no codes. Prepare fills memory of the caller
/// with what the search needs for each symbol table and block, once. Execute enqueues the search of the
/// codes, which writes no text anywhere: it allocates nothing and waits for nothing, so that it can be
/// captured in a CUDA graph.
#ifndef GSST_GPU_SEARCH_H
#define GSST_GPU_SEARCH_H

#include "gsst/gpu.h"
#include "gsst/search.h"

/// Address alignment, in bytes, of the state and of the scratch memory of a search.
#define GSST_GPU_SEARCH_ALIGNMENT 256
/// Bytes of the longest pattern that a GPU searches for.
#define GSST_GPU_SEARCH_MAX_PATTERN_BYTES 4096

#ifdef __cplusplus
extern "C" {
#endif

/// A frame in device memory, and what is looked for in it.
typedef struct gsst_gpu_search_plan gsst_gpu_search_plan;

/// How to search on a GPU. 0 in a field takes the default.
typedef struct gsst_gpu_search_options {
  /// sizeof(gsst_gpu_search_options).
  uint32_t struct_bytes;
  /// 0.
  uint32_t reserved;
  /// How many positions of each pattern there is room for. Default: none, and matches are counted only.
  uint64_t position_capacity;
} gsst_gpu_search_options;

/// Memory that a search needs.
typedef struct gsst_gpu_search_sizes {
  /// sizeof(gsst_gpu_search_sizes), of the caller.
  uint32_t struct_bytes;
  /// 0.
  uint32_t reserved;
  /// Bytes of the frame, exactly.
  uint64_t frame_bytes;
  /// Words of 8 bytes: the patterns.
  uint64_t count_count;
  /// Words of 8 bytes: position_capacity for each pattern.
  uint64_t position_count;
  /// Bytes that the state must have.
  uint64_t state_bytes;
  /// Bytes that the scratch memory must have.
  uint64_t scratch_bytes;
  /// Words of 4 bytes: the frame's blocks for each pattern.
  uint64_t status_count;
  /// Bytes of all of it. Prepare and execute use no other device memory.
  uint64_t device_bytes;
} gsst_gpu_search_sizes;

/// Memory for one search. All pointers are to device memory; no two of the six share bytes. One whose size
/// may be 0 may be null then.
typedef struct gsst_gpu_search_memory {
  /// sizeof(gsst_gpu_search_memory).
  uint32_t struct_bytes;
  /// 0.
  uint32_t reserved;
  /// The bytes that were planned; another frame is undefined behaviour. Any address; multiples of 16 are
  /// fastest.
  const void* frame;
  /// Exactly the frame's bytes.
  size_t frame_bytes;
  /// Receives a word for each pattern: how many matches it has, however many positions there is room for.
  /// Aligned to 8.
  uint64_t* counts;
  /// Words: at least the plan's count_count.
  size_t count_capacity;
  /// Receives where matches begin, in bytes from the start of what the frame decompresses to, in no order:
  /// position_capacity words for each pattern, of which the first ones are set. If there are more matches,
  /// any of them are left out. Aligned to 8.
  uint64_t* positions;
  /// Words: at least the plan's position_count.
  size_t position_capacity;
  /// That of the last gsst_gpu_search_prepare() of the plan. Not written.
  void* state;
  /// At least the plan's state_bytes.
  size_t state_capacity;
  /// Aligned to GSST_GPU_SEARCH_ALIGNMENT.
  void* scratch;
  /// At least the plan's scratch_bytes.
  size_t scratch_capacity;
  /// Receives a word for each block, of all patterns one after the other: 0 where the block was searched.
  /// gsst_gpu_search_check() says what others mean. Aligned to 4.
  uint32_t* status;
  /// Words: at least the plan's status_count.
  size_t status_capacity;
} gsst_gpu_search_memory;

/// Plans the search of a frame in device memory for each of the patterns, on the current device. Matches of a
/// pattern may overlap, and all of them count; gsst_search_frame() counts those that do not overlap.
/// `frame`: device memory, the whole frame of `frame_bytes` bytes and nothing more. Its header and index, and
/// all of its blocks but their codes, are copied to the host: a copy for each block, whose bytes are few.
/// `patterns`: `pattern_count` of them, not needed any longer after the call; may be null if there are none.
/// Each is of GSST_PATTERN_SUBSTRING and has 1 to GSST_GPU_SEARCH_MAX_PATTERN_BYTES bytes. They are searched
/// for one after the other, and each takes its own time.
/// `options`: null takes every default.
/// `stream`: a stream of the current device that is not being captured; it is waited for.
/// `plan`: receives the plan, or null after an error; gsst_gpu_search_plan_destroy() frees it.
/// `message`: may be null; names the pattern that is wrong.
/// Checks the frame and the header of every block; compares the checksum of the header and of the index, and
/// no others. Errors: null_pointer, invalid_argument (a pattern, an option; the stream is being captured),
/// wrong_format (the frame's is not GSST_FORMAT_TILES), unsupported_version, damaged, wrong_checksum,
/// wrong_memory, wrong_device (too old), out_of_memory, cuda.
GSST_API gsst_error gsst_gpu_search_plan_create(const void* frame, size_t frame_bytes,
                                                const gsst_pattern* patterns, size_t pattern_count,
                                                const gsst_gpu_search_options* options, cudaStream_t stream,
                                                gsst_gpu_search_plan** plan, gsst_message* message);

/// Frees `plan`, which may be null. Work that is enqueued needs it no longer.
GSST_API void gsst_gpu_search_plan_destroy(gsst_gpu_search_plan* plan);

/// How much memory the search needs.
/// `sizes`: receives the result; unchanged after an error.
/// Errors: null_pointer, invalid_argument (struct_bytes).
GSST_API gsst_error gsst_gpu_search_plan_sizes(const gsst_gpu_search_plan* plan,
                                               gsst_gpu_search_sizes* sizes);

/// Fills `state` with what the search needs of the frame and the patterns: device memory, `state_capacity`
/// bytes, at least the plan's state_bytes, aligned to GSST_GPU_SEARCH_ALIGNMENT. It serves all executions
/// with it, as long as nothing else writes there; preparing another one takes its place. Copies the first
/// block to the host, to see which parts of a pattern are rare.
/// `frame`: device memory, the planned frame of `frame_bytes` bytes. `stream`: a stream of the current device
/// that is not being captured; it is waited for. `message`: may be null. Nothing else uses the plan during
/// the call. Errors: null_pointer, invalid_argument (frame_bytes is not the plan's; the stream is being
/// captured), scratch_too_small (the state), misaligned, overlap, wrong_memory, wrong_device (not the
/// plan's), out_of_memory, cuda.
GSST_API gsst_error gsst_gpu_search_prepare(gsst_gpu_search_plan* plan, const void* frame, size_t frame_bytes,
                                            void* state, size_t state_capacity, cudaStream_t stream,
                                            gsst_message* message);

/// Enqueues the search on `stream`, a stream of the current device.
/// `message`: may be null.
/// Damaged codes and more matches than room for positions are no errors of this call: gsst_gpu_search_check()
/// reports them, once the stream has done the work. Nothing is read outside of the frame or written outside
/// of the memory that was given, whatever the codes are. Errors: null_pointer, invalid_argument (frame_bytes
/// is not the plan's; the plan was not prepared with this state), output_too_small (counts, positions or
/// status), scratch_too_small (state or scratch), misaligned, overlap, wrong_memory, wrong_device (not the
/// plan's), cuda. Nothing was enqueued then, but perhaps after cuda.
GSST_API gsst_error gsst_gpu_search_execute(const gsst_gpu_search_plan* plan,
                                            const gsst_gpu_search_memory* memory, cudaStream_t stream,
                                            gsst_message* message);

/// Looks for the first block that was not searched, and for patterns with more matches than positions.
/// `counts`: a copy, in host memory, of `count_count` words, the patterns. `status`: the same of the
/// `status_count` words that the plan has; may be null if there are none. `message`: may be null.
/// Errors, whose message names the pattern: null_pointer, invalid_argument (another number of words than the
/// plan has), damaged (codes that decode to fewer or more bytes than their strip has are seen only where the
/// search reads them; more than 64 codes in a row without output are not searched), output_too_small (the
/// counts are right, positions are missing). Counts and positions of a pattern whose blocks are damaged are
/// unspecified.
GSST_API gsst_error gsst_gpu_search_check(const gsst_gpu_search_plan* plan, const uint64_t* counts,
                                          size_t count_count, const uint32_t* status, size_t status_count,
                                          gsst_message* message);

#ifdef __cplusplus
}
#endif

#endif
