/// @file
/// One string of a column, on the CPU, without an array around it. What column.h says of plans, memory and
/// threads holds here too.
#ifndef GSST_LOOKUP_H
#define GSST_LOOKUP_H

#include "gsst/column.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Decompresses one string into memory of the caller: the fastest way to a few strings. The plan remembers
/// what it finds out about each block, so that the first string of a block takes longer than those that
/// follow (gsst_decompress_ranges() in gsst.h), and only calls that find something new allocate memory.
/// gsst_column_take() is faster for many strings.
/// `string`: its number, which counts from 0. `output`: `output_capacity` bytes, at least those of the
/// string; may be null if it has none; shares none with the column. `output_bytes`: receives the bytes of the
/// string, 0 for a null, also after output_too_small; 0 after any other error. `is_null`: receives 1 for a
/// null and 0 for a string, unchanged after an error; may be null. `message`: may be null. Errors:
/// null_pointer, invalid_argument (the column has no such string), output_too_small, overlap, damaged,
/// wrong_checksum, out_of_memory.
GSST_API gsst_error gsst_column_string(const gsst_column_plan* plan, uint64_t string, void* output,
                                       size_t output_capacity, size_t* output_bytes, int* is_null,
                                       gsst_message* message);

#ifdef __cplusplus
}
#endif

#endif
