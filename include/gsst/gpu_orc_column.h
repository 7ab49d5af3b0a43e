/// @file
/// Columns of ORC files as C functions on a GPU: from the streams of a column, which are in device memory, to
/// an Arrow array with validity there. The caller has read the file's metadata: footers say where streams
/// are, row indexes where row groups begin in them. What gpu.h says of plans, streams and device memory holds
/// here too.
///
/// Streams are not compressed. gpu_chunks.h decodes those of a file that is compressed with zlib: each chunk
/// after its header of 3 bytes is a raw Deflate stream.
///
/// A plan is created from the metadata, which prepare copies to device memory, once. Execute enqueues all
/// work on the caller's stream and in the caller's memory: it allocates nothing and waits for nothing, so
/// that it can be captured in a CUDA graph.
#ifndef GSST_GPU_ORC_COLUMN_H
#define GSST_GPU_ORC_COLUMN_H

#include "gsst/column.h"
#include "gsst/gpu_chunks.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Address alignment, in bytes, of the state and of the scratch memory of a column.
#define GSST_GPU_ORC_ALIGNMENT 256

/// What a column decodes to, with the Arrow type of its array. The values do not change.
typedef enum gsst_orc_values {
  /// bool, bits.
  GSST_ORC_BOOLEAN = 1,
  /// int8, of ORC's tinyint.
  GSST_ORC_INT8 = 2,
  /// int16, of smallint.
  GSST_ORC_INT16 = 3,
  /// int32, of int.
  GSST_ORC_INT32 = 4,
  /// int64, of bigint.
  GSST_ORC_INT64 = 5,
  /// date32, days.
  GSST_ORC_DATE = 6,
  /// uint32, numbers of entries of a stripe's dictionary: the DATA stream of strings.
  GSST_ORC_INDICES = 7
} gsst_orc_values;

/// Where in a stream the first value of a row group is, as the row index says it: its run may have begun
/// before. All 0 for a stripe's first row group.
typedef struct gsst_orc_position {
  /// From the first byte of the stream to a run.
  uint32_t byte;
  /// Values of that run that belong to earlier row groups; for bits, bytes of eight.
  uint32_t values;
  /// For bits: those of the next byte that belong to earlier row groups; else 0.
  uint32_t bits;
} gsst_orc_position;

/// A row group of a stripe.
typedef struct gsst_orc_row_group {
  /// Nulls included.
  uint32_t rows;
  /// In stream PRESENT; all 0 where the stripe has none.
  gsst_orc_position present;
  /// In stream DATA.
  gsst_orc_position data;
} gsst_orc_row_group;

/// The part of a stripe that is the column's.
typedef struct gsst_orc_stripe {
  /// At most 2^31 - 1, nulls included.
  uint64_t rows;
  /// From the first byte of the input to stream PRESENT.
  uint64_t present_offset;
  /// Bytes of stream PRESENT, at most 2^31 - 1.
  uint64_t present_bytes;
  /// From the first byte of the input to stream DATA.
  uint64_t data_offset;
  /// Bytes of stream DATA, at most 2^31 - 1.
  uint64_t data_bytes;
  /// 1: the stripe has a stream PRESENT. 0: no row is null.
  uint32_t has_present;
  /// For GSST_ORC_INDICES: entries of the stripe's dictionary.
  uint32_t dictionary_entries;
  /// 0: there is no row index, and a warp decodes all of the stripe.
  uint32_t row_group_count;
  /// 0.
  uint32_t reserved;
} gsst_orc_stripe;

/// What a file's metadata says of a column. All pointers are to host memory.
typedef struct gsst_orc_column {
  /// sizeof(gsst_orc_column).
  uint32_t struct_bytes;
  /// A gsst_orc_values.
  uint32_t values;
  /// How stream DATA is coded: GSST_CHUNK_BYTE_RLE for GSST_ORC_BOOLEAN and GSST_ORC_INT8, else
  /// GSST_CHUNK_RLE_V1 (encodings DIRECT and DICTIONARY) or GSST_CHUNK_RLE_V2 (DIRECT_V2, DICTIONARY_V2).
  uint32_t coding;
  /// 0.
  uint32_t reserved;
  /// `stripe_count` stripes, in the order of their rows; may be null if there are none.
  const gsst_orc_stripe* stripes;
  /// How many stripes.
  size_t stripe_count;
  /// The row groups of the first stripe, then those of the second one, and so on; may be null if there are
  /// none.
  const gsst_orc_row_group* row_groups;
  /// Row groups of all stripes together, at most 2^26.
  size_t row_group_count;
} gsst_orc_column;

