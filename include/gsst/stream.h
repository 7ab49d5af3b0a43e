/// @file
/// The codec on streams: bytes that come and go in pieces, of any length, in bounded memory.
///
/// The caller gives two functions, one that reads the next bytes and one that writes them. They are called by
/// the thread that called the library, one at a time; blocks in between are coded by all threads of the
/// options. What is said in gsst.h of structs, pointers and messages holds here too.
#ifndef GSST_STREAM_H
#define GSST_STREAM_H

#include "gsst/gsst.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Reads the next bytes of the input.
/// `context`: the stream's read_context. `buffer`: host memory of `capacity` bytes, at least 1.
/// `bytes`: receives how many bytes were put there: 1 to `capacity`, or 0 at the end of the input, after
/// which the function is not called again.
/// Returns 0, or any other number to stop the call. Must not throw.
typedef int (*gsst_read_function)(void* context, void* buffer, size_t capacity, size_t* bytes);

/// Writes the next bytes of the output, all of them.
/// `context`: the stream's write_context. `bytes`: host memory of `byte_count` bytes, at least 1.
/// Returns 0, or any other number to stop the call. Must not throw.
typedef int (*gsst_write_function)(void* context, const void* bytes, size_t byte_count);

/// Where bytes come from, and where they go.
typedef struct gsst_stream {
  /// sizeof(gsst_stream).
  uint32_t struct_bytes;
  /// 0.
  uint32_t reserved;
  /// Reads the input. Not null.
  gsst_read_function read;
  /// Passed to read; may be null.
  void* read_context;
  /// Writes the output. Not null.
  gsst_write_function write;
  /// Passed to write; may be null.
  void* write_context;
} gsst_stream;

/// What went through a stream.
typedef struct gsst_stream_info {
  /// sizeof(gsst_stream_info), of the caller.
  uint32_t struct_bytes;
  /// 0.
  uint32_t reserved;
  /// Bytes of the input.
  uint64_t input_bytes;
  /// Bytes of the output.
  uint64_t output_bytes;
  /// Blocks of the frame: 0 if what was compressed is empty.
  uint64_t block_count;
} gsst_stream_info;

/// Compresses a stream into one frame, or into a file of GSST_FORMAT_FSST: the same bytes that
/// gsst_compress() makes of the whole input.
/// `stream`: where the input comes from and the frame goes; after an error an unspecified part of the frame
/// was written. `options`: null takes every default. `info`: receives what went through, unchanged after an
/// error; may be null. `message`: may be null.
/// Allocates about 5 bytes for each byte of the blocks in work, as many blocks as threads and at least 1 MiB
/// of them, and 32 MiB where the size of blocks is left to the library and fits the input's first bytes.
/// Errors: null_pointer, invalid_argument (an option; struct_bytes; more than 2^26 blocks; more bytes read
/// than there was room for), out_of_memory, stopped.
GSST_API gsst_error gsst_compress_stream(const gsst_stream* stream, const gsst_compress_options* options,
                                         gsst_stream_info* info, gsst_message* message);

/// Decompresses a stream that holds one frame and nothing more, or a file of GSST_FORMAT_FSST, and checks all
/// that it holds, checksums included.
/// `stream`: where the frame comes from and the output goes; blocks are written in order, up to the first
/// that is wrong. The index is the last part of a frame, so an error may follow when all was written.
/// `options`: null takes every default; skip_checksums must be 0. `info`: receives what went through,
/// unchanged after an error; may be null. `message`: may be null.
/// Allocates memory for the blocks in work, as many as threads: of the sizes that the frame names, once as
/// many bytes have come. Errors: null_pointer, invalid_argument (an option; struct_bytes; more bytes read
/// than there was room for), wrong_format, unsupported_version, damaged, wrong_checksum, out_of_memory,
/// stopped.
GSST_API gsst_error gsst_decompress_stream(const gsst_stream* stream, const gsst_decompress_options* options,
                                           gsst_stream_info* info, gsst_message* message);

#ifdef __cplusplus
}
#endif

#endif
