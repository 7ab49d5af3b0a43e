#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <utility>

#include "common/format/gsst/block.hpp"

/// Short reads out of one block, without decoding more than the codes around what is read.
namespace gsst::library {

/// A part of a block that is decoded from its start: a split, a strip of format tiles, or the whole block.
struct PartPlace {
  std::uint32_t number;
  /// In the block's output, in bytes.
  std::uint32_t begin;
  std::uint32_t end;
};

/// A parsed block. Remembers, part by part, which code puts out every 64th byte: the first read of a part
/// goes through all its codes and checks them, every later one starts at most 64 bytes before what it reads.
/// Can be used by several threads at once: what one of them has remembered only saves the others work.
class BlockLookup {
public:
  /// Host memory of `bytes` bytes, all 0, that takes no pages before they are written.
  struct Free {
    // NOLINTNEXTLINE(cppcoreguidelines-no-malloc,cppcoreguidelines-owning-memory)
    void operator()(std::uint32_t* memory) const { std::free(memory); }
  };
  using Words = std::unique_ptr<std::uint32_t[], Free>;

  BlockLookup(const BlockLookup&) = delete;
  BlockLookup& operator=(const BlockLookup&) = delete;
  virtual ~BlockLookup() = default;

  const format::BlockView& view() const { return view_; }
  /// The block that holds the table of a block with strips, which may be itself; else empty.
  std::span<const std::uint8_t> table_block() const { return table_block_; }

  bool is_verified() const { return is_verified_.load(std::memory_order_relaxed); }
  /// The block's checksum has been compared.
  void set_verified() const { is_verified_.store(true, std::memory_order_relaxed); }

  virtual std::uint32_t part_count() const = 0;
  /// Part `number`, less than part_count().
  virtual PartPlace part(std::uint32_t number) const = 0;
  /// The part that holds byte `offset` of the block's output, which has more bytes than that.
  virtual PartPlace part_of(std::uint32_t offset) const = 0;
  /// Puts the bytes from `offset` on into `output`; the block's output has them. Throws format::FormatError
  /// if the codes of a part that it reads for the first time break a rule of FORMAT.md.
  virtual void read(std::uint32_t offset, std::span<std::uint8_t> output) const = 0;

  /// What read() will read first and, once that is in a cache, next: who reads at several offsets has the
  /// memory fetched for those to come.
  virtual void prefetch_place(std::uint32_t offset) const = 0;
  virtual void prefetch_codes(std::uint32_t offset) const = 0;

protected:
  BlockLookup(format::BlockView view, std::span<const std::uint8_t> table_block)
      : view_(view), table_block_(table_block) {}

private:
  format::BlockView view_;
  std::span<const std::uint8_t> table_block_;
  mutable std::atomic<bool> is_verified_ = false;
};

/// The lookup of block `block` of `frame`, whose bytes must outlive it; the rest of `frame` need not. Throws
/// format::FormatError.
std::unique_ptr<const BlockLookup> make_block_lookup(const format::FrameView& frame, std::size_t block);

/// The lookups of a frame's blocks, each made when it is first asked for. Can be used by several threads.
class BlockLookups {
public:
  BlockLookups() = default;
  explicit BlockLookups(std::size_t block_count);
  BlockLookups(BlockLookups&& other) noexcept { *this = std::move(other); }
  BlockLookups& operator=(BlockLookups&& other) noexcept {
    std::swap(block_count_, other.block_count_);
    std::swap(lookups_, other.lookups_);
    return *this;
  }
  ~BlockLookups();

  /// `frame` is always the same, and has the blocks that the constructor was told.
  const BlockLookup& get(const format::FrameView& frame, std::size_t block) const {
    const BlockLookup* const made = lookups_[block].load(std::memory_order_acquire);
    return made != nullptr ? *made : make(frame, block);
  }

  /// Null if get() has not been called for the block.
  const BlockLookup* find(std::size_t block) const { return lookups_[block].load(std::memory_order_acquire); }

private:
  const BlockLookup& make(const format::FrameView& frame, std::size_t block) const;

  std::size_t block_count_ = 0;
  std::unique_ptr<std::atomic<const BlockLookup*>[]> lookups_;
};

}  // namespace gsst::library