/// What became of a row group, in addition to the values 1 to 7 of gsst_chunk_status, which are of stream
/// DATA, and these plus GSST_ORC_IN_PRESENT, which are of stream PRESENT. The values do not change.
typedef enum gsst_orc_status {
  /// All of it is in the array.
  GSST_ORC_DECODED = 0,
  /// What is added to a gsst_chunk_status of stream PRESENT.
  GSST_ORC_IN_PRESENT = 64,
  /// The row group begins or ends in stream DATA elsewhere than its position and the numbers of rows say.
  GSST_ORC_WRONG_POSITION = 128,
  /// The same in stream PRESENT.
  GSST_ORC_WRONG_POSITION_IN_PRESENT = 129,
  /// The type does not have a value: GSST_CHUNK_BYTE() says which one of the stripe.
  GSST_ORC_VALUE_OUT_OF_RANGE = 130
} gsst_orc_status;

/// Looks for the first row group that was not decoded. Row groups of all stripes are counted together; a
/// stripe without a row index is one. `status`: a copy, in host memory, of `count` status words of
/// gsst_gpu_orc_execute(), GSST_CHUNK_STATUS() of which is a gsst_orc_status, and GSST_CHUNK_BYTE() the byte
/// of the row group's part of the stream; may be null if `count` is 0. `message`: may be null. Errors:
/// null_pointer, damaged, whose message names the row group and the stream.
GSST_API gsst_error gsst_gpu_check_row_group_status(const uint32_t* status, size_t count,
                                                    gsst_message* message);

/// How a column is decoded.
typedef struct gsst_gpu_orc_plan gsst_gpu_orc_plan;

/// Memory that a column needs.
typedef struct gsst_gpu_orc_sizes {
  /// sizeof(gsst_gpu_orc_sizes), of the caller.
  uint32_t struct_bytes;
  /// 0.
  uint32_t reserved;
  /// Bytes of the input: up to where the last stream ends.
  uint64_t input_bytes;
  /// Rows of the array, nulls included.
  uint64_t rows;
  /// Bytes of the array's values.
  uint64_t values_bytes;
  /// Bytes of the array's validity bitmap.
  uint64_t validity_bytes;
  /// Bytes of the metadata in device memory.
  uint64_t state_bytes;
  /// Bytes that the scratch memory must have.
  uint64_t scratch_bytes;
  /// Words of 4 bytes: the row groups.
  uint64_t status_count;
  /// Bytes of all of it and of the number of nulls. Execute uses no other device memory.
  uint64_t device_bytes;
} gsst_gpu_orc_sizes;

/// Memory for one execution. All pointers are to device memory; no two of the seven share bytes. One whose
/// size may be 0 may be null then.
typedef struct gsst_gpu_orc_memory {
  /// sizeof(gsst_gpu_orc_memory).
  uint32_t struct_bytes;
  /// 0.
  uint32_t reserved;
  /// What the metadata's offsets count from: the file, or a part of it. Any address.
  const void* input;
  /// At least the plan's input_bytes, of which no more are read.
  size_t input_capacity;
  /// Receives the rows' values, 0 for rows that are null. Aligned to 8.
  void* values;
  /// At least the plan's values_bytes.
  size_t values_capacity;
  /// Receives the validity bitmap: a bit for each row, the lowest of a byte first, 1 where it is not null.
  /// Aligned to 4.
  void* validity;
  /// At least the plan's validity_bytes.
  size_t validity_capacity;
  /// Receives the number of nulls: one word, aligned to 8.
  uint64_t* nulls;
  /// That of the last gsst_gpu_orc_prepare() of the plan.
  const void* state;
  /// At least the plan's state_bytes.
  size_t state_capacity;
  /// Aligned to GSST_GPU_ORC_ALIGNMENT.
  void* scratch;
  /// At least the plan's scratch_bytes.
  size_t scratch_capacity;
  /// Receives a word for each row group. Aligned to 4.
  uint32_t* status;
  /// Words: at least the plan's status_count.
  size_t status_capacity;
} gsst_gpu_orc_memory;

