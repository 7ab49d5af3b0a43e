/// @file
/// The codec as C functions on a GPU: device memory to device memory, on a stream of the caller. gsst.h has
/// the same on the CPU, and what both share: errors, messages, formats.
///
/// Each operation has two steps. A plan is made on the host: it checks its arguments and says how much memory
/// the caller provides. Execute enqueues the work on the caller's stream and in the caller's memory: it
/// allocates no device memory and does not wait, so that it can be captured in a CUDA graph. A plan may be
/// executed any number of times, by several threads at once, but for what gsst_gpu_compress_load_table() and
/// gsst_gpu_compress_train_table() say.
///
/// Device memory is memory that cudaMalloc(), cudaMallocAsync() or cudaMallocManaged() returned on the
/// current device. Do not free it, and let nothing else write to it, until the stream has done the work. Host
/// memory is refused, pinned memory too.
#ifndef GSST_GPU_H
#define GSST_GPU_H

#include <cuda_runtime_api.h>

#include "gsst/gsst.h"

/// Address alignment, in bytes, of the output and of the scratch memory of a compression.
#define GSST_GPU_COMPRESS_ALIGNMENT 256
/// Address alignment, in bytes, of the scratch memory of a decompression.
#define GSST_GPU_DECOMPRESS_ALIGNMENT 8

