/// @file
/// The codec as C functions: bytes to a compressed frame and back, on the CPU.
///
/// Each operation has two steps. A plan checks its arguments and says how much memory the caller provides;
/// then execute works in that memory. A plan may be executed any number of times, by several threads at once.
///
/// All pointers are to host memory and need only the alignment of their type. The library keeps no state
/// between calls. It frees what it allocates for its own work before it returns, except a plan, which its
/// destroy function frees. The caller allocates the bytes that belong to the caller.
///
/// A struct that starts with struct_bytes grows at its end from version to version. The caller sets
/// struct_bytes before the call, also in a struct that receives a result. A struct of an earlier version is
/// shorter: the library takes the fields that it lacks as 0, and does not write them. Any other size, also
/// that of a later version, is invalid_argument.
#ifndef GSST_GSST_H
#define GSST_GSST_H

#include <stddef.h>
#include <stdint.h>

#include "gsst/version.h"

/// Version of the frame that this library writes and reads (FORMAT.md). It changes independently of the
/// version of the interface.
#define GSST_FORMAT_VERSION 1

/// Marks the functions of the interface: all that a shared library which holds the archive can export of it.
#ifdef __GNUC__
#define GSST_API __attribute__((visibility("default")))
#else
#define GSST_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// Why a call failed. The values do not change.
typedef enum gsst_error {
  /// The call succeeded.
  GSST_OK = 0,
  /// A pointer is null that must not be.
  GSST_ERROR_NULL_POINTER = 1,
  /// A value is out of its range, or does not fit the plan.
  GSST_ERROR_INVALID_ARGUMENT = 2,
  /// The output has fewer bytes than the plan needs. Nothing was written.
  GSST_ERROR_OUTPUT_TOO_SMALL = 3,
  /// Input and output share bytes, or two ranges of the output do. Nothing was written.
  GSST_ERROR_OVERLAP = 4,
  /// The compressed bytes have another format than the caller requested.
  GSST_ERROR_WRONG_FORMAT = 5,
  /// The frame is of a version, or its blocks are of a format, that this library does not know.
  GSST_ERROR_UNSUPPORTED_VERSION = 6,
  /// The compressed bytes break a rule of FORMAT.md. The message names block and field.
  GSST_ERROR_DAMAGED = 7,
  /// A stored checksum differs from that of its bytes: the decompressed bytes of a block, which the message
  /// names, or the header or the index of a frame, or the lengths of a column.
  GSST_ERROR_WRONG_CHECKSUM = 8,
  /// The library could not allocate memory for its own work.
  GSST_ERROR_OUT_OF_MEMORY = 9,
  /// A mistake in the library.
  GSST_ERROR_INTERNAL = 10,
  /// The scratch memory has fewer bytes than the plan needs. Nothing was written.
  GSST_ERROR_SCRATCH_TOO_SMALL = 11,
  /// A pointer is to an address that is not a multiple of its alignment. Nothing was written.
  GSST_ERROR_MISALIGNED = 12,
  /// A pointer to device memory is to host memory or to memory of another device. Nothing was written.
  GSST_ERROR_WRONG_MEMORY = 13,
  /// The current device is not the plan's, or its compute capability or its shared memory is too low.
  GSST_ERROR_WRONG_DEVICE = 14,
  /// A call of the CUDA runtime failed. The message names the call and CUDA's reason.
  GSST_ERROR_CUDA = 15,
  /// A function of the caller stopped the call. The message says which one, and the number that it returned.
  GSST_ERROR_STOPPED = 16
} gsst_error;

/// Bytes of a message with the zero that ends it.
#define GSST_MESSAGE_BYTES 256

/// What is wrong, and where, as one line of text; cut off if it is longer. Empty after a success.
typedef struct gsst_message {
  /// The line, ended by a zero.
  char text[GSST_MESSAGE_BYTES];
} gsst_message;

/// How blocks are stored (FORMAT.md, sections 3 to 9).
typedef enum gsst_format {
  /// Compression: GSST_FORMAT_TILES. Decompression: any frame.
  GSST_FORMAT_DEFAULT = 0,
  /// Each block is decoded from its start to its end.
  GSST_FORMAT_BLOCKS = 1,
  /// A block is cut into splits, which can be decoded concurrently.
  GSST_FORMAT_SPLITS = 2,
  /// As GSST_FORMAT_SPLITS, with the codes of a block's splits interleaved.
  GSST_FORMAT_COALESCED = 3,
  /// A block is cut into strips, and these into tiles of codes that name the lengths of their symbols.
  GSST_FORMAT_TILES = 4,
  /// The file of FSST's own tool: no frame around the blocks and no checksums.
  GSST_FORMAT_FSST = 65536
} gsst_format;

