#include "experiments/measure_line_rate_gpu/block_ring.hpp"

#include <algorithm>

namespace gsst::experiments {

BlockRing::BlockRing(stage::Executor executor, std::uint64_t block_bytes, std::uint64_t slots,
                     std::uint32_t sources)
    : block_bytes_(block_bytes),
      memory_(pipeline::Buffer::on_host(executor, block_bytes * slots)),
      slots_(slots),
      sources_left_(sources) {
  // Memory that is touched for the first time while packets arrive would cost a page fault each.
  std::ranges::fill(memory_.bytes(), std::uint8_t{0});
  for (std::uint32_t source = 0; source < sources; ++source) {
    ports_.push_back(std::make_unique<Port>(*this, source));
  }
}

std::size_t BlockRing::Port::push(std::span<const std::uint8_t> packet) {
  if (filled_bytes_ == 0) {
    if (!ring_.claim({.source = source_, .number = taken_blocks_}, block_)) return 0;
    ++taken_blocks_;
  }
  std::ranges::copy(packet, ring_.memory_of(block_) + filled_bytes_);
  filled_bytes_ += packet.size();
  if (filled_bytes_ == ring_.block_bytes_) {
    filled_bytes_ = 0;
    ring_.complete(block_);
  }
  return packet.size();
}

BlockRing::FullBlocks BlockRing::wait_for_full(std::uint64_t most) {
  std::unique_lock lock(mutex_);
  full_changed_.wait(lock, [&] { return taken_ < full_ || sources_left_ == 0; });
  const std::uint64_t to_the_end = slots_.size() - taken_ % slots_.size();
  const FullBlocks blocks = {.first = taken_, .count = std::min({full_ - taken_, most, to_the_end})};
  taken_ += blocks.count;
  return {.first = blocks.first,
          .count = blocks.count,
          .bytes = {memory_of(blocks.first), blocks.count * block_bytes_}};
}

void BlockRing::release(std::uint64_t count) {
  const std::lock_guard lock(mutex_);
  released_ += count;
}

bool BlockRing::claim(Origin origin, std::uint64_t& block) {
  const std::lock_guard lock(mutex_);
  if (claimed_ == released_ + slots_.size()) return false;
  block = claimed_++;
  slots_[block % slots_.size()] = {.origin = origin, .is_full = false};
  return true;
}

void BlockRing::complete(std::uint64_t block) {
  {
    const std::lock_guard lock(mutex_);
    slots_[block % slots_.size()].is_full = true;
    if (block != full_) return;
    while (full_ < claimed_ && slots_[full_ % slots_.size()].is_full) ++full_;
  }
  full_changed_.notify_one();
}

void BlockRing::end_source() {
  {
    const std::lock_guard lock(mutex_);
    --sources_left_;
  }
  full_changed_.notify_one();
}

}  // namespace gsst::experiments
