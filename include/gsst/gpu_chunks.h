/// @file
/// Chunks of other formats as C functions on a GPU: the run lengths of ORC files, and raw Deflate as in
/// gzip, Parquet and ORC files. The caller knows from the file's metadata where chunks are; there is no
/// frame around them. What gpu.h says of plans, streams and device memory holds here too.
///
/// A plan is created from the chunks, if the host knows them, or from bounds, if only a kernel does. Execute
/// reads the array of chunks in device memory in both cases. It allocates nothing and waits for nothing, so
/// that it can be captured in a CUDA graph, and needs no scratch memory.
#ifndef GSST_GPU_CHUNKS_H
#define GSST_GPU_CHUNKS_H

#include "gsst/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How chunks are coded. The values do not change.
typedef enum gsst_chunk_codec {
  /// ORC's run lengths of bytes.
  GSST_CHUNK_BYTE_RLE = 1,
  /// ORC's run lengths of integers, version 1.
  GSST_CHUNK_RLE_V1 = 2,
  /// ORC's run lengths of integers, version 2.
  GSST_CHUNK_RLE_V2 = 3,
  /// A raw Deflate stream (RFC 1951), without the header and the checksum of zlib or gzip.
  GSST_CHUNK_DEFLATE = 4
} gsst_chunk_codec;

/// What the values of run lengths of integers are. Signed ones are stored as zigzag codes. If a
/// value has more bits, its lowest ones are written. The values do not change.
typedef enum gsst_chunk_type {
  /// Bytes, of GSST_CHUNK_BYTE_RLE and GSST_CHUNK_DEFLATE.
  GSST_CHUNK_BYTES = 0,
  /// Signed, of 8 bits.
  GSST_CHUNK_I8 = 1,
  /// Signed, of 16 bits.
  GSST_CHUNK_I16 = 2,
  /// Signed, of 32 bits.
  GSST_CHUNK_I32 = 3,
  /// Signed, of 64 bits.
  GSST_CHUNK_I64 = 4,
  /// Unsigned, of 32 bits.
  GSST_CHUNK_U32 = 5,
  /// Unsigned, of 64 bits.
  GSST_CHUNK_U64 = 6
} gsst_chunk_type;

/// Where a chunk is. One of all zeros has nothing to decode: an array may have room for more than there are.
typedef struct gsst_chunk {
  /// From the first byte of the input to that of the chunk. Any number.
  uint64_t input_offset;
  /// From the first byte of the output to that of the chunk's. Any number; values that are aligned are
  /// written faster.
  uint64_t output_offset;
  /// Compressed bytes, at most 2^30.
  uint32_t input_bytes;
  /// Bytes of the output, at most 2^30: exactly, unless the plan says that they are bounds. Whole values.
  uint32_t output_bytes;
} gsst_chunk;

