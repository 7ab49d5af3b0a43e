#include "experiments/measure_line_rate_gpu/batched_run.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/zero_length/zero_length.hpp"
#include "common/pipeline/buffer.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure_line_rate_gpu/batch_queue.hpp"
#include "experiments/measure_line_rate_gpu/block_ring.hpp"

namespace gsst::experiments {
namespace {

using format::zero_length::bare_header_bytes;
using format::zero_length::bare_size_bytes;
using zero_length::BatchEncoder;
using zero_length::FeedBlock;

// Calls `take` for each of the `count` blocks of an encoded batch.
void for_each_block(std::span<const std::uint8_t> encoded, const BatchQueue::Batch& batch,
                    std::uint64_t block_bytes, const std::function<void(const FeedBlock&)>& take) {
  for (std::uint64_t i = 0; i < batch.count; ++i) {
    const std::uint64_t size =
        encoded.size() < bare_header_bytes ? 0 : format::load_little_endian<8>(encoded.data());
    if (size < bare_header_bytes || size > encoded.size()) {
      throw MismatchError("block " + std::to_string(batch.first + i) + ": no block in its batch");
    }
    take({.index = batch.first + i, .uncompressed_bytes = block_bytes, .bytes = encoded.first(size)});
    encoded = encoded.subspan(size);
  }
  if (!encoded.empty()) throw MismatchError("a batch has bytes after its last block");
}

// Encodes each block once, in the largest batches, and compares all of it.
void verify_batches(const ExpectedBlocks& blocks, const BatchedSetup& setup, BatchEncoder& encoder) {
  const pipeline::Buffer input = pipeline::Buffer::on_host(setup.executor, setup.shape.batch_bytes());
  for (std::size_t first = 0; first < blocks.count(); first += setup.shape.batch_blocks) {
    const std::uint64_t count = std::min<std::uint64_t>(setup.shape.batch_blocks, blocks.count() - first);
    for (std::uint64_t i = 0; i < count; ++i) {
      std::ranges::copy(blocks.block(first + i), input.data() + i * blocks.block_bytes());
    }
    encoder.start(input.bytes().first(count * blocks.block_bytes()));
    for_each_block(encoder.finish(first), {.first = first, .count = count}, blocks.block_bytes(),
                   [&](const FeedBlock& block) { blocks.check_all(block, block.index); });
  }
}

// The sources of a ring, whose contents start at different blocks: what one has read would else be in the
// cache for the next.
class Sources {
public:
  Sources(const ExpectedBlocks& blocks, const BatchedSetup& setup, BlockRing& ring) {
    Pace pace = setup.pace;
    pace.gigabits_per_second /= setup.sources;
    for (std::uint32_t source = 0; source < setup.sources; ++source) {
      const std::size_t first = blocks.count() * source / setup.sources;
      sources_.push_back(std::make_unique<PacedSource>(blocks, pace, ring.receiver(source), first));
    }
  }

  // Each in a thread.
  void start() {
    for (const auto& source : sources_) {
      running_.push_back(std::async(std::launch::async, [&source] { source->run(); }));
    }
  }
  void wait() {
    for (std::future<void>& source : running_) source.get();
  }

  const PacedSource::Delivered& delivered(const BlockRing::Origin& origin) const {
    return sources_[origin.source]->delivered(origin.number);
  }
  std::uint64_t planned_blocks() const { return sum_of(&PacedSource::planned_blocks); }
  std::uint64_t offered_blocks() const { return sum_of(&PacedSource::offered_blocks); }
  std::uint64_t lost_blocks() const { return sum_of(&PacedSource::lost_blocks); }
  double seconds() const {
    double longest = 0;
    for (const auto& source : sources_) longest = std::max(longest, source->seconds());
    return longest;
  }

private:
  template <typename Count>
  std::uint64_t sum_of(Count count) const {
    return std::accumulate(sources_.begin(), sources_.end(), std::uint64_t{0},
                           [&](std::uint64_t sum, const auto& source) { return sum + (*source.*count)(); });
  }

  std::vector<std::unique_ptr<PacedSource>> sources_;
  // The last member: the threads end before what they use.
  std::vector<std::future<void>> running_;
};

// Starts batches until the ring has no more blocks, or nobody finishes them.
void start_batches(BlockRing& ring, BatchEncoder& encoder, BatchQueue& under_way, std::uint64_t most) {
  const ClosingQueue closing(under_way);
  // What is full is looked at when a slot is free: the later, the larger the batch.
  while (under_way.wait_for_slot()) {
    const BlockRing::FullBlocks full = ring.wait_for_full(most);
    if (full.count == 0) return;
    encoder.start(full.bytes);
    under_way.put({.first = full.first, .count = full.count});
  }
}

}  // namespace

BatchedRun run_in_batches(const ExpectedBlocks& blocks, const BatchedSetup& setup,
                          const zero_length::HostToHost& functions) {
  if (setup.shape.block_bytes != blocks.block_bytes()) {
    throw std::invalid_argument("batches are of other blocks than those that are expected");
  }
  BlockRing ring(setup.executor, blocks.block_bytes(), setup.ring_blocks, setup.sources);
  // After the ring, from which it copies.
  const std::unique_ptr<BatchEncoder> encoder = functions.make_batch_encoder(setup.shape);
  verify_batches(blocks, setup, *encoder);
  Sources sources(blocks, setup, ring);
  BatchQueue under_way(setup.shape.slots);
  std::vector<double> delays;
  delays.reserve(sources.planned_blocks());
  std::uint64_t stored_bytes = bare_size_bytes;
  std::uint64_t batches = 0;
  const auto check = [&](const FeedBlock& block, PacedSource::Clock::time_point now,
                         const BlockRing::Origin& origin) {
    const PacedSource::Delivered& delivered = sources.delivered(origin);
    delays.push_back(std::chrono::duration<double>(now - delivered.complete).count());
    blocks.check_pieces(block, delivered.content);
  };
  // Before what waits for them.
  sources.start();
  std::future<void> starting = std::async(
      std::launch::async, [&] { start_batches(ring, *encoder, under_way, setup.shape.batch_blocks); });
  {
    const ClosingQueue closing(under_way);
    while (const std::optional<BatchQueue::Batch> batch = under_way.take()) {
      const std::span<const std::uint8_t> encoded = encoder->finish(batch->first);
      const PacedSource::Clock::time_point now = PacedSource::Clock::now();
      for_each_block(encoded, *batch, blocks.block_bytes(),
                     [&](const FeedBlock& block) { check(block, now, ring.origin(block.index)); });
      ring.release(batch->count);
      under_way.free_slot();
      stored_bytes += encoded.size();
      ++batches;
    }
  }
  starting.get();
  sources.wait();
  if (delays.size() != sources.offered_blocks() - sources.lost_blocks()) {
    throw MismatchError("blocks that were delivered were not encoded");
  }
  verify_batches(blocks, setup, *encoder);
  return {.paced = {.offered_blocks = sources.offered_blocks(),
                    .lost_blocks = sources.lost_blocks(),
                    .stored_bytes = stored_bytes,
                    .seconds = sources.seconds(),
                    .delays = summarize_delays(delays)},
          .batches = batches,
          .device_bytes = encoder->memory_bytes()};
}

}  // namespace gsst::experiments