/// How a block is stored.
typedef enum gsst_layout {
  /// Unchanged: encoding did not make it smaller.
  GSST_LAYOUT_RAW = 0,
  /// Encoded, with the narrow header fields of the thesis.
  GSST_LAYOUT_NARROW = 1,
  /// Encoded, with header fields of 4 bytes.
  GSST_LAYOUT_WIDE = 2
} gsst_layout;

/// How blocks and index are checked (FORMAT.md, section 6).
typedef enum gsst_checksum {
  /// GSST_CHECKSUM_XXH64_TREE for GSST_FORMAT_TILES at levels 1 and 2, else GSST_CHECKSUM_XXH64.
  GSST_CHECKSUM_DEFAULT = 0,
  /// One xxh64 over all bytes of a block.
  GSST_CHECKSUM_XXH64 = 1,
  /// An xxh64 over those of its pieces of 4096 bytes, which a GPU compares concurrently.
  GSST_CHECKSUM_XXH64_TREE = 2
} gsst_checksum;

/// Requests one thread for each core that the process may use.
#define GSST_THREADS_ALL UINT32_MAX
/// Largest number of threads that can be requested otherwise.
#define GSST_MAX_THREADS 1024

/// How to compress. 0 in a field takes the default.
typedef struct gsst_compress_options {
  /// sizeof(gsst_compress_options).
  uint32_t struct_bytes;
  /// A gsst_format. Default: GSST_FORMAT_TILES.
  uint32_t format;
  /// Uncompressed bytes of each block but the last: 1 to 2^30, for GSST_FORMAT_FSST to 4193270. Default: 4
  /// MiB or that limit; for GSST_FORMAT_TILES at levels 1 and 2 the size, 256 KiB or 4 MiB, that fits
  /// what the input holds.
  uint64_t block_bytes;
  /// Splits of each block, for formats that have them: 1 to 65536. Default: 128. `format` must name one then:
  /// with GSST_FORMAT_DEFAULT any number but 0 is an error.
  uint32_t splits;
  /// Work done for a smaller output: 1 to 9. Default: 1.
  uint32_t level;
  /// Threads to work with: 1 to GSST_MAX_THREADS, or GSST_THREADS_ALL. The output does not depend on it.
  /// Default: 1.
  uint32_t threads;
  /// Most codes of a strip, for GSST_FORMAT_TILES: 512, 1024 or 2048. Random access decodes strips from their
  /// start: short ones make it faster, and the frame a little larger. Default: 2048.
  uint32_t strip_codes;
  /// A gsst_checksum, but for GSST_FORMAT_FSST, which has none. Default: see GSST_CHECKSUM_DEFAULT.
  uint32_t checksum;
  /// 0.
  uint32_t reserved;
} gsst_compress_options;

/// How to decompress. 0 in a field takes the default.
typedef struct gsst_decompress_options {
  /// sizeof(gsst_decompress_options).
  uint32_t struct_bytes;
  /// A gsst_format: frames of another one are refused. Set GSST_FORMAT_FSST explicitly for its files: they
  /// do not say what they are. Default: any frame.
  uint32_t format;
  /// As gsst_compress_options.threads.
  uint32_t threads;
  /// 1: do not compare the stored checksums. Damage that still decodes is not detected then.
  uint32_t skip_checksums;
} gsst_decompress_options;

/// What a frame says about itself.
typedef struct gsst_frame_info {
  /// sizeof(gsst_frame_info), of the caller.
  uint32_t struct_bytes;
  /// 0.
  uint32_t reserved;
  /// Bytes of the whole frame.
  uint64_t compressed_bytes;
  /// Bytes of the output when the whole frame is decompressed.
  uint64_t uncompressed_bytes;
  /// Blocks of the frame: 0 if the input was empty.
  uint64_t block_count;
  /// Uncompressed bytes of each block but the last; 0 for GSST_FORMAT_FSST, which does not store it.
  uint64_t block_bytes;
  /// Splits of each block; 1 for formats that have none.
  uint32_t splits;
  /// A gsst_format.
  uint32_t format;
} gsst_frame_info;

/// Where a block is.
typedef struct gsst_block_info {
  /// sizeof(gsst_block_info), of the caller.
  uint32_t struct_bytes;
  /// A gsst_layout; GSST_LAYOUT_NARROW for GSST_FORMAT_FSST.
  uint32_t layout;
  /// From the start of the frame to what is stored of the block, in bytes.
  uint64_t compressed_offset;
  /// Bytes that are stored of the block.
  uint64_t compressed_bytes;
  /// From the start of the output to the block's, in bytes.
  uint64_t uncompressed_offset;
  /// Bytes of the block in the output.
  uint64_t uncompressed_bytes;
} gsst_block_info;

