#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <system_error>

#include "gsst/zero_length_feed.h"
#include "library/arguments.hpp"
#include "library/failure.hpp"
#include "library/known_struct.hpp"
#include "stages/zero_length/feed/feed.hpp"

using gsst::library::ApiError;
using gsst::library::check_not_null;
using gsst::library::input_span;
using gsst::library::known_struct;
using gsst::library::known_struct_bytes;
using gsst::library::report_errors;
using gsst::library::store_struct;
using gsst::zero_length::Feed;
using gsst::zero_length::FeedBlock;
using gsst::zero_length::FeedOptions;
using gsst::zero_length::FeedState;

namespace gsst::library {

template <>
inline constexpr std::size_t first_struct_bytes<gsst_zero_length_feed_options> = 24;
template <>
inline constexpr std::size_t first_struct_bytes<gsst_zero_length_feed_block> = 40;
template <>
inline constexpr std::size_t first_struct_bytes<gsst_zero_length_feed_info> = 72;

}  // namespace gsst::library

struct gsst_zero_length_feed {
  explicit gsst_zero_length_feed(const FeedOptions& options) : feed(options) {}

  Feed feed;
};

namespace {

FeedOptions feed_options(const gsst_zero_length_feed_options* options) {
  gsst_zero_length_feed_options given{};
  if (options != nullptr) given = known_struct("options", options);
  FeedOptions chosen;
  if (given.block_bytes != 0) chosen.block_bytes = given.block_bytes;
  chosen.threads = given.threads;
  chosen.slots = given.slots;
  chosen.vector_bytes = given.vector_bytes;
  // Each thread encodes one block while its next is filled; four are for who takes them out.
  if (chosen.slots == 0) chosen.slots = 4 + 2 * std::min<std::uint32_t>(given.threads, GSST_MAX_THREADS);
  return chosen;
}

}  // namespace

extern "C" {

gsst_error gsst_zero_length_feed_create(const gsst_zero_length_feed_options* options,
                                        gsst_zero_length_feed** feed, gsst_message* message) {
  if (feed != nullptr) *feed = nullptr;
  return report_errors(message, [&] {
    check_not_null(feed, "feed");
    try {
      *feed = std::make_unique<gsst_zero_length_feed>(feed_options(options)).release();
    } catch (const std::system_error& error) {
      throw ApiError(GSST_ERROR_OUT_OF_MEMORY, std::string("a thread cannot be started: ") + error.what());
    }
  });
}

void gsst_zero_length_feed_destroy(gsst_zero_length_feed* feed) {
  const std::unique_ptr<gsst_zero_length_feed> owned(feed);
}

gsst_error gsst_zero_length_feed_push(gsst_zero_length_feed* feed, const void* bytes, size_t byte_count,
                                      size_t* taken, gsst_message* message) {
  if (taken != nullptr) *taken = 0;
  return report_errors(message, [&] {
    check_not_null(feed, "feed");
    check_not_null(taken, "taken");
    *taken = feed->feed.push(input_span(bytes, byte_count, "bytes"));
  });
}

gsst_error gsst_zero_length_feed_wait_for_room(gsst_zero_length_feed* feed, gsst_message* message) {
  return report_errors(message, [&] {
    check_not_null(feed, "feed");
    feed->feed.wait_for_room();
  });
}

gsst_error gsst_zero_length_feed_finish(gsst_zero_length_feed* feed, gsst_message* message) {
  return report_errors(message, [&] {
    check_not_null(feed, "feed");
    feed->feed.finish();
  });
}

gsst_error gsst_zero_length_feed_next(gsst_zero_length_feed* feed, gsst_zero_length_feed_block* block,
                                      gsst_message* message) {
  return report_errors(message, [&] {
    check_not_null(feed, "feed");
    check_not_null(block, "block");
    // Before a block is taken out, which would be lost.
    known_struct_bytes("block", block);
    gsst_zero_length_feed_block result{};
    if (const std::optional<FeedBlock> next = feed->feed.next_block()) {
      result.is_guard = next->uncompressed_bytes == 0 ? 1 : 0;
      result.index = next->index;
      result.uncompressed_bytes = next->uncompressed_bytes;
      result.bytes = next->bytes.data();
      result.stored_bytes = next->bytes.size();
    }
    store_struct("block", result, block);
  });
}

gsst_error gsst_zero_length_feed_wait_for_block(gsst_zero_length_feed* feed, gsst_message* message) {
  return report_errors(message, [&] {
    check_not_null(feed, "feed");
    feed->feed.wait_for_block();
  });
}

gsst_error gsst_zero_length_feed_release(gsst_zero_length_feed* feed, gsst_message* message) {
  return report_errors(message, [&] {
    check_not_null(feed, "feed");
    feed->feed.release();
  });
}

gsst_error gsst_zero_length_feed_inspect(const gsst_zero_length_feed* feed, gsst_zero_length_feed_info* info,
                                         gsst_message* message) {
  return report_errors(message, [&] {
    check_not_null(feed, "feed");
    check_not_null(info, "info");
    const FeedState state = feed->feed.state();
    const FeedOptions& options = feed->feed.options();
    store_struct("info",
                 gsst_zero_length_feed_info{.struct_bytes = 0,
                                            .is_finished = state.is_finished ? 1U : 0U,
                                            .pushed_bytes = state.pushed_bytes,
                                            .filled_blocks = state.filled_blocks,
                                            .taken_blocks = state.handed_out_blocks,
                                            .released_blocks = state.released_blocks,
                                            .block_bytes = options.block_bytes,
                                            .slots = options.slots,
                                            .threads = options.threads,
                                            .vector_bytes = options.vector_bytes,
                                            .reserved = 0,
                                            .memory_bytes = Feed::memory_bytes(options)},
                 info);
  });
}

}  // extern "C"
