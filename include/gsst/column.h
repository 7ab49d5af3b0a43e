/// @file
/// Columns of strings as C functions: an Arrow array to a compressed column and back, on the CPU.
///
/// Arrays come and go through the Arrow C data interface: types string, large_string, binary and
/// large_binary, with nulls and slices. What gsst.h says of plans, memory and threads holds here too; but the
/// memory of an array that leaves the library is the library's, until the array's release function is called.
#ifndef GSST_COLUMN_H
#define GSST_COLUMN_H

#include "gsst/gsst.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As the specification of the Arrow C data interface requires: defined once, by the first header. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};

#endif

/* The Arrow C device data interface, defined once in the same way. */
#ifndef ARROW_C_DEVICE_DATA_INTERFACE
#define ARROW_C_DEVICE_DATA_INTERFACE

typedef int32_t ArrowDeviceType;

#define ARROW_DEVICE_CPU 1
#define ARROW_DEVICE_CUDA 2
#define ARROW_DEVICE_CUDA_HOST 3
#define ARROW_DEVICE_CUDA_MANAGED 13

struct ArrowDeviceArray {
  struct ArrowArray array;
  int64_t device_id;
  ArrowDeviceType device_type;
  void* sync_event;
  int64_t reserved[3];
};

#endif

/// What the strings of a column are.
typedef enum gsst_string_kind {
  /// UTF-8 text. The library does not check that it is.
  GSST_STRING_TEXT = 1,
  /// Any bytes.
  GSST_STRING_BYTES = 2
} gsst_string_kind;

/// How a column stores where its strings are.
typedef enum gsst_column_layout {
  /// GSST_COLUMN_DENSE.
  GSST_COLUMN_DEFAULT = 0,
  /// The smallest: codes can cover the end of one string and the start of the next.
  GSST_COLUMN_DENSE = 1,
  /// For lookups: the codes of each string are its own, and the column says where they are. Formats blocks
  /// and splits, the default here, alone; the strings are an ordinary frame of these. Decoders of columns on
  /// a GPU take the
  /// frame and the ranges of such a column, not the column itself.
  GSST_COLUMN_LOOKUP = 2,
  /// GSST_COLUMN_LOOKUP if that takes at most a quarter more bytes than GSST_COLUMN_DENSE, else the latter:
  /// measured on a sample of at most 4 MiB of the array, which is compressed in both when the compression is
  /// planned. Dense where the options name a format that the layout for lookups does not have, or a
  /// separator. Where no format is named, that of the layout is the layout's default. No column says that it
  /// has this layout.
  GSST_COLUMN_AUTO = 3
} gsst_column_layout;

/// What is chosen for a column besides the options of its frame.
typedef struct gsst_column_options {
  /// sizeof(gsst_column_options), of the caller.
  uint32_t struct_bytes;
  /// A gsst_column_layout.
  uint32_t layout;
  /// 1: `separator` stands after each string in what the column's frame decompresses to. 0: nothing does.
  /// Dense columns alone have one.
  uint32_t has_separator;
  /// A byte, 0 to 255, that no string of the array holds; 0 if there is none. Decoders of columns take it
  /// away.
  uint32_t separator;
} gsst_column_options;

/// What a column says about itself.
typedef struct gsst_column_info {
  /// sizeof(gsst_column_info), of the caller.
  uint32_t struct_bytes;
  /// 0.
  uint32_t reserved;
  /// Bytes of the whole column.
  uint64_t compressed_bytes;
  /// The bytes of these around the frame: lengths, nulls, and where groups of strings start.
  uint64_t length_bytes;
  /// Nulls included.
  uint64_t string_count;
  /// Strings that are null.
  uint64_t null_count;
  /// Bytes of all strings together.
  uint64_t string_bytes;
  /// A gsst_string_kind.
  uint32_t kind;
  /// Bytes of an offset of the Arrow array: 4 (string, binary) or 8 (large_string, large_binary).
  uint32_t offset_width;
  /// GSST_COLUMN_DENSE or GSST_COLUMN_LOOKUP.
  uint32_t layout;
  /// 0.
  uint32_t reserved_2;
  /// 1: in what the column's frame decompresses to, `separator` stands after each string, nulls included. No
  /// number of bytes here counts it, but those of compressed bytes. 0: nothing does.
  uint32_t has_separator;
  /// A byte, 0 to 255; 0 if there is none.
  uint32_t separator;
} gsst_column_info;