#ifdef __cplusplus
extern "C" {
#endif

/// What became of a block, or of a range, that was decompressed. The values do not change.
typedef enum gsst_gpu_block_status {
  /// All of its bytes are in the output.
  GSST_GPU_BLOCK_DECODED = 0,
  /// The codes decode to fewer bytes than the block's header says.
  GSST_GPU_BLOCK_TOO_SHORT = 1,
  /// The codes decode to more bytes than the block's header says.
  GSST_GPU_BLOCK_TOO_LONG = 2,
  /// The last code is an escape with no byte after it.
  GSST_GPU_BLOCK_ESCAPE_AT_END = 3,
  /// A code has no symbol in the table.
  GSST_GPU_BLOCK_CODE_WITHOUT_SYMBOL = 4,
  /// A part of the codes starts with an escaped byte, and no escape ends the part before.
  GSST_GPU_BLOCK_ESCAPE_MISSING = 5,
  /// The block's frame was refused (gsst_gpu_device_frame_execute()). Nothing was written.
  GSST_GPU_BLOCK_OF_REFUSED_FRAME = 251,
  /// The block's header was refused (gsst_gpu_device_frame_execute()). Nothing was written for it.
  GSST_GPU_BLOCK_REFUSED = 252,
  /// A range extends past the frame's decompressed bytes. Nothing was written for it.
  GSST_GPU_RANGE_OUTSIDE_FRAME = 253,
  /// A range extends past the output. Nothing was written for it.
  GSST_GPU_RANGE_OUTSIDE_OUTPUT = 254,
  /// The codes are well formed, but the bytes that they decode to do not have the stored checksum.
  GSST_GPU_BLOCK_WRONG_CHECKSUM = 255
} gsst_gpu_block_status;

/// The gsst_gpu_block_status in a status word; the bits above say which part of the block it was, or for
/// which field its header was refused, for messages.
#define GSST_GPU_BLOCK_STATUS(word) ((word)&0xffU)

/// What the status `word` means, in a few words. A string that is never freed; "unknown status" for a number
/// that is none.
GSST_API const char* gsst_gpu_block_status_text(uint32_t word);

/// Looks for the first block that was not decoded.
/// `status`: a copy, in host memory, of `count` status words of a decompression; may be null if `count` is 0.
/// `message`: may be null.
/// Errors: null_pointer, damaged and wrong_checksum, whose message names the block.
GSST_API gsst_error gsst_gpu_check_status(const uint32_t* status, size_t count, gsst_message* message);

/// Looks for the first range that was not decompressed.
/// `status`: a copy, in host memory, of `count` status words of gsst_gpu_decompress_ranges(); may be null if
/// `count` is 0.
/// `message`: may be null.
/// Errors, whose message names the range: null_pointer, invalid_argument (it extends past the frame),
/// output_too_small (or past the output), damaged.
GSST_API gsst_error gsst_gpu_check_range_status(const uint32_t* status, size_t count, gsst_message* message);

/// How a frame is decompressed.
typedef struct gsst_gpu_decompress_plan gsst_gpu_decompress_plan;
/// How an input of a size is compressed.
typedef struct gsst_gpu_compress_plan gsst_gpu_compress_plan;
/// A symbol table for inputs like the one that it was trained on.
typedef struct gsst_gpu_table gsst_gpu_table;

/// How to decompress. 0 in a field takes the default.
typedef struct gsst_gpu_decompress_options {
  /// sizeof(gsst_gpu_decompress_options).
  uint32_t struct_bytes;
  /// A gsst_format, but not GSST_FORMAT_FSST: frames of another one are refused. Default: any frame.
  uint32_t format;
  /// 1: do not compare the stored checksums. Damage that still decodes is not detected then.
  uint32_t skip_checksums;
  /// 0.
  uint32_t reserved;
} gsst_gpu_decompress_options;

/// Memory that a decompression needs.
typedef struct gsst_gpu_decompress_sizes {
  /// sizeof(gsst_gpu_decompress_sizes), of the caller.
  uint32_t struct_bytes;
  /// 0.
  uint32_t reserved;
  /// Bytes of the frame, exactly.
  uint64_t frame_bytes;
  /// Bytes of the output, exactly.
  uint64_t output_bytes;
  /// Bytes that the scratch memory must have; 0 if it needs none.
  uint64_t scratch_bytes;
  /// Words of 4 bytes: the frame's blocks.
  uint64_t status_count;
  /// Bytes of all of it. Execute uses no other device memory.
  uint64_t device_bytes;
} gsst_gpu_decompress_sizes;

/// Memory for one decompression. All pointers are to device memory; no two of the four share bytes. One whose
/// size may be 0 may be null then.
typedef struct gsst_gpu_decompress_memory {
  /// sizeof(gsst_gpu_decompress_memory).
  uint32_t struct_bytes;
  /// 0.
  uint32_t reserved;
  /// The bytes that were planned, copied to the device; another frame is undefined behaviour. Any address.
  const void* frame;
  /// Exactly the frame's bytes.
  size_t frame_bytes;
  /// Any address.
  void* output;
  /// At least the plan's output_bytes, of which no more are written.
  size_t output_capacity;
  /// Aligned to GSST_GPU_DECOMPRESS_ALIGNMENT.
  void* scratch;
  /// At least the plan's scratch_bytes.
  size_t scratch_capacity;
  /// Receives a word for each block, GSST_GPU_BLOCK_STATUS() of which says what became of it. Aligned to 4.
  uint32_t* status;
  /// Words: at least the plan's status_count.
  size_t status_capacity;
} gsst_gpu_decompress_memory;

/// Plans the decompression of a frame: checks the frame and the header of every block. Needs no GPU.
/// `frame`: host memory, the whole frame of `frame_bytes` bytes and nothing more; not needed any longer when
/// the call returns. `options`: null takes every default. `plan`: receives the plan, or null after an error;
/// gsst_gpu_decompress_plan_destroy() frees it. `message`: may be null. Errors: null_pointer,
/// invalid_argument (an option; GSST_FORMAT_FSST), wrong_format, unsupported_version, damaged,
/// wrong_checksum, out_of_memory.
GSST_API gsst_error gsst_gpu_decompress_plan_create(const void* frame, size_t frame_bytes,
                                                    const gsst_gpu_decompress_options* options,
                                                    gsst_gpu_decompress_plan** plan, gsst_message* message);

/// The same for a frame of GSST_FORMAT_TILES that is in device memory: `frame` is a pointer to memory of the
/// current device. Its header and index, and all of its blocks but their codes, are copied to the host: a
/// copy for each block, whose bytes are few. `stream`: a stream of the current device that is not being
/// captured; it is waited for. A frame of another format is refused. For a plan without copies there is
/// gsst_gpu_device_frame_plan_create(), which does not decompress ranges. Errors: those of
/// gsst_gpu_decompress_plan_create(), and invalid_argument (the stream is being captured), wrong_memory,
/// wrong_device (too old), cuda.
GSST_API gsst_error gsst_gpu_decompress_plan_create_on_device(const void* frame, size_t frame_bytes,
                                                              const gsst_gpu_decompress_options* options,
                                                              cudaStream_t stream,
                                                              gsst_gpu_decompress_plan** plan,
                                                              gsst_message* message);

/// Frees `plan`, which may be null. Work that is enqueued needs it no longer.
GSST_API void gsst_gpu_decompress_plan_destroy(gsst_gpu_decompress_plan* plan);

/// What the frame says about itself.
/// `info`: receives the result; unchanged after an error.
/// Errors: null_pointer, invalid_argument (struct_bytes).
GSST_API gsst_error gsst_gpu_decompress_plan_info(const gsst_gpu_decompress_plan* plan,
                                                  gsst_frame_info* info);

/// How much memory the decompression needs.
/// `sizes`: receives the result; unchanged after an error.
/// Errors: null_pointer, invalid_argument (struct_bytes).
GSST_API gsst_error gsst_gpu_decompress_plan_sizes(const gsst_gpu_decompress_plan* plan,
                                                   gsst_gpu_decompress_sizes* sizes);

/// Enqueues the decompression of the plan's frame on `stream`, a stream of the current device.
/// `message`: may be null.
/// Damage in the codes of a block is not an error of this call: the block's word in `memory->status` reports
/// it, once the stream has done the work. The other blocks are still decompressed. Nothing is written
/// outside of the memory that was given, whatever the codes are. Errors: null_pointer, invalid_argument (a
/// size is not the plan's), output_too_small, scratch_too_small, misaligned, overlap, wrong_memory,
/// wrong_device (too old), cuda. Nothing was enqueued then, but perhaps after cuda.
GSST_API gsst_error gsst_gpu_decompress_execute(const gsst_gpu_decompress_plan* plan,
                                                const gsst_gpu_decompress_memory* memory, cudaStream_t stream,
                                                gsst_message* message);

/// How frames that are in device memory only are decompressed.
typedef struct gsst_gpu_device_frame_plan gsst_gpu_device_frame_plan;

/// What is known of a frame that is in device memory only. Format and splits are the frame's own, everything
/// else is a bound: a frame may be smaller. Memory and time are those of the bounds.
typedef struct gsst_gpu_frame_bounds {
  /// sizeof(gsst_gpu_frame_bounds).
  uint32_t struct_bytes;
  /// A gsst_format, but neither GSST_FORMAT_DEFAULT nor GSST_FORMAT_FSST.
  uint32_t format;
  /// Splits of each block, for a format that has them; else 0 or 1.
  uint32_t splits;
  /// 1: do not compare the stored checksums of blocks. Damage that still decodes is not detected then.
  uint32_t skip_checksums;
  /// Bytes of the whole frame: 1 to 2^56.
  uint64_t frame_bytes;
  /// Bytes that it decompresses to: 0 to 2^56.
  uint64_t output_bytes;
  /// Uncompressed bytes of each block but the last: 1 to 2^30.
  uint64_t block_bytes;
  /// Blocks: 1 to 2^26. This number of blocks of block_bytes has at most 2^46 bytes.
  uint64_t block_count;
} gsst_gpu_frame_bounds;

/// What became of a frame that is in device memory only. A later version that says more writes it to another
/// field of gsst_gpu_device_frame_memory.
typedef struct gsst_gpu_frame_result {
  /// Bytes that the frame decompresses to; 0 if it was refused.
  uint64_t output_bytes;
  /// Its blocks; 0 if it was refused.
  uint64_t block_count;
  /// The block that `problem` is in, counted from 1; 0 if it is in none.
  uint64_t problem_block;
  /// 0: the frame was accepted. Else why it was refused, which gsst_gpu_check_frame_result() reports.
  uint32_t problem;
  /// 0.
  uint32_t reserved;
} gsst_gpu_frame_result;

/// Memory for one decompression of a frame that is in device memory only. All pointers are to device memory;
/// no two of the six share bytes.
typedef struct gsst_gpu_device_frame_memory {
  /// sizeof(gsst_gpu_device_frame_memory).
  uint32_t struct_bytes;
  /// 0.
  uint32_t reserved;
  /// Any bytes, which are read when the stream comes to them. Any address.
  const void* frame;
  /// At least the frame_bytes of the bounds.
  size_t frame_capacity;
  /// How many bytes the frame has, for example where gsst_gpu_compress_execute() wrote it. One word, aligned
  /// to 8.
  const uint64_t* frame_bytes;
  /// Any address; may be null if the output_bytes of the bounds are 0.
  void* output;
  /// At least the output_bytes of the bounds.
  size_t output_capacity;
  /// Aligned to GSST_GPU_DECOMPRESS_ALIGNMENT.
  void* scratch;
  /// At least the plan's scratch_bytes.
  size_t scratch_capacity;
  /// Receives a word for each block that the bounds allow, 0 after the frame's last one. Aligned to 4.
  uint32_t* status;
  /// Words: at least the plan's status_count.
  size_t status_capacity;
  /// Receives what became of the frame. Aligned to 8.
  gsst_gpu_frame_result* result;
} gsst_gpu_device_frame_memory;

/// Plans the decompression of any frame within `bounds`. Needs no GPU.
/// `plan`: receives the plan, or null after an error; gsst_gpu_device_frame_plan_destroy() frees it.
/// `message`: may be null.
/// Errors: null_pointer, invalid_argument (a bound that no frame has), out_of_memory.
GSST_API gsst_error gsst_gpu_device_frame_plan_create(const gsst_gpu_frame_bounds* bounds,
                                                      gsst_gpu_device_frame_plan** plan,
                                                      gsst_message* message);

/// Frees `plan`, which may be null. Work that is enqueued needs it no longer.
GSST_API void gsst_gpu_device_frame_plan_destroy(gsst_gpu_device_frame_plan* plan);

/// How much memory the decompression needs: for frame and output the bounds.
/// `sizes`: receives the result; unchanged after an error.
/// Errors: null_pointer, invalid_argument (struct_bytes).
GSST_API gsst_error gsst_gpu_device_frame_plan_sizes(const gsst_gpu_device_frame_plan* plan,
                                                     gsst_gpu_decompress_sizes* sizes);

/// Enqueues, on `stream`, a stream of the current device, kernels that check the frame as
/// gsst_gpu_decompress_plan_create() does, and the decompression of what they accept.
/// `message`: may be null.
/// A frame that is refused is not an error of this call: `memory->result` reports it, once the stream has
/// done the work, and nothing is in the output then. A block whose header is refused, or whose codes are
/// damaged, is reported in `memory->status` only, and the others are still decompressed. Nothing is
/// written outside of the memory that was given, whatever the frame's bytes are. Errors: null_pointer,
/// invalid_argument (frame_capacity), output_too_small, scratch_too_small, misaligned, overlap, wrong_memory,
/// wrong_device (too old), cuda. Nothing was enqueued then, but perhaps after cuda.
GSST_API gsst_error gsst_gpu_device_frame_execute(const gsst_gpu_device_frame_plan* plan,
                                                  const gsst_gpu_device_frame_memory* memory,
                                                  cudaStream_t stream, gsst_message* message);

/// Checks whether the frame was accepted. gsst_gpu_check_status() checks its blocks.
/// `result`: a copy in host memory.
/// `message`: may be null.
/// Errors, whose message names the field: null_pointer, invalid_argument and output_too_small (the frame is
/// not within the bounds), wrong_format, unsupported_version, damaged, wrong_checksum.
GSST_API gsst_error gsst_gpu_check_frame_result(const gsst_gpu_frame_result* result, gsst_message* message);

/// Memory that the decompression of ranges needs. The ranges determine the size of the output.
typedef struct gsst_gpu_ranges_sizes {
  /// sizeof(gsst_gpu_ranges_sizes), of the caller.
  uint32_t struct_bytes;
  /// 0.
  uint32_t reserved;
  /// Bytes of the frame, exactly.
  uint64_t frame_bytes;
  /// Bytes that the scratch memory must have.
  uint64_t scratch_bytes;
  /// Words of 4 bytes: the ranges.
  uint64_t status_count;
  /// Bytes of all of it and of the ranges. Apart from the output, no other device memory is used.
  uint64_t device_bytes;
} gsst_gpu_ranges_sizes;

/// Memory for one decompression of ranges. All pointers are to device memory; no two of the five share bytes.
/// One whose size may be 0 may be null then.
typedef struct gsst_gpu_ranges_memory {
  /// sizeof(gsst_gpu_ranges_memory).
  uint32_t struct_bytes;
  /// 0.
  uint32_t reserved;
  /// The bytes that were planned, copied to the device; another frame is undefined behaviour. Any address.
  const void* frame;
  /// Exactly the frame's bytes.
  size_t frame_bytes;
  /// `range_count` ranges in any order. The enqueued work reads them, so a kernel before it on the stream
  /// can write them. Aligned to 8.
  const gsst_range* ranges;
  /// How many ranges.
  size_t range_count;
  /// Any address.
  void* output;
  /// Bytes of the output. Nothing is written but where ranges that lie in it say.
  size_t output_capacity;
  /// Aligned to GSST_GPU_DECOMPRESS_ALIGNMENT.
  void* scratch;
  /// At least the scratch_bytes for this number of ranges.
  size_t scratch_capacity;
  /// Receives a word for each range, GSST_GPU_BLOCK_STATUS() of which says what became of it. Aligned to 4.
  uint32_t* status;
  /// Words: at least the ranges.
  size_t status_capacity;
} gsst_gpu_ranges_memory;

/// How much memory the decompression of `range_count` ranges needs, at most 2^38, whatever they are.
/// `sizes`: receives the result; unchanged after an error.
/// `message`: may be null.
/// Errors: null_pointer, invalid_argument (struct_bytes; too many ranges), wrong_format (the frame's is
/// not GSST_FORMAT_SPLITS or GSST_FORMAT_TILES).
GSST_API gsst_error gsst_gpu_decompress_ranges_sizes(const gsst_gpu_decompress_plan* plan, size_t range_count,
                                                     gsst_gpu_ranges_sizes* sizes, gsst_message* message);

/// Enqueues the decompression of byte ranges of the plan's frame on `stream`, a stream of the current device.
/// It reads only the splits or strips that a range extends into, from their start to the range's end; of the
/// others it reads only where they are. What a range shares with others is decoded for each of them. Ranges
/// in ascending order are faster, because each one goes on where the one before ended.
/// `message`: may be null.
/// Checksums are of whole blocks and are not compared, whatever the plan's options say: damage that still
/// decodes is not detected. A range that extends past the frame or the output, and damaged codes, are no
/// errors of this call: the range's word in `memory->status` reports it, once the stream has done the work.
/// The other ranges are still decompressed. What is in the output of a range with damaged codes is
/// unspecified, and so it is where ranges share bytes of the output. Nothing is written outside of the memory
/// that was given, whatever codes and ranges are. Errors: null_pointer, invalid_argument (frame_bytes is not
/// the plan's; too many ranges), wrong_format, output_too_small (status), scratch_too_small, misaligned,
/// overlap, wrong_memory, wrong_device (too old), cuda. Nothing was enqueued then, but perhaps after cuda.
GSST_API gsst_error gsst_gpu_decompress_ranges(const gsst_gpu_decompress_plan* plan,
                                               const gsst_gpu_ranges_memory* memory, cudaStream_t stream,
                                               gsst_message* message);

/// Where a compression takes its symbol tables from.
typedef enum gsst_gpu_tables {
  /// Every execution trains them on the GPU, on its own input.
  GSST_GPU_TABLES_TRAINED = 0,
  /// gsst_gpu_compress_load_table() or gsst_gpu_compress_train_table() provides one for all blocks, before
  /// the first execution.
  GSST_GPU_TABLES_LOADED = 1
} gsst_gpu_tables;

/// How to compress. 0 in a field takes the default.
typedef struct gsst_gpu_compress_options {
  /// sizeof(gsst_gpu_compress_options).
  uint32_t struct_bytes;
  /// A gsst_gpu_tables.
  uint32_t tables;
  /// Uncompressed bytes of each block but the last: 1 to 2^30. Default: 1 MiB.
  uint64_t block_bytes;
  /// Splits of each block, for GSST_FORMAT_SPLITS only: 1 to 65536. Default: splits of 256 bytes each, where
  /// a block, or the input if that is shorter, has that many bytes.
  uint32_t splits;
  /// Consecutive blocks that share a trained table, for GSST_FORMAT_SPLITS only: 1 to 2^26. Default: 64.
  /// Blocks of GSST_FORMAT_TILES all share one.
  uint32_t blocks_per_table;
  /// GSST_FORMAT_SPLITS or GSST_FORMAT_TILES. Default: GSST_FORMAT_TILES.
  uint32_t format;
  /// Bits of a code, for GSST_FORMAT_TILES: 8, 10 or 12. Default: 8. Tables of 10 and 12 are trained on the
  /// CPU only, so that they need GSST_GPU_TABLES_LOADED.
  uint32_t code_bits;
} gsst_gpu_compress_options;

/// Memory that a compression needs, whatever the input's bytes are.
typedef struct gsst_gpu_compress_sizes {
  /// sizeof(gsst_gpu_compress_sizes), of the caller.
  uint32_t struct_bytes;
  /// 0.
  uint32_t reserved;
  /// Bytes of the input, exactly.
  uint64_t input_bytes;
  /// Bytes that the output must have room for.
  uint64_t output_bytes;
  /// Bytes that the scratch memory must have.
  uint64_t scratch_bytes;
  /// Bytes of all of it and of the frame's size. Execute uses no other device memory.
  uint64_t device_bytes;
} gsst_gpu_compress_sizes;

/// Memory for one compression. All pointers are to device memory; no two of the four share bytes.
typedef struct gsst_gpu_compress_memory {
  /// sizeof(gsst_gpu_compress_memory).
  uint32_t struct_bytes;
  /// 0.
  uint32_t reserved;
  /// Any address; may be null if input_bytes is 0.
  const void* input;
  /// The plan's input_bytes.
  size_t input_bytes;
  /// Receives the frame at its first byte. Aligned to GSST_GPU_COMPRESS_ALIGNMENT.
  void* output;
  /// At least the plan's output_bytes, of which no more are written.
  size_t output_capacity;
  /// Aligned to GSST_GPU_COMPRESS_ALIGNMENT.
  void* scratch;
  /// At least the plan's scratch_bytes.
  size_t scratch_capacity;
  /// Receives the bytes of the frame: one word, aligned to 8.
  uint64_t* frame_bytes;
} gsst_gpu_compress_memory;

/// Trains a symbol table for GSST_FORMAT_TILES on the CPU, as gsst_gpu_table_train_with() does by default.
/// `sample`, `table`, `message`: as there.
/// Errors: null_pointer, out_of_memory.
GSST_API gsst_error gsst_gpu_table_train(const void* sample, size_t sample_bytes, gsst_gpu_table** table,
                                         gsst_message* message);

/// How to train a table on the CPU. 0 in a field takes the default.
typedef struct gsst_gpu_table_options {
  /// sizeof(gsst_gpu_table_options).
  uint32_t struct_bytes;
  /// GSST_FORMAT_SPLITS or GSST_FORMAT_TILES: that of the plans that the table is for. Default:
  /// GSST_FORMAT_TILES.
  uint32_t format;
  /// Bits of a code, for GSST_FORMAT_TILES: 8, 10 or 12. Default: 8.
  uint32_t code_bits;
  /// Work done for a smaller output: 1 to 9, of GSST_FORMAT_SPLITS 1 only. With 10 and 12 bits, 1 and 2 are
  /// as 3. Default: 1.
  uint32_t level;
  /// Threads to work with: 1 to GSST_MAX_THREADS, or GSST_THREADS_ALL. The table does not depend on it.
  /// Default: 1.
  uint32_t threads;
} gsst_gpu_table_options;

/// Trains a symbol table on the CPU.
/// `sample`: host memory, `sample_bytes` bytes like those that will be compressed; may be null if that is 0.
/// Level 1 with 8 bits reads 16 KiB from all over a large sample; wider codes and higher levels read more.
/// A table of GSST_FORMAT_TILES may have no code for a byte that the sample lacks: blocks with such a byte
/// are stored raw.
/// `options`: null takes every default.
/// `table`: receives the table, or null after an error; gsst_gpu_table_destroy() frees it.
/// `message`: may be null.
/// Errors: null_pointer, invalid_argument (an option), out_of_memory.
GSST_API gsst_error gsst_gpu_table_train_with(const void* sample, size_t sample_bytes,
                                              const gsst_gpu_table_options* options, gsst_gpu_table** table,
                                              gsst_message* message);

/// Frees `table`, which may be null.
GSST_API void gsst_gpu_table_destroy(gsst_gpu_table* table);

/// Plans the compression of any input of `input_bytes` bytes (0 to 2^56) on the current device.
/// `options`: null takes every default.
/// `plan`: receives the plan, or null after an error; gsst_gpu_compress_plan_destroy() frees it.
/// `message`: may be null.
/// Errors: null_pointer (plan), invalid_argument (an option; options that contradict each other, as trained
/// tables of 12 bits; more than 2^26 blocks), wrong_device (too old; too little shared memory to train tables
/// of GSST_FORMAT_TILES), out_of_memory, cuda.
GSST_API gsst_error gsst_gpu_compress_plan_create(size_t input_bytes,
                                                  const gsst_gpu_compress_options* options,
                                                  gsst_gpu_compress_plan** plan, gsst_message* message);

/// Frees `plan`, which may be null. Work that is enqueued needs it no longer.
GSST_API void gsst_gpu_compress_plan_destroy(gsst_gpu_compress_plan* plan);

/// How much memory the compression needs.
/// `sizes`: receives the result; unchanged after an error.
/// Errors: null_pointer, invalid_argument (struct_bytes).
GSST_API gsst_error gsst_gpu_compress_plan_sizes(const gsst_gpu_compress_plan* plan,
                                                 gsst_gpu_compress_sizes* sizes);

/// Puts `table` into the scratch memory of a plan of GSST_GPU_TABLES_LOADED. It stays there for all
/// executions with that scratch memory, as long as nothing else writes there; loading it somewhere else, or
/// another table, takes its place. `scratch`: device memory, `scratch_capacity` bytes, as
/// gsst_gpu_compress_memory says. `stream`: a stream of the current device that is not being captured; it may
/// be waited for. `message`: may be null. Nothing else uses the plan during the call. Errors: null_pointer,
/// invalid_argument (the plan trains its tables; the table is for another format or width of codes; the
/// stream is being captured), scratch_too_small, misaligned, wrong_memory, wrong_device, out_of_memory, cuda.
GSST_API gsst_error gsst_gpu_compress_load_table(gsst_gpu_compress_plan* plan, const gsst_gpu_table* table,
                                                 void* scratch, size_t scratch_capacity, cudaStream_t stream,
                                                 gsst_message* message);

/// Enqueues the training of a table on the GPU, in place of one that is loaded: in the scratch memory of a
/// plan of GSST_GPU_TABLES_LOADED with codes of 8 bits. It stays there as a loaded one does.
/// `input`: device memory, the plan's `input_bytes` bytes, at any address; may be null if that is 0.
/// `scratch`: as for gsst_gpu_compress_load_table().
/// `stream`: a stream of the current device that is not being captured. The call does not wait for it: the
/// caller ensures that an execution on another stream follows the training.
/// `message`: may be null.
/// Nothing else uses the plan during the call. Errors: null_pointer, invalid_argument (the plan trains its
/// tables; its codes are wider; a size is not the plan's; the stream is being captured), scratch_too_small,
/// misaligned, overlap, wrong_memory, wrong_device (not the plan's; too little shared memory), cuda.
GSST_API gsst_error gsst_gpu_compress_train_table(gsst_gpu_compress_plan* plan, const void* input,
                                                  size_t input_bytes, void* scratch, size_t scratch_capacity,
                                                  cudaStream_t stream, gsst_message* message);

/// Enqueues the compression of `memory->input` on `stream`, a stream of the current device.
/// `message`: may be null.
/// A thread's first compression on a device makes two more streams, each with an event, which it keeps.
/// Errors: null_pointer, invalid_argument (a size is not the plan's; no table was loaded there),
/// output_too_small, scratch_too_small, misaligned, overlap, wrong_memory, wrong_device (not the plan's),
/// cuda. Nothing was enqueued then, but perhaps after cuda.
GSST_API gsst_error gsst_gpu_compress_execute(const gsst_gpu_compress_plan* plan,
                                              const gsst_gpu_compress_memory* memory, cudaStream_t stream,
                                              gsst_message* message);

#ifdef __cplusplus
}
#endif

#endif