/// What became of a chunk. The values do not change. Those from 1 on are of run lengths, those from 33 on of
/// Deflate.
typedef enum gsst_chunk_status {
  /// All of its output is there.
  GSST_CHUNK_DECODED = 0,
  /// The stream ends before the last value.
  GSST_CHUNK_TOO_FEW_VALUES = 1,
  /// A run goes past the last value.
  GSST_CHUNK_TOO_MANY_VALUES = 2,
  /// The stream ends within a run.
  GSST_CHUNK_CUT_RUN = 3,
  /// A varint has more than 64 bits.
  GSST_CHUNK_OVERLONG_VARINT = 4,
  /// Widths of patches are above 64 bits.
  GSST_CHUNK_WIDTH_OUT_OF_RANGE = 5,
  /// A patch is of a value that its run does not have.
  GSST_CHUNK_PATCH_OUT_OF_RANGE = 6,
  /// Bytes follow the last value.
  GSST_CHUNK_BYTES_LEFT = 7,
  /// The stream decodes to fewer bytes than stated.
  GSST_CHUNK_OUTPUT_TOO_SHORT = 33,
  /// The stream decodes to more bytes than there is room for.
  GSST_CHUNK_OUTPUT_TOO_LONG = 34,
  /// The stream is cut.
  GSST_CHUNK_INPUT_ENDS_EARLY = 35,
  /// Bytes follow the stream.
  GSST_CHUNK_BYTES_AFTER_END = 36,
  /// A block's type is 3.
  GSST_CHUNK_RESERVED_BLOCK_TYPE = 37,
  /// The length of a stored block is not the complement of the number after it.
  GSST_CHUNK_WRONG_STORED_LENGTH = 38,
  /// More than 286 codes of literals and lengths, or more than 30 of distances.
  GSST_CHUNK_TOO_MANY_CODES = 39,
  /// The code of code lengths has more codes than fit.
  GSST_CHUNK_OVER_SUBSCRIBED_CODE_LENGTHS = 40,
  /// The code of code lengths leaves bits without a meaning.
  GSST_CHUNK_INCOMPLETE_CODE_LENGTHS = 41,
  /// Code lengths begin with a repeat.
  GSST_CHUNK_REPEAT_WITHOUT_LENGTH = 42,
  /// There are more code lengths than codes.
  GSST_CHUNK_REPEAT_PAST_END = 43,
  /// The code of literals and lengths has more codes than fit.
  GSST_CHUNK_OVER_SUBSCRIBED_LITERALS = 44,
  /// The code of literals and lengths leaves bits without a meaning.
  GSST_CHUNK_INCOMPLETE_LITERALS = 45,
  /// No code ends the block.
  GSST_CHUNK_NO_END_OF_BLOCK = 46,
  /// The code of distances has more codes than fit.
  GSST_CHUNK_OVER_SUBSCRIBED_DISTANCES = 47,
  /// The code of distances leaves bits without a meaning.
  GSST_CHUNK_INCOMPLETE_DISTANCES = 48,
  /// A literal or length has no meaning.
  GSST_CHUNK_UNUSED_LENGTH = 49,
  /// A distance has no meaning.
  GSST_CHUNK_UNUSED_DISTANCE = 50,
  /// A match begins before the chunk's output.
  GSST_CHUNK_DISTANCE_BEFORE_CHUNK = 51,
  /// A size is above 2^30, or no whole number of values. Nothing was written.
  GSST_CHUNK_WRONG_SIZE = 252,
  /// The chunk extends past the input. Nothing was written.
  GSST_CHUNK_OUTSIDE_INPUT = 253,
  /// The chunk extends past the output. Nothing was written.
  GSST_CHUNK_OUTSIDE_OUTPUT = 254
} gsst_chunk_status;

/// The gsst_chunk_status in a status word.
#define GSST_CHUNK_STATUS(word) ((word)&0xffU)
/// The byte of the chunk's compressed bytes at which the problem in a status word was found: where the run,
/// or Deflate's element, begins. 0xffffff also means any later byte.
#define GSST_CHUNK_BYTE(word) ((word) >> 8)

/// Looks for the first chunk that was not decoded.
/// `status`: a copy, in host memory, of `count` status words of gsst_gpu_chunks_execute(); may be null if
/// `count` is 0.
/// `message`: may be null.
/// Errors, whose message names the chunk, what is wrong and at which byte: null_pointer, damaged,
/// invalid_argument (a size), output_too_small (it extends past the output).
GSST_API gsst_error gsst_gpu_check_chunk_status(const uint32_t* status, size_t count, gsst_message* message);

/// How chunks are decoded.
typedef struct gsst_gpu_chunks_plan gsst_gpu_chunks_plan;

/// How all chunks of a plan are coded. 0 in a field takes the default.
typedef struct gsst_gpu_chunks_options {
  /// sizeof(gsst_gpu_chunks_options).
  uint32_t struct_bytes;
  /// A gsst_chunk_codec. There is no default.
  uint32_t codec;
  /// A gsst_chunk_type. Default: GSST_CHUNK_BYTES, which run lengths of integers do not have.
  uint32_t type;
  /// 1: a chunk may have less output than its output_bytes; how much is in gsst_gpu_chunks_memory::written.
  /// Only for GSST_CHUNK_DEFLATE. Default: output_bytes are exact.
  uint32_t output_bytes_are_bounds;
} gsst_gpu_chunks_options;

/// What is known of chunks that only a kernel knows.
typedef struct gsst_gpu_chunks_bounds {
  /// sizeof(gsst_gpu_chunks_bounds).
  uint32_t struct_bytes;
  /// 0.
  uint32_t reserved;
  /// Elements of the array of chunks, at most 2^26.
  uint64_t chunk_count;
  /// Bytes of the input, at most 2^56: a chunk that extends past it is refused.
  uint64_t input_bytes;
  /// Bytes of the output, at most 2^56: a chunk that extends past it is refused.
  uint64_t output_bytes;
} gsst_gpu_chunks_bounds;