/// How an array is compressed. Refers to the array's memory.
typedef struct gsst_column_compress_plan gsst_column_compress_plan;
/// How a column is decompressed. Refers to the column's bytes.
typedef struct gsst_column_plan gsst_column_plan;

/// Plans the compression of an array and reads its offsets and nulls.
/// `schema`, `array`: of type string, large_string, binary or large_binary. They stay the caller's, who
/// releases them; the array's buffers stay as they are until the plan has been executed for the last time.
/// `options`: null takes every default; GSST_FORMAT_FSST is refused.
/// `plan`: receives the plan, or null after an error; gsst_column_compress_plan_destroy() frees it.
/// `message`: may be null.
/// Keeps about a byte for each string. Errors: null_pointer, invalid_argument (another type, an array that
/// contradicts itself, a string of 2^32 bytes or more, an option), out_of_memory.
GSST_API gsst_error gsst_column_compress_plan_create(const struct ArrowSchema* schema,
                                                     const struct ArrowArray* array,
                                                     const gsst_compress_options* options,
                                                     gsst_column_compress_plan** plan, gsst_message* message);

/// As gsst_column_compress_plan_create(), with options of the column. `column_options`: null takes every
/// default. In GSST_COLUMN_LOOKUP compressing takes 16 bytes more for each string; with a separator all
/// strings are read for it, and compressing copies them. Errors: in addition, invalid_argument (struct_bytes;
/// a layout that is none, or that the format does not have; a separator that is no byte, that a string holds,
/// or that the layout does not have).
GSST_API gsst_error gsst_column_compress_plan_create_with(
    const struct ArrowSchema* schema, const struct ArrowArray* array, const gsst_compress_options* options,
    const gsst_column_options* column_options, gsst_column_compress_plan** plan, gsst_message* message);

/// Frees `plan`, which may be null.
GSST_API void gsst_column_compress_plan_destroy(gsst_column_compress_plan* plan);

/// Bytes that the output must have room for. 0 if `plan` is null.
GSST_API size_t gsst_column_compress_plan_output_bytes(const gsst_column_compress_plan* plan);

/// Compresses the array of `plan` to one column.
/// `output`: `output_capacity` bytes, at least gsst_column_compress_plan_output_bytes(); shares none with the
/// array. After an error its contents are unspecified.
/// `output_bytes`: receives the bytes of the column, which starts at `output`; 0 after an error.
/// `message`: may be null.
/// Allocates as gsst_compress_execute(), and the bytes of all strings where nulls of the array have bytes.
/// Errors: null_pointer, output_too_small, overlap, out_of_memory.
GSST_API gsst_error gsst_column_compress_execute(const gsst_column_compress_plan* plan, void* output,
                                                 size_t output_capacity, size_t* output_bytes,
                                                 gsst_message* message);

/// Finds the last of several consecutive columns: a column that is too large for memory is stored in parts
/// (FORMAT.md, section 10.1). The bytes before it end with the last but one. `columns`:
/// `bytes` bytes, columns and nothing else. `column_bytes`: receives the bytes of the last one; 0 after an
/// error. `message`: may be null. Reads the start and the end of that column and checks nothing else of it;
/// gsst_column_plan_create() does. Errors: null_pointer, wrong_format, damaged.
GSST_API gsst_error gsst_last_column_bytes(const void* columns, size_t bytes, size_t* column_bytes,
                                           gsst_message* message);