/// Bytes to decompress out of a frame, and where they go.
typedef struct gsst_range {
  /// From the start of the frame's decompressed bytes to the first byte, in bytes.
  uint64_t offset;
  /// How many, 0 or more.
  uint64_t bytes;
  /// From the start of the output to where the first byte is written.
  uint64_t output_offset;
} gsst_range;

/// What a list of ranges extends into, counted once each.
typedef struct gsst_read_info {
  /// sizeof(gsst_read_info), of the caller.
  uint32_t struct_bytes;
  /// 0.
  uint32_t reserved;
  /// Blocks that the ranges extend into.
  uint64_t blocks;
  /// Splits of GSST_FORMAT_SPLITS and GSST_FORMAT_COALESCED, strips of GSST_FORMAT_TILES; else, and where a
  /// block is raw, whole blocks.
  uint64_t parts;
  /// Uncompressed bytes of these parts, requested or not; for a raw block, the bytes that were copied or, if
  /// its checksum was compared, all. A checksum that the plan has compared before is not compared again for a
  /// short range.
  uint64_t bytes;
} gsst_read_info;

/// How an input of a size is compressed.
typedef struct gsst_compress_plan gsst_compress_plan;
/// How a frame is decompressed. Refers to the frame's bytes.
typedef struct gsst_decompress_plan gsst_decompress_plan;

/// The library's version, for example "0.1.0": GSST_VERSION_STRING of the build. A string that is never
/// freed.
GSST_API const char* gsst_version(void);

/// What `error` means, in a few words. A string that is never freed; "unknown error" for any other number.
GSST_API const char* gsst_error_text(gsst_error error);

/// Plans the compression of any input of `input_bytes` bytes (0 to 2^56).
/// `options`: null takes every default.
/// `plan`: receives the plan, or null after an error; gsst_compress_plan_destroy() frees it.
/// `message`: may be null.
/// Errors: null_pointer (plan), invalid_argument (an option; more than 2^26 blocks), out_of_memory.
GSST_API gsst_error gsst_compress_plan_create(size_t input_bytes, const gsst_compress_options* options,
                                              gsst_compress_plan** plan, gsst_message* message);

/// Frees `plan`, which may be null.
GSST_API void gsst_compress_plan_destroy(gsst_compress_plan* plan);

/// Bytes that the output must have room for, whatever the input is. 0 if `plan` is null.
GSST_API size_t gsst_compress_plan_output_bytes(const gsst_compress_plan* plan);

/// Compresses `input` into one frame, or into a file of GSST_FORMAT_FSST.
/// `input`: the plan's input_bytes bytes; may be null if that is 0.
/// `output`: `output_capacity` bytes, at least gsst_compress_plan_output_bytes(); shares none with `input`.
/// After an error its contents are unspecified.
/// `output_bytes`: receives the bytes of the frame, which starts at `output`; 0 after an error.
/// `message`: may be null.
/// Allocates about 5 bytes for each byte of the blocks in work, one block a thread and at least 1 MiB of
/// them; for GSST_FORMAT_TILES about 7, and a copy of 32 MiB of the input or of one block, if that is larger.
/// Errors: null_pointer, invalid_argument (input_bytes is not the plan's), output_too_small, overlap,
/// out_of_memory.
GSST_API gsst_error gsst_compress_execute(const gsst_compress_plan* plan, const void* input,
                                          size_t input_bytes, void* output, size_t output_capacity,
                                          size_t* output_bytes, gsst_message* message);

/// Bytes that the output of gsst_compress() must have room for, whatever the input is. 0 where `input_bytes`
/// or `options` are refused.
/// `options`: null takes every default.
GSST_API size_t gsst_compress_bound(size_t input_bytes, const gsst_compress_options* options);

/// Plans the compression of `input` and executes it, in one call.
/// `input`: `input_bytes` bytes (0 to 2^56); may be null if there are none. `options`: null takes every
/// default. `output`: `output_capacity` bytes, at least gsst_compress_bound(); shares none with `input`.
/// After an error its contents are unspecified. `output_bytes`: receives the bytes of the frame, which starts
/// at `output`; 0 after an error. `message`: may be null. Errors: those of gsst_compress_plan_create() and
/// gsst_compress_execute().
GSST_API gsst_error gsst_compress(const void* input, size_t input_bytes, const gsst_compress_options* options,
                                  void* output, size_t output_capacity, size_t* output_bytes,
                                  gsst_message* message);

/// Reads what a frame says about itself and checks all of it except the blocks' payloads.
/// `frame`: the whole frame of `frame_bytes` bytes and nothing more; not a file of GSST_FORMAT_FSST.
/// `info`: receives the result; unchanged after an error.
/// `message`: may be null.
/// Errors: null_pointer, invalid_argument (struct_bytes), wrong_format, unsupported_version, damaged,
/// wrong_checksum, out_of_memory.
GSST_API gsst_error gsst_inspect(const void* frame, size_t frame_bytes, gsst_frame_info* info,
                                 gsst_message* message);

