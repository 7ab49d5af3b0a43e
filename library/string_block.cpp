#include "library/string_block.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/gsst/block.hpp"
#include "cpu/tiles/tree_checksum.hpp"
#include "library/word.hpp"
#include "reference_cpu/block_codec.hpp"

namespace gsst::library {
namespace {

constexpr std::size_t word_codes = 8;
constexpr std::uint64_t every_byte = 0x0101'0101'0101'0101;
constexpr std::uint64_t highest_bits = every_byte << 7;
// Shorter strings, and the ends of longer ones, are decoded to memory that has room for what is decoded
// ahead.
constexpr std::size_t short_string_bytes = 128;
// More codes than bytes of a string can have: each byte escaped.
constexpr std::uint64_t most_codes_of_byte = 2;

// The bits of the bytes from number `count` on, 0 to 8.
std::uint64_t bytes_from(std::size_t count) {
  return count == word_codes ? 0 : ~std::uint64_t{0} << (8 * count);
}

}  // namespace

StringBlock::StringBlock(const format::FrameView& frame, std::uint64_t number)
    : number_(number), frame_(frame.bytes.data()) {
  const format::BlockView view = format::parse_block(frame, number);
  const format::IndexEntry& entry = frame.index.entries[number];
  codes_begin_ = static_cast<std::uint64_t>(view.codes.data() - frame_);
  codes_end_ = codes_begin_ + view.codes.size();
  output_begin_ = entry.uncompressed_offset;
  output_bytes_ = view.uncompressed_bytes;
  is_raw_ = view.layout == format::BlockLayout::raw;
  for (std::size_t code = 0; code < symbols_.size(); ++code) {
    const std::uint32_t length = view.table.lengths[code];
    symbols_[code] = {.bytes = view.table.symbols[code],
                      .length = length,
                      .is_wrong = length == 0 && code != format::escape_code ? 1U : 0U};
  }
}

void StringBlock::refuse() const {
  throw format::FormatError(number_, "code end", "of a string is not the end of its codes");
}

bool StringBlock::holds_codes(std::uint64_t begin, std::uint64_t end) const {
  return begin >= codes_begin_ && begin <= end && end <= codes_end_;
}

// The bytes that codes put out; more than a block has where they end within an escape.
std::uint64_t StringBlock::output_of(std::uint64_t begin, std::uint64_t end) const {
  if (is_raw_) return end - begin;
  std::uint64_t bytes = 0;
  while (begin < end) {
    const std::uint8_t code = frame_[begin];
    bytes += code == format::escape_code ? 1 : symbols_[code].length;
    begin += code == format::escape_code ? 2 : 1;
  }
  return begin == end ? bytes : ~std::uint64_t{0};
}

void StringBlock::verify(const format::FrameView& frame, const LookupColumnView& column) const {
  std::vector<std::uint8_t> output(output_bytes_);
  reference::decode_block(format::parse_block(frame, number_), output, number_);
  cpu::tiles::check_checksum(output, frame.index.entries[number_].record, number_);
  const std::uint64_t output_end = output_begin_ + output_bytes_;
  std::uint64_t at = output_begin_;
  std::uint64_t codes = codes_begin_;
  for (std::uint64_t number = column.string_at(output_begin_); at < output_end; ++number) {
    const CodedString string = column.string(number);
    if (string.place.bytes == 0) continue;
    // What goes over an end of the block has the codes up to there.
    const bool starts_here = string.place.offset >= output_begin_;
    const std::uint64_t begin = starts_here ? std::max(string.codes_after, codes_begin_) : codes_begin_;
    const std::uint64_t bytes_end = string.place.offset + string.place.bytes;
    const std::uint64_t end = bytes_end <= output_end ? string.code_end : codes_end_;
    if (begin != codes || !holds_codes(begin, end)) refuse();
    const std::uint64_t to = std::min(bytes_end, output_end);
    if (output_of(begin, end) != to - at) refuse();
    at = to;
    codes = end;
  }
  if (codes != codes_end_) refuse();
}

// Throws unless the codes are in the block, and not more than the string can have.
StringBlock::Cursor StringBlock::start(const CodedString& string, std::uint8_t* output) const {
  const std::uint64_t begin = std::max(string.codes_after, codes_begin_);
  if (!holds_codes(begin, string.code_end) ||
      string.code_end - begin > most_codes_of_byte * string.place.bytes) {
    refuse();
  }
  return {.codes = frame_ + begin, .end = frame_ + string.code_end, .to = output, .is_wrong = 0};
}

// Writes the symbols of the eight codes in a word; the escape has none.
void StringBlock::put_symbols(Cursor& cursor, std::uint64_t codes) const {
  for (std::size_t i = 0; i < word_codes; ++i, codes >>= 8) {
    const Symbol& symbol = symbols_[codes & 0xff];
    store_word(cursor.to, symbol.bytes);
    cursor.to += symbol.length;
    cursor.is_wrong |= symbol.is_wrong;
  }
}

// Goes on until the codes end or `to` is past `limit`. Writes less than bytes_decoded_ahead bytes after it.
void StringBlock::decode_until(Cursor& cursor, const std::uint8_t* limit) const {
  while (cursor.codes < cursor.end && cursor.to <= limit) {
    const std::size_t count =
        std::min<std::size_t>(word_codes, static_cast<std::size_t>(cursor.end - cursor.codes));
    const std::uint64_t missing = bytes_from(count);
    const std::uint64_t codes = load_word(cursor.codes);
    // The lowest bit that is set is that of the first escape.
    const std::uint64_t others = ~codes | missing;
    const std::uint64_t escapes = (others - every_byte) & ~others & highest_bits;
    if (escapes == 0) {
      put_symbols(cursor, codes | missing);
      cursor.codes += count;
      continue;
    }
    const auto before = static_cast<std::size_t>(std::countr_zero(escapes)) / 8;
    if (before != 0) put_symbols(cursor, codes | bytes_from(before));
    cursor.codes += before + 2;
    if (cursor.codes > cursor.end) {
      cursor.is_wrong = 1;
      return;
    }
    *cursor.to++ = cursor.codes[-1];
  }
}

void StringBlock::decode_ahead(const CodedString& string, std::uint8_t* output) const {
  Cursor cursor = start(string, output);
  const std::uint64_t bytes = string.place.bytes;
  if (is_raw_) {
    if (static_cast<std::uint64_t>(cursor.end - cursor.codes) != bytes) refuse();
    std::memcpy(output, cursor.codes, bytes);
    return;
  }
  decode_until(cursor, output + bytes);
  if (cursor.is_wrong != 0 || cursor.codes != cursor.end || cursor.to != output + bytes) refuse();
}

void StringBlock::decode(const CodedString& string, std::span<std::uint8_t> output) const {
  Cursor cursor = start(string, output.data());
  if (is_raw_) {
    if (static_cast<std::uint64_t>(cursor.end - cursor.codes) != output.size()) refuse();
    std::memcpy(output.data(), cursor.codes, output.size());
    return;
  }
  if (output.size() > short_string_bytes) {
    decode_until(cursor, output.data() + output.size() - bytes_decoded_ahead);
    if (cursor.codes >= cursor.end) refuse();
  }
  std::array<std::uint8_t, short_string_bytes + bytes_decoded_ahead> memory;
  std::uint8_t* const rest = cursor.to;
  const std::size_t bytes = output.size() - static_cast<std::size_t>(rest - output.data());
  cursor.to = memory.data();
  decode_until(cursor, memory.data() + bytes);
  if (cursor.is_wrong != 0 || cursor.codes != cursor.end || cursor.to != memory.data() + bytes) refuse();
  std::memcpy(rest, memory.data(), bytes);
}

StringBlocks::StringBlocks(format::FrameView frame, const LookupColumnView& column, bool verifies)
    : frame_(std::move(frame)),
      column_(column),
      verifies_(verifies),
      blocks_(std::make_unique<std::atomic<const StringBlock*>[]>(frame_.index.entries.size())) {}

StringBlocks::~StringBlocks() {
  for (std::uint64_t number = 0; number < count(); ++number) {
    const std::unique_ptr<const StringBlock> owned(blocks_[number].load(std::memory_order_acquire));
  }
}

const StringBlock& StringBlocks::make(std::uint64_t number) const {
  auto made = std::make_unique<const StringBlock>(frame_, number);
  if (verifies_) made->verify(frame_, column_);
  const StringBlock* expected = nullptr;
  // Another thread may have been faster: its block is as good.
  if (blocks_[number].compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) {
    return *made.release();
  }
  return *expected;
}

}  // namespace gsst::library
