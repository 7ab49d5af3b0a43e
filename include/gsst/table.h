/// @file
/// Tables of symbols as objects, on the CPU: trained once on samples, saved, loaded, and shared by any number
/// of small values, each of which is compressed by itself (docs/small_values.md).
///
/// A table can be used by several threads at once. All pointers are to host memory.
#ifndef GSST_TABLE_H
#define GSST_TABLE_H

#include "gsst/gsst.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes of a saved table at most.
#define GSST_MAX_TABLE_BYTES 2077

/// A value says which table it needs, in 4 bytes, so that any other one is refused.
#define GSST_VALUE_NAMES_TABLE 1U

/// A table of symbols, with all that compressing and decompressing look up in it.
typedef struct gsst_table gsst_table;

/// Trains a table on samples of the values that it is for. The same samples give the same table on every
/// machine. Of more than 16 KiB, parts from all over them are looked at: more samples than that do no harm.
/// `samples`: where each of `sample_count` samples is; `sample_bytes`: the bytes of each. Both may be null if
/// there are none, and where a sample has no bytes its pointer may be. `table`: receives the table, or null
/// after an error; gsst_table_destroy() frees it. `message`: may be null. Errors: null_pointer,
/// out_of_memory.
GSST_API gsst_error gsst_table_train(const void* const* samples, const size_t* sample_bytes,
                                     size_t sample_count, gsst_table** table, gsst_message* message);

/// Reads a table that gsst_table_save() has written.
/// `saved`: all its `saved_bytes` bytes and nothing more; not needed any longer after the call. `table`:
/// receives the table, or null after an error; gsst_table_destroy() frees it. `message`: may be null. Errors:
/// null_pointer, wrong_format, unsupported_version, damaged, wrong_checksum, out_of_memory.
GSST_API gsst_error gsst_table_load(const void* saved, size_t saved_bytes, gsst_table** table,
                                    gsst_message* message);

/// Frees `table`, which may be null.
GSST_API void gsst_table_destroy(gsst_table* table);

/// Writes `table` to memory of the caller.
/// `output`: `output_capacity` bytes; GSST_MAX_TABLE_BYTES are enough for any table. `output_bytes`: receives
/// the bytes of the saved table, also after output_too_small; 0 after any other error. `message`: may be
/// null. Errors: null_pointer, output_too_small.
GSST_API gsst_error gsst_table_save(const gsst_table* table, void* output, size_t output_capacity,
                                    size_t* output_bytes, gsst_message* message);

/// What values name the table by: a checksum of it, which another table hardly has. 0 if `table` is null.
GSST_API uint32_t gsst_table_id(const gsst_table* table);

/// Bytes that a value has at most whose text has `input_bytes` bytes: one more.
GSST_API size_t gsst_value_bound(size_t input_bytes);

/// Compresses one value. Allocates nothing for up to 4096 bytes.
/// `input`: `input_bytes` bytes (0 to 2^56); may be null if there are none. `flags`: 0 or
/// GSST_VALUE_NAMES_TABLE. `output`: `output_capacity` bytes, at least gsst_value_bound(); shares none with
/// `input`. `output_bytes`: receives the bytes of the value; 0 after an error. `message`: may be null.
/// Errors: null_pointer, invalid_argument, output_too_small, overlap, out_of_memory.
GSST_API gsst_error gsst_value_compress(const gsst_table* table, const void* input, size_t input_bytes,
                                        uint32_t flags, void* output, size_t output_capacity,
                                        size_t* output_bytes, gsst_message* message);

/// Decompresses one value with the table that it was compressed with. A value has no checksum: another table,
/// which a value without GSST_VALUE_NAMES_TABLE cannot refuse, and damage may give other bytes.
/// `value`: all its `value_bytes` bytes and nothing more. `output`: `output_capacity` bytes, of which it
/// writes no more than the text has; may be null if the text has none; shares none with the value. After an
/// error its contents are unspecified. `output_bytes`: receives the bytes of the text, also after
/// output_too_small; 0 after any other error. `message`: may be null. Errors: null_pointer, invalid_argument
/// (the value names another table), output_too_small, overlap, unsupported_version (of a later kind of
/// value), damaged.
GSST_API gsst_error gsst_value_decompress(const gsst_table* table, const void* value, size_t value_bytes,
                                          void* output, size_t output_capacity, size_t* output_bytes,
                                          gsst_message* message);

#ifdef __cplusplus
}
#endif

#endif