/// Plans the decompression of a column: checks its frame and the header of every block, and all lengths.
/// `column`: the whole column of `column_bytes` bytes and nothing more; it stays as it is until the plan is
/// destroyed. `options`: null takes every default. `plan`: receives the plan, or null after an error;
/// gsst_column_plan_destroy() frees it. `message`: may be null. Errors: null_pointer, invalid_argument (an
/// option), wrong_format, unsupported_version, damaged, wrong_checksum, out_of_memory.
GSST_API gsst_error gsst_column_plan_create(const void* column, size_t column_bytes,
                                            const gsst_decompress_options* options, gsst_column_plan** plan,
                                            gsst_message* message);

/// Frees `plan`, which may be null. Arrays that were made with it stay.
GSST_API void gsst_column_plan_destroy(gsst_column_plan* plan);

/// What the column says about itself.
/// `info`: receives the result; unchanged after an error.
/// Errors: null_pointer, invalid_argument (struct_bytes).
GSST_API gsst_error gsst_column_plan_info(const gsst_column_plan* plan, gsst_column_info* info);

/// Decompresses `count` strings from string `first` on, which counts from 0, to a new array, and as little of
/// the rest as gsst_decompress_ranges(). `schema`, `array`: memory of the caller, whose contents are
/// overwritten; each is released by its own release function. Unchanged after an error. `info`: receives what
/// was decoded, unchanged after an error; may be null. `message`: may be null. Errors: null_pointer,
/// invalid_argument (struct_bytes; the column has fewer strings), damaged, wrong_checksum, out_of_memory.
GSST_API gsst_error gsst_column_decompress(const gsst_column_plan* plan, uint64_t first, uint64_t count,
                                           struct ArrowSchema* schema, struct ArrowArray* array,
                                           gsst_read_info* info, gsst_message* message);

/// As gsst_column_decompress(), for strings in any order, of which some may be requested more than once.
/// `strings`: the numbers of `count` strings, which count from 0; may be null if there are none.
/// Errors: in addition, invalid_argument if all together have more bytes than offsets of the column's width
/// can hold.
GSST_API gsst_error gsst_column_take(const gsst_column_plan* plan, const uint64_t* strings, size_t count,
                                     struct ArrowSchema* schema, struct ArrowArray* array,
                                     gsst_read_info* info, gsst_message* message);

/// Where the compressed bytes of all strings are: a frame in the column, for decoders that take frames, such
/// as gsst_gpu_decompress_plan_create(). It decompresses to all strings, one after another, with the column's
/// separator after each, if it has one.
/// `frame`: receives where it starts, in the column's memory. `frame_bytes`: receives its bytes. Both
/// unchanged after an error.
/// Errors: null_pointer.
GSST_API gsst_error gsst_column_frame(const gsst_column_plan* plan, const void** frame, size_t* frame_bytes);

/// Says where strings are in what the column's frame decompresses to, for decoders that take the frame alone,
/// such as gsst_gpu_decompress_ranges(). Decompresses nothing. All pointers are to host memory, no two of the
/// arrays share bytes, and what is written is unchanged after an error.
/// `strings`: the numbers of `count` strings, which count from 0, in any order, of which some may be
/// requested more than once; may be null if there are none. Ascending numbers give ascending ranges.
/// `ranges`: receives `count` ranges, one for each string in the order of `strings`; for a null or an empty
/// string it has no bytes. Their output_offset puts the strings one after another from 0 on, so it is the
/// offset of each string in an array. May be null if `count` is 0.
/// `nulls`: receives `count` bytes, 1 for a null and 0 for a string; may be null.
/// `output_bytes`: receives the bytes of all ranges together.
/// `message`: may be null.
/// Errors: null_pointer, invalid_argument (the column has no such string), overlap.
GSST_API gsst_error gsst_column_ranges(const gsst_column_plan* plan, const uint64_t* strings, size_t count,
                                       gsst_range* ranges, uint8_t* nulls, uint64_t* output_bytes,
                                       gsst_message* message);

#ifdef __cplusplus
}
#endif

#endif