/// Memory that a plan needs.
typedef struct gsst_gpu_chunks_sizes {
  /// sizeof(gsst_gpu_chunks_sizes), of the caller.
  uint32_t struct_bytes;
  /// 0.
  uint32_t reserved;
  /// Bytes of the input, at least.
  uint64_t input_bytes;
  /// Bytes of the output, at least.
  uint64_t output_bytes;
  /// Elements of the array of chunks, words of `status`, and words of `written`.
  uint64_t chunk_count;
  /// Bytes of all of it, with `written`. Execute uses no other device memory.
  uint64_t device_bytes;
} gsst_gpu_chunks_sizes;

/// Memory for one execution. All pointers are to device memory; no two of the five share bytes. One that
/// needs no memory may be null.
typedef struct gsst_gpu_chunks_memory {
  /// sizeof(gsst_gpu_chunks_memory).
  uint32_t struct_bytes;
  /// 0.
  uint32_t reserved;
  /// Any address.
  const void* input;
  /// At least the plan's input_bytes, of which no more are read.
  size_t input_capacity;
  /// The plan's chunks, or any within its bounds. The enqueued work reads them, so a kernel
  /// before it on the stream can write them. Aligned to 8.
  const gsst_chunk* chunks;
  /// Elements: at least the plan's chunk_count, of which no more are read.
  size_t chunk_capacity;
  /// Any address.
  void* output;
  /// At least the plan's output_bytes. Nothing is written but where chunks that lie in it say.
  size_t output_capacity;
  /// Receives a word for each chunk, the bytes of its output, 0 if it is not decoded. Aligned to 4. May
  /// be null unless the plan's output_bytes_are_bounds.
  uint32_t* written;
  /// Words: at least the plan's chunk_count, if `written` is not null.
  size_t written_capacity;
  /// Receives a word for each chunk, GSST_CHUNK_STATUS() of which says what became of it. Aligned to 4.
  uint32_t* status;
  /// Words: at least the plan's chunk_count.
  size_t status_capacity;
} gsst_gpu_chunks_memory;

/// Plans the decoding of chunks that the host knows, from a file's metadata. Needs no GPU.
/// `chunks`: host memory, `count` chunks in any order; not needed any longer when the call returns; may be
/// null if `count` is 0. The same chunks go to device memory before execute. Input and output are as long as
/// chunks reach. `options`: not null. `plan`: receives the plan, or null after an error;
/// gsst_gpu_chunks_plan_destroy() frees it. `message`: may be null. Errors: null_pointer, invalid_argument
/// (an option, a size of a chunk, more than 2^26 chunks, two chunks that share bytes of the output),
/// out_of_memory.
GSST_API gsst_error gsst_gpu_chunks_plan_create(const gsst_chunk* chunks, size_t count,
                                                const gsst_gpu_chunks_options* options,
                                                gsst_gpu_chunks_plan** plan, gsst_message* message);

/// Plans the decoding of any chunks within `bounds`. Needs no GPU.
/// `options`, `plan`, `message`: as above.
/// Errors: null_pointer, invalid_argument (an option, a bound), out_of_memory.
GSST_API gsst_error gsst_gpu_chunks_plan_create_within(const gsst_gpu_chunks_bounds* bounds,
                                                       const gsst_gpu_chunks_options* options,
                                                       gsst_gpu_chunks_plan** plan, gsst_message* message);

/// Frees `plan`, which may be null. Work that is enqueued needs it no longer.
GSST_API void gsst_gpu_chunks_plan_destroy(gsst_gpu_chunks_plan* plan);

/// How much memory the decoding needs.
/// `sizes`: receives the result; unchanged after an error.
/// Errors: null_pointer, invalid_argument (struct_bytes).
GSST_API gsst_error gsst_gpu_chunks_plan_sizes(const gsst_gpu_chunks_plan* plan,
                                               gsst_gpu_chunks_sizes* sizes);

/// Enqueues the decoding of chunks on `stream`, a stream of the current device.
/// `message`: may be null.
/// A chunk that extends past input or output, and damaged codes, are no errors of this call: the chunk's
/// word in `memory->status` reports it, once the stream has done the work, and the other chunks are decoded
/// all the same. What is in the output of a chunk with damaged codes is unspecified, and so it is where
/// chunks share bytes of the output. Nothing is written outside of the memory that was given, whatever codes
/// and chunks are. Errors: null_pointer, invalid_argument (input or chunks are too few), output_too_small
/// (output, written or status), misaligned, overlap, wrong_memory, wrong_device (too old), cuda. Nothing was
/// enqueued then, but perhaps after cuda.
GSST_API gsst_error gsst_gpu_chunks_execute(const gsst_gpu_chunks_plan* plan,
                                            const gsst_gpu_chunks_memory* memory, cudaStream_t stream,
                                            gsst_message* message);

#ifdef __cplusplus
}
#endif

#endif
