#include "experiments/measure_line_rate/line_rate_run.hpp"

#include <chrono>
#include <future>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "experiments/measure/shared/error.hpp"
#include "experiments/measure_line_rate/feed_receiver.hpp"

namespace gsst::experiments {
namespace {

using zero_length::Feed;
using zero_length::FeedBlock;
using zero_length::FeedOptions;

// The next block, however long it takes.
FeedBlock await_block(Feed& feed) {
  feed.wait_for_block();
  const std::optional<FeedBlock> block = feed.next_block();
  if (!block) throw MismatchError("the feed handed out no guard block");
  return *block;
}

// Encodes each block once and compares all of it.
void verify(const ExpectedBlocks& blocks, const FeedOptions& options) {
  Feed feed(options);
  std::size_t checked = 0;
  const auto check_next = [&] {
    const FeedBlock block = await_block(feed);
    blocks.check_all(block, checked++);
    feed.release();
  };
  for (std::size_t content = 0; content < blocks.count(); ++content) {
    std::span<const std::uint8_t> rest = blocks.block(content);
    while (true) {
      rest = rest.subspan(feed.push(rest));
      if (rest.empty()) break;
      check_next();
    }
  }
  while (checked < blocks.count()) check_next();
}

}  // namespace

PacedRun run_line_rate(const ExpectedBlocks& blocks, const Pace& pace, const FeedOptions& options) {
  // A source that encodes itself would keep no pace.
  if (options.threads == 0) throw std::invalid_argument("a line rate needs threads that encode");
  verify(blocks, options);
  Feed feed(options);
  FeedReceiver receiver(feed);
  PacedSource source(blocks, pace, receiver);
  std::vector<double> delays;
  delays.reserve(source.planned_blocks());
  std::uint64_t stored_bytes = 0;
  std::future<void> running = std::async(std::launch::async, [&source] { source.run(); });
  while (true) {
    const FeedBlock block = await_block(feed);
    stored_bytes += block.bytes.size();
    if (block.uncompressed_bytes == 0) break;
    const PacedSource::Delivered& delivered = source.delivered(block.index);
    delays.push_back(std::chrono::duration<double>(PacedSource::Clock::now() - delivered.complete).count());
    blocks.check_pieces(block, delivered.content);
    feed.release();
  }
  running.get();
  if (delays.size() != source.offered_blocks() - source.lost_blocks()) {
    throw MismatchError("blocks that were delivered were not handed out");
  }
  verify(blocks, options);
  return {.offered_blocks = source.offered_blocks(),
          .lost_blocks = source.lost_blocks(),
          .stored_bytes = stored_bytes,
          .seconds = source.seconds(),
          .delays = summarize_delays(delays)};
}

}  // namespace gsst::experiments
