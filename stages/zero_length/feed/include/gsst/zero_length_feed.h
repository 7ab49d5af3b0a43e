/// @file
/// Zero-length coding of a feed that never ends, as C functions: bytes are pushed in pieces of any size, and
/// whole blocks of the bare form are taken out (FORMAT.md, section 11.2). Written consecutively, the
/// blocks and the guard block after them are a file of that form.
///
/// A feed is a ring of slots. A block takes a slot from its first byte until it is released. Where all slots
/// are taken, a push takes fewer bytes than it is given and says how many. So the caller sees that blocks are
/// not taken out as fast as bytes come in, and chooses whether to wait or to drop bytes.
///
/// One thread may push and finish, while another takes blocks out and releases them; one thread may do both.
/// No two threads may push, and no two may take, at the same time. All memory is host memory and is
/// allocated when the feed is created; no later call allocates, except for the text of an error.
///
/// The library is gsst::zero_length_feed, which links gsst::codec. gsst.h says what holds for structs,
/// messages and errors.
#ifndef GSST_ZERO_LENGTH_FEED_H
#define GSST_ZERO_LENGTH_FEED_H

#include "gsst/gsst.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Most slots of a feed.
#define GSST_ZERO_LENGTH_FEED_MAX_SLOTS 65536

/// How a feed works. 0 in a field takes the default.
typedef struct gsst_zero_length_feed_options {
  /// sizeof(gsst_zero_length_feed_options).
  uint32_t struct_bytes;
  /// Threads that encode, started with the feed: 1 to GSST_MAX_THREADS. Default: none, a push encodes.
  uint32_t threads;
  /// Uncompressed bytes of each block but the last: 1 to 2^30. Default: 1 MiB.
  uint64_t block_bytes;
  /// Blocks that the feed holds: 1 to GSST_ZERO_LENGTH_FEED_MAX_SLOTS. Default: 4, and 2 for each thread.
  uint32_t slots;
  /// Bytes of a vector register, to request fewer than the processor has: 8 (no vector instructions), 16
  /// (SSE2), 32 (AVX2) or 64 (AVX-512). The output does not depend on it. Default: the most that it has.
  uint32_t vector_bytes;
} gsst_zero_length_feed_options;

/// A block as it is stored.
typedef struct gsst_zero_length_feed_block {
  /// sizeof(gsst_zero_length_feed_block), of the caller.
  uint32_t struct_bytes;
  /// 1: the guard block, after which none comes. Else 0.
  uint32_t is_guard;
  /// Counted from 0. For the guard block: how many blocks there were.
  uint64_t index;
  /// The bytes that were pushed of it. For the guard block: 0.
  uint64_t uncompressed_bytes;
  /// The block, header included: host memory of the feed, to be read only, without alignment, until the
  /// block is released. Null: none is ready.
  const void* bytes;
  /// Bytes at `bytes`: at most 16 and twice uncompressed_bytes. For the guard block: 8.
  uint64_t stored_bytes;
} gsst_zero_length_feed_block;

/// What a feed holds at one moment.
typedef struct gsst_zero_length_feed_info {
  /// sizeof(gsst_zero_length_feed_info), of the caller.
  uint32_t struct_bytes;
  /// 1: it is finished. Else 0.
  uint32_t is_finished;
  /// Bytes that were pushed and taken.
  uint64_t pushed_bytes;
  /// Blocks that are full, since the start.
  uint64_t filled_blocks;
  /// Of these, those that were taken out.
  uint64_t taken_blocks;
  /// Of these, those that were released. As long as it is smaller than filled_blocks by `slots`, a push
  /// takes nothing.
  uint64_t released_blocks;
  /// As chosen, as are the next three.
  uint64_t block_bytes;
  /// Blocks that the feed holds.
  uint32_t slots;
  /// Threads that encode; 0: a push does.
  uint32_t threads;
  /// Bytes of a vector register; never 0.
  uint32_t vector_bytes;
  /// 0.
  uint32_t reserved;
  /// Bytes of host memory that were allocated for blocks: 2 block_bytes + 16 a slot, and block_bytes for each
  /// slot, or once where no threads encode.
  uint64_t memory_bytes;
} gsst_zero_length_feed_info;

/// A feed.
typedef struct gsst_zero_length_feed gsst_zero_length_feed;

/// Makes a feed: allocates its memory and starts its threads.
/// `options`: null takes every default.
/// `feed`: receives the feed, or null after an error; gsst_zero_length_feed_destroy() frees it.
/// `message`: may be null.
/// Errors: null_pointer (feed), invalid_argument (an option), out_of_memory (or no thread can be started).
GSST_API gsst_error gsst_zero_length_feed_create(const gsst_zero_length_feed_options* options,
                                                 gsst_zero_length_feed** feed, gsst_message* message);

/// Ends the threads and frees `feed`, which may be null. Blocks that were not taken out are lost. No other
/// call on the feed may be running.
GSST_API void gsst_zero_length_feed_destroy(gsst_zero_length_feed* feed);

/// Takes bytes from the front of `bytes` as long as there is room. Waits for nothing.
/// `bytes`: `byte_count` bytes of host memory, at any address, which may go when the call returns; may be
/// null if that is 0. `taken`: receives how many were taken, 0 after an error. Fewer than given: all slots
/// hold blocks that are not released; the rest has to be pushed again. `message`: may be null. Errors:
/// null_pointer, invalid_argument (the feed is finished).
GSST_API gsst_error gsst_zero_length_feed_push(gsst_zero_length_feed* feed, const void* bytes,
                                               size_t byte_count, size_t* taken, gsst_message* message);

/// Waits until a push would take a byte. For a thread that pushes while another one releases: a single thread
/// would wait for ever.
/// Errors: null_pointer.
GSST_API gsst_error gsst_zero_length_feed_wait_for_room(gsst_zero_length_feed* feed, gsst_message* message);

/// No bytes follow. What is left is the last block, and the guard block comes after it. Needs no room.
/// `message`: may be null. Errors: null_pointer, invalid_argument (the feed is finished).
GSST_API gsst_error gsst_zero_length_feed_finish(gsst_zero_length_feed* feed, gsst_message* message);

/// Takes the next block out, if it is encoded. Several blocks may be out at the same time. Waits for nothing.
/// `block`: receives it; its `bytes` are null if none is ready. Unchanged after an error. `message`: may be
/// null. Errors: null_pointer, invalid_argument (struct_bytes).
GSST_API gsst_error gsst_zero_length_feed_next(gsst_zero_length_feed* feed,
                                               gsst_zero_length_feed_block* block, gsst_message* message);

/// Waits until gsst_zero_length_feed_next() takes a block out, or never will again, as after the guard block.
/// For a thread that takes while another one pushes.
/// Errors: null_pointer.
GSST_API gsst_error gsst_zero_length_feed_wait_for_block(gsst_zero_length_feed* feed, gsst_message* message);

/// Frees the slot of the block that has been out for longest: its bytes are the feed's again.
/// `message`: may be null. Errors: null_pointer, invalid_argument (no block is out).
GSST_API gsst_error gsst_zero_length_feed_release(gsst_zero_length_feed* feed, gsst_message* message);

/// What the feed holds, and how it works. Any thread may ask.
/// `info`: receives the result; unchanged after an error. `message`: may be null.
/// Errors: null_pointer, invalid_argument (struct_bytes).
GSST_API gsst_error gsst_zero_length_feed_inspect(const gsst_zero_length_feed* feed,
                                                  gsst_zero_length_feed_info* info, gsst_message* message);

#ifdef __cplusplus
}
#endif

#endif