/// Plans the decompression of a frame: checks the frame and the header of every block. For GSST_FORMAT_FSST,
/// which does not store how long the output is, it reads all codes.
/// `frame`: the whole frame of `frame_bytes` bytes and nothing more; it stays as it is until the plan has
/// been executed for the last time. `options`: null takes every default. `plan`: receives the plan, or null
/// after an error; gsst_decompress_plan_destroy() frees it. `message`: may be null. Errors: null_pointer,
/// invalid_argument (an option), wrong_format, unsupported_version, damaged, wrong_checksum, out_of_memory.
GSST_API gsst_error gsst_decompress_plan_create(const void* frame, size_t frame_bytes,
                                                const gsst_decompress_options* options,
                                                gsst_decompress_plan** plan, gsst_message* message);

/// Frees `plan`, which may be null.
GSST_API void gsst_decompress_plan_destroy(gsst_decompress_plan* plan);

/// Bytes of the output, exactly. 0 if `plan` is null.
GSST_API size_t gsst_decompress_plan_output_bytes(const gsst_decompress_plan* plan);

/// What the frame says about itself.
/// `info`: receives the result; unchanged after an error.
/// Errors: null_pointer, invalid_argument (struct_bytes).
GSST_API gsst_error gsst_decompress_plan_info(const gsst_decompress_plan* plan, gsst_frame_info* info);

/// Where block `block` is, which counts from 0.
/// `info`: receives the result; unchanged after an error.
/// Errors: null_pointer, invalid_argument (struct_bytes; there is no such block).
GSST_API gsst_error gsst_decompress_plan_block(const gsst_decompress_plan* plan, uint64_t block,
                                               gsst_block_info* info);

/// Decompresses the frame of `plan`.
/// `output`: `output_capacity` bytes, at least gsst_decompress_plan_output_bytes(), of which it writes no
/// more than that many; may be null if none are needed; shares none with the frame. After an error its
/// contents are unspecified. `message`: may be null. Errors: null_pointer, output_too_small, overlap,
/// damaged, wrong_checksum, out_of_memory.
GSST_API gsst_error gsst_decompress_execute(const gsst_decompress_plan* plan, void* output,
                                            size_t output_capacity, gsst_message* message);

/// Plans the decompression of `frame` and executes it, in one call. gsst_inspect() says how much memory a
/// frame needs.
/// `frame`: the whole frame of `frame_bytes` bytes and nothing more. `options`: null takes every default.
/// `output`: `output_capacity` bytes, of which it writes no more than the output has; may be null if the
/// output is empty; shares none with the frame. After an error its contents are unspecified. `output_bytes`:
/// receives the bytes of the output; 0 after an error. `message`: may be null.
/// Errors: those of gsst_decompress_plan_create() and gsst_decompress_execute().
GSST_API gsst_error gsst_decompress(const void* frame, size_t frame_bytes,
                                    const gsst_decompress_options* options, void* output,
                                    size_t output_capacity, size_t* output_bytes, gsst_message* message);

/// Decompresses byte ranges of the frame of `plan` and as little of the rest as it can: the blocks that hold
/// them, since a checksum is of a whole block; with skip_checksums only the splits or strips that hold them,
/// where the format has these. Ranges of up to 1024 bytes cost that only the first time: the plan remembers
/// that a block's checksum is right and where its codes are, in about a sixteenth of the bytes of the splits
/// or strips that were read. Later ones cost the codes near them.
/// `ranges`: `range_count` ranges in any order, which may share bytes of the frame but none of the output;
/// may be null if there are none. `output`: `output_capacity` bytes, written where the ranges say and nowhere
/// else; may be null if that is 0; shares none with the frame. After an error, except one in the ranges
/// themselves, its contents are unspecified there.
/// `info`: receives what was decoded, unchanged after an error; may be null. `message`: may be null.
/// Allocates memory for the blocks in work, or for their splits or strips, and about 100 bytes for each block
/// and each split or strip that a longer range extends into, or any range where `info` is not null.
/// Errors: null_pointer, invalid_argument (struct_bytes; a range extends past the frame), output_too_small
/// (or past the output), overlap, damaged, wrong_checksum, out_of_memory.
GSST_API gsst_error gsst_decompress_ranges(const gsst_decompress_plan* plan, const gsst_range* ranges,
                                           size_t range_count, void* output, size_t output_capacity,
                                           gsst_read_info* info, gsst_message* message);

#ifdef __cplusplus
}
#endif

#endif