/// Plans the decoding of a column. Needs no GPU.
/// `column`: not needed any longer when the call returns. `plan`: receives the plan, or null after an error;
/// gsst_gpu_orc_plan_destroy() frees it. `message`: may be null.
/// Errors: null_pointer, invalid_argument (metadata that is out of range or contradicts itself; the message
/// names the stripe), out_of_memory.
GSST_API gsst_error gsst_gpu_orc_plan_create(const gsst_orc_column* column, gsst_gpu_orc_plan** plan,
                                             gsst_message* message);

/// Frees `plan`, which may be null. Work that is enqueued needs it no longer.
GSST_API void gsst_gpu_orc_plan_destroy(gsst_gpu_orc_plan* plan);

/// How much memory the decoding needs.
/// `sizes`: receives the result; unchanged after an error.
/// Errors: null_pointer, invalid_argument (struct_bytes).
GSST_API gsst_error gsst_gpu_orc_plan_sizes(const gsst_gpu_orc_plan* plan, gsst_gpu_orc_sizes* sizes);

/// Copies the metadata to `state`: device memory, `state_capacity` bytes, at least the plan's state_bytes,
/// aligned to GSST_GPU_ORC_ALIGNMENT. It serves all executions with it, as long as nothing else writes there;
/// preparing another one takes its place. `stream`: a stream of the current device that is not being
/// captured; it may be waited for. `message`: may be null. Nothing else uses the plan during the call.
/// Errors: null_pointer, invalid_argument (the stream is being captured), scratch_too_small, misaligned,
/// wrong_memory, wrong_device (too old), cuda.
GSST_API gsst_error gsst_gpu_orc_prepare(gsst_gpu_orc_plan* plan, void* state, size_t state_capacity,
                                         cudaStream_t stream, gsst_message* message);

/// Enqueues the decoding on `stream`, a stream of the current device.
/// `message`: may be null.
/// Damaged streams are no error of this call: a row group's word in `memory->status` reports them, once the
/// stream has done the work. What is in the array is unspecified then. Nothing is written outside of the
/// memory that was given, whatever streams and positions say. Errors: null_pointer, invalid_argument (input;
/// the plan was not prepared with this state), output_too_small, scratch_too_small, misaligned, overlap,
/// wrong_memory, wrong_device (too old), cuda. Nothing was enqueued then, but perhaps after cuda.
GSST_API gsst_error gsst_gpu_orc_execute(const gsst_gpu_orc_plan* plan, const gsst_gpu_orc_memory* memory,
                                         cudaStream_t stream, gsst_message* message);

/// Describes the result of an execution as an Arrow array. Its memory stays the caller's: releasing the array
/// frees none of it.
/// `memory`: that of the execution, on the current device; only `values` and `validity` are read.
/// `null_count`: what the execution wrote to `memory->nulls`, or -1 where that was not read.
/// `sync_event`: a cudaEvent_t*, recorded after the execution, or null where the stream is done; stays the
/// caller's.
/// `schema`, `array`: host memory of the caller, whose contents are overwritten; each is released by its own
/// release function, the array as `array->array`. Unchanged after an error.
/// `message`: may be null.
/// Errors: null_pointer, invalid_argument (null_count), out_of_memory, cuda.
GSST_API gsst_error gsst_gpu_orc_array(const gsst_gpu_orc_plan* plan, const gsst_gpu_orc_memory* memory,
                                       int64_t null_count, void* sync_event, struct ArrowSchema* schema,
                                       struct ArrowDeviceArray* array, gsst_message* message);

#ifdef __cplusplus
}
#endif

#endif
