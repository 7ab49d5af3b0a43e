#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "common/frame/frame.hpp"
#include "library/lookup_column.hpp"

/// Strings whose codes are their own, decoded each by itself.
namespace gsst::library {

/// Bytes after a string that StringBlock::decode_ahead() may write.
inline constexpr std::size_t bytes_decoded_ahead = 80;

/// A block of formats blocks or splits whose strings are decoded one by one.
class StringBlock {
public:
  /// Parses block `number` of `frame`, whose bytes must outlive the new one, and more bytes after its codes.
  /// Throws format::FormatError.
  StringBlock(const format::FrameView& frame, std::uint64_t number);

  /// Decodes all of the block and compares its checksum, and the code ends that `column` says of its strings.
  /// Throws format::FormatError.
  void verify(const format::FrameView& frame, const LookupColumnView& column) const;

  /// Whether all of `string`, which starts in the block, is in it.
  bool holds(const StringPlace& string) const {
    return string.offset - output_begin_ + string.bytes <= output_bytes_;
  }

  /// Decodes `string`, which has bytes and which the block holds, to `output`, of as many bytes. Throws
  /// format::FormatError, which names the code end, unless the codes are exactly the string's.
  void decode(const CodedString& string, std::span<std::uint8_t> output) const;

  /// As decode(), faster, where `output` has bytes_decoded_ahead more bytes, which are overwritten.
  void decode_ahead(const CodedString& string, std::uint8_t* output) const;

private:
  // What a code puts out; nothing for the escape.
  struct alignas(16) Symbol {
    std::uint64_t bytes;
    std::uint32_t length;
    // Not 0: the code has no symbol.
    std::uint32_t is_wrong;
  };
  // Codes and where they go.
  struct Cursor {
    const std::uint8_t* codes;
    const std::uint8_t* end;
    std::uint8_t* to;
    std::uint32_t is_wrong;
  };

  Cursor start(const CodedString& string, std::uint8_t* output) const;
  void decode_until(Cursor& cursor, const std::uint8_t* limit) const;
  void put_symbols(Cursor& cursor, std::uint64_t codes) const;
  bool holds_codes(std::uint64_t begin, std::uint64_t end) const;
  std::uint64_t output_of(std::uint64_t begin, std::uint64_t end) const;
  [[noreturn]] void refuse() const;

  std::uint64_t number_;
  const std::uint8_t* frame_;
  // From the frame's first byte.
  std::uint64_t codes_begin_;
  std::uint64_t codes_end_;
  std::uint64_t output_begin_;
  std::uint32_t output_bytes_;
  bool is_raw_;
  std::array<Symbol, 256> symbols_;
};

/// The blocks of a frame, each made when it is first asked for. Can be used by several threads at once.
class StringBlocks {
public:
  /// What is compared when a block is made: its checksum and its code ends, unless `verifies` is false. The
  /// bytes of the two must outlive the blocks.
  StringBlocks(format::FrameView frame, const LookupColumnView& column, bool verifies);
  StringBlocks(const StringBlocks&) = delete;
  StringBlocks& operator=(const StringBlocks&) = delete;
  ~StringBlocks();

  /// The number of the block that holds byte `offset` of the output.
  std::uint64_t number_of(std::uint64_t offset) const { return offset / frame_.header.block_size; }
  std::uint64_t count() const { return frame_.index.entries.size(); }
  std::uint32_t bytes(std::uint64_t number) const {
    return frame_.index.entries[number].record.uncompressed_bytes;
  }

  /// Throws format::FormatError where the block is made.
  const StringBlock& get(std::uint64_t number) const {
    const StringBlock* const made = blocks_[number].load(std::memory_order_acquire);
    return made != nullptr ? *made : make(number);
  }
  /// Whether get() makes the block when it is called next.
  bool is_new(std::uint64_t number) const {
    return blocks_[number].load(std::memory_order_acquire) == nullptr;
  }

private:
  const StringBlock& make(std::uint64_t number) const;

  format::FrameView frame_;
  LookupColumnView column_;
  bool verifies_;
  std::unique_ptr<std::atomic<const StringBlock*>[]> blocks_;
};

}  // namespace gsst::library
