#include "stages/zero_length/feed/feed.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "common/format/block_format.hpp"
#include "common/format/bytes.hpp"
#include "common/format/zero_length/zero_length.hpp"
#include "gsst/zero_length_feed.h"
#include "stages/zero_length/03_simd/instruction_sets.hpp"

namespace gsst::zero_length {
namespace {

using format::zero_length::bare_header_bytes;
using format::zero_length::bare_size_bytes;
using format::zero_length::max_bare_block_bytes;

constexpr std::array<std::uint8_t, bare_size_bytes> guard_block{};

void check_range(const char* name, std::uint64_t value, std::uint64_t least, std::uint64_t most) {
  if (value >= least && value <= most) return;
  throw std::invalid_argument("feed: " + std::string(name) + " is " + std::to_string(value) + ", expected " +
                              std::to_string(least) + " to " + std::to_string(most));
}

const simd::InstructionSet& instruction_set(std::uint32_t vector_bytes) {
  const auto sets = simd::instruction_sets();
  if (vector_bytes == 0) return sets.back();
  const auto found = std::ranges::find(sets, std::int64_t{vector_bytes}, &simd::InstructionSet::vector_bytes);
  if (found != sets.end()) return *found;
  std::string known;
  for (const simd::InstructionSet& set : sets) known += ", " + std::to_string(set.vector_bytes);
  throw std::invalid_argument("feed: vector_bytes is " + std::to_string(vector_bytes) +
                              ", this processor has 0" + known);
}

FeedOptions checked(FeedOptions options) {
  check_range("block_bytes", options.block_bytes, 1, format::max_block_bytes);
  check_range("slots", options.slots, 1, GSST_ZERO_LENGTH_FEED_MAX_SLOTS);
  check_range("threads", options.threads, 0, GSST_MAX_THREADS);
  options.vector_bytes = static_cast<std::uint32_t>(instruction_set(options.vector_bytes).vector_bytes);
  return options;
}

// One for each slot where other threads encode: all of its blocks may wait to be encoded.
std::size_t input_count(const FeedOptions& options) {
  return options.threads == 0 ? 1 : options.slots;
}

template <typename Memory>
Memory taken_from(std::vector<Memory>& free) {
  Memory taken = std::move(free.back());
  free.pop_back();
  return taken;
}

}  // namespace

Feed::Feed(const FeedOptions& options)
    : options_(checked(options)),
      encode_elements_(instruction_set(options_.vector_bytes).encode),
      slots_(options_.slots),
      free_inputs_(input_count(options_)),
      free_stored_(options_.slots) {
  // Set to 0, so that the system gives the pages now and not while bytes arrive.
  for (Memory& stored : free_stored_) {
    stored = std::make_unique<std::uint8_t[]>(max_bare_block_bytes(options_.block_bytes));
  }
  for (Memory& input : free_inputs_) input = std::make_unique<std::uint8_t[]>(options_.block_bytes);
  workers_.reserve(options_.threads);
  while (workers_.size() < options_.threads) {
    workers_.emplace_back([this](const std::stop_token& stop) { work(stop); });
  }
}

std::uint64_t Feed::memory_bytes(const FeedOptions& options) {
  return options.slots * max_bare_block_bytes(options.block_bytes) +
         input_count(options) * options.block_bytes;
}

std::size_t Feed::push(std::span<const std::uint8_t> bytes) {
  // Only this thread sets it.
  if (is_finished_) throw std::invalid_argument("feed: bytes are pushed after it was finished");
  std::size_t taken = 0;
  while (taken < bytes.size() && has_room()) {
    const std::span<const std::uint8_t> rest = bytes.subspan(taken);
    if (options_.threads == 0 && filled_bytes_ == 0 && rest.size() >= options_.block_bytes) {
      // A block that is given whole is encoded from where it is: nothing is copied.
      submit(rest.first(options_.block_bytes));
      taken += options_.block_bytes;
    } else {
      taken += fill(rest);
    }
  }
  const std::lock_guard lock(mutex_);
  pushed_bytes_ += taken;
  return taken;
}

bool Feed::has_room() {
  // A block that is begun has its slot.
  if (filled_bytes_ != 0) return true;
  const std::lock_guard lock(mutex_);
  return submitted_ - released_ < slots_.size();
}

std::size_t Feed::fill(std::span<const std::uint8_t> bytes) {
  // Only this thread counts submitted_ up.
  Slot& slot = slot_of(submitted_);
  if (filled_bytes_ == 0) {
    const std::lock_guard lock(mutex_);
    slot.input = taken_from(free_inputs_);
  }
  std::uint8_t* const input = slot.input.get();
  const std::size_t copied = std::min<std::size_t>(bytes.size(), options_.block_bytes - filled_bytes_);
  std::memcpy(input + filled_bytes_, bytes.data(), copied);
  filled_bytes_ += copied;
  if (filled_bytes_ == options_.block_bytes) submit({input, filled_bytes_});
  return copied;
}

void Feed::submit(std::span<const std::uint8_t> input) {
  Slot& slot = slot_of(submitted_);
  slot.input_bytes = input.size();
  {
    std::unique_lock lock(mutex_);
    if (options_.threads == 0) {
      encode(submitted_, input, lock);
    } else {
      slot.is_encoded = false;
    }
    ++submitted_;
  }
  filled_bytes_ = 0;
  if (options_.threads == 0) {
    block_changed_.notify_one();
  } else {
    work_changed_.notify_one();
  }
}

void Feed::encode(std::uint64_t block, std::span<const std::uint8_t> input,
                  std::unique_lock<std::mutex>& lock) {
  Slot& slot = slot_of(block);
  slot.stored = taken_from(free_stored_);
  lock.unlock();
  const std::span stored(slot.stored.get(), max_bare_block_bytes(options_.block_bytes));
  slot.stored_bytes = bare_header_bytes + encode_elements_(input, stored.subspan(bare_header_bytes));
  format::store_little_endian<8>(stored.data(), slot.stored_bytes);
  format::store_little_endian<8>(stored.data() + bare_size_bytes, block);
  lock.lock();
  if (slot.input) free_inputs_.push_back(std::move(slot.input));
  slot.is_encoded = true;
}

void Feed::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (work_changed_.wait(lock, stop, [this] { return started_ < submitted_; }) && !stop.stop_requested()) {
    const std::uint64_t block = started_++;
    const Slot& slot = slot_of(block);
    encode(block, {slot.input.get(), slot.input_bytes}, lock);
    block_changed_.notify_one();
  }
}

