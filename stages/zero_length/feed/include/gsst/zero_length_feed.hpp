#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "gsst/gsst.hpp"
#include "gsst/zero_length_feed.h"

/// @file
/// Zero-length coding of a feed that never ends in C++20, over the C functions of zero_length_feed.h: what is
/// said there of memory, threads and errors holds here too. Nothing here throws but value() of a result that
/// has none, and nothing allocates after create() but a failure's text.

namespace gsst {

/// How a feed works; 0 takes the default. See gsst_zero_length_feed_options for the ranges.
struct ZeroLengthFeedOptions {
  /// Uncompressed bytes of each block but the last.
  std::uint64_t block_bytes = 0;
  /// Blocks that the feed holds.
  std::uint32_t slots = 0;
  /// Threads that encode; 0: push() does.
  std::uint32_t threads = 0;
  /// Bytes of a vector register.
  std::uint32_t vector_bytes = 0;
};

/// What a feed holds at one moment.
using ZeroLengthFeedInfo = gsst_zero_length_feed_info;

/// A block as it is stored, header included.
struct ZeroLengthFeedBlock {
  /// Counted from 0. For the guard block: how many blocks there were.
  std::uint64_t index;
  /// The bytes that were pushed; 0 only for the guard block.
  std::uint64_t uncompressed_bytes;
  /// The block, in host memory of the feed until it is released.
  std::span<const std::byte> bytes;
};

/// A ring of blocks between a thread that pushes bytes and one that takes encoded blocks out.
class ZeroLengthFeed {
public:
  /// Allocates the memory and starts the threads. Errors: gsst_zero_length_feed_create().
  static Result<ZeroLengthFeed> create(const ZeroLengthFeedOptions& options = {}) {
    const gsst_zero_length_feed_options c_options = {.struct_bytes = sizeof(gsst_zero_length_feed_options),
                                                     .threads = options.threads,
                                                     .block_bytes = options.block_bytes,
                                                     .slots = options.slots,
                                                     .vector_bytes = options.vector_bytes};
    gsst_zero_length_feed* feed = nullptr;
    gsst_message message;
    const gsst_error error = gsst_zero_length_feed_create(&c_options, &feed, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return ZeroLengthFeed(feed);
  }

  /// Takes bytes from the front of `bytes` as long as there is room, and says how many: fewer than given only
  /// where all slots hold blocks that are not released. Errors: gsst_zero_length_feed_push().
  Result<std::size_t> push(std::span<const std::byte> bytes) {
    std::size_t taken = 0;
    gsst_message message;
    const gsst_error error =
        gsst_zero_length_feed_push(feed_.get(), bytes.data(), bytes.size(), &taken, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return taken;
  }

  /// Waits until push() would take a byte: only where another thread releases.
  void wait_for_room() { gsst_zero_length_feed_wait_for_room(feed_.get(), nullptr); }

  /// No bytes follow. Says how many blocks have been filled. Errors: gsst_zero_length_feed_finish().
  Result<std::uint64_t> finish() {
    gsst_message message;
    const gsst_error error = gsst_zero_length_feed_finish(feed_.get(), &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return info().filled_blocks;
  }

  /// The next block, if it is encoded.
  std::optional<ZeroLengthFeedBlock> next_block() {
    auto block = detail::sized<gsst_zero_length_feed_block>();
    gsst_zero_length_feed_next(feed_.get(), &block, nullptr);
    if (block.bytes == nullptr) return std::nullopt;
    return ZeroLengthFeedBlock{
        .index = block.index,
        .uncompressed_bytes = block.uncompressed_bytes,
        .bytes = {static_cast<const std::byte*>(block.bytes), static_cast<std::size_t>(block.stored_bytes)}};
  }

  /// Waits until next_block() hands one out, or never will again: only where another thread pushes.
  void wait_for_block() { gsst_zero_length_feed_wait_for_block(feed_.get(), nullptr); }

  /// Frees the slot of the block that has been out for longest. Does nothing if none is out.
  void release() { gsst_zero_length_feed_release(feed_.get(), nullptr); }

  /// What the feed holds, and how it works. Not for a feed that was moved from.
  ZeroLengthFeedInfo info() const {
    auto info = detail::sized<ZeroLengthFeedInfo>();
    gsst_zero_length_feed_inspect(feed_.get(), &info, nullptr);
    return info;
  }

private:
  struct Destroy {
    void operator()(gsst_zero_length_feed* feed) const { gsst_zero_length_feed_destroy(feed); }
  };

  explicit ZeroLengthFeed(gsst_zero_length_feed* feed) : feed_(feed) {}

  std::unique_ptr<gsst_zero_length_feed, Destroy> feed_;
};

}  // namespace gsst
