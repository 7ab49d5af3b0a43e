/// @file
/// Columns of strings as C functions on a GPU: an Arrow array in device memory to a compressed column and
/// back. column.h has the same on the CPU, and says what a column is. What gpu.h says of devices holds here
/// too.
///
/// Arrays come and go through the Arrow C device data interface: types string, large_string, binary and
/// large_binary, with nulls and slices. A column itself is in host memory. Unlike the functions of gpu.h,
/// these allocate device memory and wait for the stream: lengths and nulls are coded on the CPU.
#ifndef GSST_GPU_COLUMN_H
#define GSST_GPU_COLUMN_H

#include "gsst/column.h"
#include "gsst/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How an array in device memory is compressed. Refers to the array's buffers.
typedef struct gsst_gpu_column_compress_plan gsst_gpu_column_compress_plan;

/// Plans the compression of an array: copies its offsets and nulls to the host and reads them.
/// `schema`, `array`: of type string, large_string, binary or large_binary, and in memory of the current
/// device, ARROW_DEVICE_CUDA or ARROW_DEVICE_CUDA_MANAGED. They stay the caller's, who releases them; the
/// array's buffers stay as they are until the plan has been executed for the last time.
/// `options`: null takes every default. The tables are trained, those of codes of 10 and 12 bits on the CPU
/// with all of its threads, from a sample of the strings.
/// `stream`: a stream of the current device. It waits for the array's sync_event, a cudaEvent_t*, if there is
/// one, and the call waits for the stream.
/// `plan`: receives the plan, or null after an error; gsst_gpu_column_compress_plan_destroy() frees it.
/// `message`: may be null.
/// Errors: null_pointer, invalid_argument (another type, an array that contradicts itself, a string of 2^32
/// bytes or more, an option), wrong_memory, wrong_device (too old), out_of_memory, cuda.
GSST_API gsst_error gsst_gpu_column_compress_plan_create(const struct ArrowSchema* schema,
                                                         const struct ArrowDeviceArray* array,
                                                         const gsst_gpu_compress_options* options,
                                                         cudaStream_t stream,
                                                         gsst_gpu_column_compress_plan** plan,
                                                         gsst_message* message);

/// Frees `plan`, which may be null.
GSST_API void gsst_gpu_column_compress_plan_destroy(gsst_gpu_column_compress_plan* plan);

/// Bytes that the output must have room for. 0 if `plan` is null.
GSST_API size_t gsst_gpu_column_compress_plan_output_bytes(const gsst_gpu_column_compress_plan* plan);

/// Compresses the array of `plan` to one column, of a frame of the format that its options say.
/// `output`: host memory, `output_capacity` bytes, at least gsst_gpu_column_compress_plan_output_bytes().
/// After an error its contents are unspecified.
/// `output_bytes`: receives the bytes of the column, which starts at `output`; 0 after an error.
/// `stream`: a stream of the device that was current when the plan was made. The call waits for it.
/// `message`: may be null.
/// Allocates what gsst_gpu_compress_plan_sizes() says for the array's strings, and their bytes once more
/// where nulls of the array have bytes. Errors: null_pointer, output_too_small, wrong_device, out_of_memory,
/// cuda.
GSST_API gsst_error gsst_gpu_column_compress_execute(const gsst_gpu_column_compress_plan* plan, void* output,
                                                     size_t output_capacity, size_t* output_bytes,
                                                     cudaStream_t stream, gsst_message* message);

/// Decompresses all strings of a column to a new array in memory of the current device.
/// `column`: host memory, the whole column of `column_bytes` bytes and nothing more.
/// `options`: null takes every default.
/// `stream`: a stream of the current device. The call waits for it, so that the array has no sync_event.
/// `schema`, `array`: host memory of the caller, whose contents are overwritten; each is released by its own
/// release function, the array as `array->array`. Unchanged after an error.
/// `message`: may be null.
/// Also allocates memory for the frame and what gsst_gpu_decompress_plan_sizes() says of it,
/// and frees it again. Errors: null_pointer, invalid_argument (an option), wrong_format, unsupported_version,
/// damaged, wrong_checksum, wrong_device (too old), out_of_memory, cuda.
GSST_API gsst_error gsst_gpu_column_decompress(const void* column, size_t column_bytes,
                                               const gsst_gpu_decompress_options* options,
                                               cudaStream_t stream, struct ArrowSchema* schema,
                                               struct ArrowDeviceArray* array, gsst_message* message);

#ifdef __cplusplus
}
#endif

#endif