void Feed::wait_for_room() {
  if (filled_bytes_ != 0) return;
  std::unique_lock lock(mutex_);
  room_changed_.wait(lock, [this] { return submitted_ - released_ < slots_.size(); });
}

void Feed::finish() {
  if (is_finished_) throw std::invalid_argument("feed: it is finished twice");
  if (filled_bytes_ != 0) submit({slot_of(submitted_).input.get(), filled_bytes_});
  {
    const std::lock_guard lock(mutex_);
    is_finished_ = true;
  }
  block_changed_.notify_one();
}

bool Feed::has_block() {
  if (handed_out_ < submitted_) return slot_of(handed_out_).is_encoded;
  return is_finished_ && handed_out_ == submitted_;
}

std::optional<FeedBlock> Feed::next_block() {
  const std::lock_guard lock(mutex_);
  if (!has_block()) return std::nullopt;
  const std::uint64_t index = handed_out_++;
  if (index == submitted_) return FeedBlock{.index = index, .uncompressed_bytes = 0, .bytes = guard_block};
  const Slot& slot = slot_of(index);
  return FeedBlock{.index = index,
                   .uncompressed_bytes = slot.input_bytes,
                   .bytes = {slot.stored.get(), slot.stored_bytes}};
}

void Feed::wait_for_block() {
  std::unique_lock lock(mutex_);
  block_changed_.wait(lock, [this] { return has_block() || is_drained(); });
}

void Feed::release() {
  {
    const std::lock_guard lock(mutex_);
    if (released_ == handed_out_) throw std::invalid_argument("feed: a block is released, and none is out");
    // The guard block has no slot.
    if (released_ < submitted_) free_stored_.push_back(std::move(slot_of(released_).stored));
    ++released_;
  }
  room_changed_.notify_one();
}

FeedState Feed::state() const {
  const std::lock_guard lock(mutex_);
  return {.pushed_bytes = pushed_bytes_,
          .filled_blocks = submitted_,
          .handed_out_blocks = std::min(handed_out_, submitted_),
          .released_blocks = std::min(released_, submitted_),
          .is_finished = is_finished_};
}

}  // namespace gsst::zero_length
