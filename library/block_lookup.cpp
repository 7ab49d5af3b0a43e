#include "library/block_lookup.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/gsst/shared_tables.hpp"
#include "common/format/gsst/tiles_header.hpp"
#include "reference_cpu/part_decoder.hpp"

namespace gsst::library {
namespace {

using Bytes = std::span<const std::uint8_t>;

// Bytes of output from one remembered code to the next.
constexpr std::uint32_t place_step = 64;
// A place is stored as a word: how far the code starts before the byte, 0 to 7, and its position. A later
// position is not remembered: no block that is worth its bytes has so many codes.
constexpr unsigned shift_bits = 3;
constexpr std::uint32_t max_position = (std::uint32_t{1} << (32 - shift_bits)) - 2;
constexpr std::size_t symbol_bytes = format::max_symbol_length;

// Where decoding starts.
struct Start {
  std::uint32_t position;
  std::uint32_t output;
};

// What a code puts out, with the halves or the escape before it.
struct Unit {
  std::uint64_t symbol;
  std::uint32_t length;
};

// A part with the positions of its codes.
struct PartCodes {
  PartPlace place;
  std::uint32_t first;
  std::uint32_t end;
};

// Blocks, splits and coalesced: codes of one byte. A position is the number of a code byte of the part.
class ByteCodes {
public:
  // `view` must outlive it.
  ByteCodes(const format::BlockView& view, Bytes /*table_block*/)
      : view_(view),
        is_interleaved_(view.format == format::BlockFormat::coalesced),
        part_bytes_(view.split(0).output_bytes) {}

  std::uint32_t part_count() const { return view_.split_count; }

  std::uint32_t part_of(std::uint32_t offset, std::optional<std::uint32_t> /*position*/) const {
    if (!is_interleaved_) return offset / part_bytes_;
    // The last part that starts here or before: empty ones before it may start at the same byte.
    std::uint32_t found = 0;
    std::uint32_t end = view_.split_count;
    while (end - found > 1) {
      const std::uint32_t middle = found + (end - found) / 2;
      (view_.split(middle).output_offset <= offset ? found : end) = middle;
    }
    return found;
  }

  PartCodes part(std::uint32_t number) const {
    const format::Split split = view_.split(number);
    return {.place = {.number = number,
                      .begin = split.output_offset,
                      .end = split.output_offset + split.output_bytes},
            .first = 0,
            .end = split.code_bytes};
  }

  void prefetch(std::uint32_t offset, std::uint32_t position) const {
    const format::Split split = view_.split(part_of(offset, position));
    const std::size_t stride = is_interleaved_ ? view_.split_count : 1;
    // The place may be of a part before, which can be longer.
    const std::size_t place = split.first_code + std::size_t{position} * stride;
    __builtin_prefetch(view_.codes.data() + std::min(place, view_.codes.size() - 1));
  }

  class Cursor {
  public:
    Cursor(const ByteCodes& codes, const PartCodes& part, std::uint32_t position)
        : table_(codes.view_.table), position_(position), end_(part.end) {
      const format::BlockView& view = codes.view_;
      const format::Split split = view.split(part.place.number);
      first_ = view.codes.data() + split.first_code;
      if (!codes.is_interleaved_) return;
      stride_ = view.split_count;
      is_escaped_ = split.starts_escaped && position == 0;
      const std::uint32_t next = part.place.number + 1;
      if (next == view.split_count || !view.split(next).starts_escaped) return;
      // The last code has to be the escape of the next part's first byte.
      is_wrong_ = end_ == 0 || byte_at(end_ - 1) != format::escape_code;
      end_ = is_wrong_ ? 0 : end_ - 1;
    }

    std::uint32_t position() const { return position_; }

    // Goes past the codes whose output, which starts at `output`, ends at `offset` or before. Returns where
    // that of the next code starts. The codes have been checked.
    std::uint32_t skip(std::uint32_t output, std::uint32_t offset) {
      while (position_ < end_) {
        const std::uint8_t code = byte_at(position_);
        const bool is_literal = is_escaped_ || code == format::escape_code;
        const std::uint32_t length = is_literal ? 1 : table_.lengths[code];
        if (output + length > offset) break;
        position_ += is_literal && !is_escaped_ ? 2 : 1;
        is_escaped_ = false;
        output += length;
      }
      return output;
    }

    // False at the end and at a code that has no meaning.
    bool next(Unit& unit) {
      if (position_ >= end_) return false;
      std::uint8_t code = byte_at(position_++);
      if (code != format::escape_code && !is_escaped_) {
        unit = {.symbol = table_.symbols[code], .length = table_.lengths[code]};
        return unit.length != 0 || fail();
      }
      if (!is_escaped_) {
        if (position_ == end_) return fail();
        code = byte_at(position_++);
      }
      is_escaped_ = false;
      unit = {.symbol = code, .length = 1};
      return true;
    }

    // Whether all codes have been read, and each had a meaning.
    bool is_complete() const { return !is_wrong_ && position_ == end_; }

  private:
    std::uint8_t byte_at(std::uint32_t position) const { return first_[std::size_t{position} * stride_]; }
    bool fail() {
      is_wrong_ = true;
      return false;
    }

    const format::SymbolTable& table_;
    const std::uint8_t* first_ = nullptr;
    std::size_t stride_ = 1;
    std::uint32_t position_;
    std::uint32_t end_;
    bool is_escaped_ = false;
    bool is_wrong_ = false;
  };

private:
  const format::BlockView& view_;
  bool is_interleaved_;
  // Of every part but the last, where parts are not interleaved.
  std::uint32_t part_bytes_;
};

// The byte at each place is its number; more follow so that a word can be read at the last.
constexpr auto literal_bytes = [] {
  std::array<std::uint8_t, 256 + symbol_bytes> bytes{};
  for (std::size_t i = 0; i < 256; ++i) bytes[i] = static_cast<std::uint8_t>(i);
  return bytes;
}();

// Format tiles, with codes of `code_bits` bits. A position is the number of a code of the block.
// NOLINTNEXTLINE(readability-identifier-naming)
template <std::uint32_t code_bits, bool has_halves>
class TileCodes {
public:
  TileCodes(const format::BlockView& view, Bytes table_block)
      : block_(view.header.data()),
        tile_codes_(block_.shape().codes()),
        tile_bytes_(block_.shape().bytes()),
        strip_codes_(block_.tiles_per_strip() * tile_codes_),
        strip_count_(block_.strip_count()),
        strip_outputs_(block_.strip_outputs()),
        output_bytes_(view.uncompressed_bytes),
        code_count_(block_.code_count()) {
    const format::TilesHeader table(table_block.data());
    const std::uint32_t first_stored = table.first_stored_code();
    for (std::uint32_t i = 0; i < format::length_class_count; ++i) {
      const std::uint32_t first = i * class_codes;
      lengths_[i] = static_cast<std::uint8_t>(table.class_length(i));
      if (first < first_stored) {
        // Halves: only the second ones put out a byte.
        symbols_[i] = literal_bytes.data() + (has_halves ? 0 : first);
      } else {
        symbols_[i] = table.stored_symbols() + table.stored_symbol_bytes(first);
      }
    }
  }

  std::uint32_t part_count() const { return strip_count_; }

  std::uint32_t part_of(std::uint32_t offset, std::optional<std::uint32_t> position) const {
    if (position) {
      std::uint32_t strip = *position / strip_codes_;
      while (offset >= strip_output(strip + 1)) ++strip;
      return strip;
    }
    // The last strip that starts here or before: empty ones before it may start at the same byte.
    std::uint32_t found = 0;
    std::uint32_t end = strip_count_;
    while (end - found > 1) {
      const std::uint32_t middle = found + (end - found) / 2;
      (strip_output(middle) <= offset ? found : end) = middle;
    }
    return found;
  }

  PartCodes part(std::uint32_t number) const {
    const std::uint64_t end = (std::uint64_t{number} + 1) * strip_codes_;
    return {.place = {.number = number, .begin = strip_output(number), .end = strip_output(number + 1)},
            .first = number * strip_codes_,
            .end = static_cast<std::uint32_t>(std::min<std::uint64_t>(end, code_count_))};
  }

  void prefetch(std::uint32_t /*offset*/, std::uint32_t position) const {
    const std::uint8_t* const tile = block_.tile(position / tile_codes_);
    const std::uint32_t in_tile = position % tile_codes_;
    __builtin_prefetch(tile + in_tile);
    if (code_bits != 8) __builtin_prefetch(tile + tile_codes_ + in_tile * (code_bits - 8) / 8);
  }

  class Cursor {
  public:
    Cursor(const TileCodes& codes, const PartCodes& part, std::uint32_t position)
        : codes_(codes),
          tile_(codes.block_.tile(position / codes.tile_codes_)),
          in_tile_(position % codes.tile_codes_),
          codes_per_lane_(codes.tile_codes_ / format::tile_lanes),
          position_(position),
          end_(part.end) {}

    std::uint32_t position() const { return position_; }

    // As that of ByteCodes.
    std::uint32_t skip(std::uint32_t output, std::uint32_t offset) {
      while (position_ < end_) {
        std::uint32_t codes = 1;
        std::uint32_t length = codes_.lengths_[class_at(0)];
        if (has_halves && length == 0) {
          // A half and what it is half of.
          while (length == 0 && position_ + codes < end_) length = codes_.lengths_[class_at(codes++)];
        }
        if (output + length > offset) break;
        output += length;
        for (; codes != 0; --codes) go_on();
      }
      return output;
    }

    bool next(Unit& unit) {
      std::uint64_t first_half = 0;
      while (position_ < end_) {
        const std::uint32_t code = next_code();
        const std::uint32_t number = code / class_codes;
        const std::uint32_t length = codes_.lengths_[number];
        const std::uint32_t in_class = code % class_codes;
        if (length != 0) {
          const std::uint64_t word =
              format::load_little_endian<8>(codes_.symbols_[number] + std::size_t{in_class} * length);
          const std::uint64_t symbol = word & (~std::uint64_t{0} >> (64 - 8 * length));
          unit = {.symbol = symbol | first_half, .length = length};
          return true;
        }
        if (has_halves && number == 0) first_half |= std::uint64_t{in_class} << 4;
      }
      return false;
    }

    bool is_complete() const { return position_ == end_; }

  private:
    std::uint32_t next_code() {
      const std::uint32_t code =
          format::tile_code(tile_, {.code_bits = code_bits, .codes_per_lane = codes_per_lane_}, in_tile_);
      go_on();
      return code;
    }

    void go_on() {
      ++position_;
      if (++in_tile_ == codes_.tile_codes_) {
        in_tile_ = 0;
        tile_ += codes_.tile_bytes_;
      }
    }

    // The class of the code that is `ahead` codes after the next one.
    std::uint32_t class_at(std::uint32_t ahead) const {
      const std::uint8_t* tile = tile_;
      std::uint32_t index = in_tile_ + ahead;
      for (; index >= codes_.tile_codes_; index -= codes_.tile_codes_) tile += codes_.tile_bytes_;
      // The highest four bits of a code, which 8 and 10 bits have in their first byte.
      if (code_bits != 12) return tile[index] >> 4U;
      return tile[codes_.tile_codes_ + index / 2] >> (4 * (index % 2)) & 0xfU;
    }

    const TileCodes& codes_;
    const std::uint8_t* tile_;
    std::uint32_t in_tile_;
    std::uint32_t codes_per_lane_;
    std::uint32_t position_;
    std::uint32_t end_;
  };

private:
  static constexpr std::uint32_t class_codes = (1U << code_bits) / format::length_class_count;

  std::uint32_t strip_output(std::uint32_t strip) const {
    if (strip == strip_count_) return output_bytes_;
    return static_cast<std::uint32_t>(format::load_little_endian<4>(strip_outputs_ + std::size_t{strip} * 4));
  }

  format::TilesHeader block_;
  std::uint32_t tile_codes_;
  std::uint32_t tile_bytes_;
  std::uint32_t strip_codes_;
  std::uint32_t strip_count_;
  const std::uint8_t* strip_outputs_;
  std::uint32_t output_bytes_;
  std::uint32_t code_count_;
  // By class. Symbols are in the frame, in which more than a word follows the last one.
  std::array<std::uint8_t, format::length_class_count> lengths_{};
  std::array<const std::uint8_t*, format::length_class_count> symbols_{};
};

class RawLookup final : public BlockLookup {
public:
  explicit RawLookup(const format::BlockView& view) : BlockLookup(view, {}) {}

  std::uint32_t part_count() const override { return 1; }
  PartPlace part(std::uint32_t /*number*/) const override { return part_of(0); }
  PartPlace part_of(std::uint32_t /*offset*/) const override {
    return {.number = 0, .begin = 0, .end = view().uncompressed_bytes};
  }
  void read(std::uint32_t offset, std::span<std::uint8_t> output) const override {
    std::memcpy(output.data(), view().codes.data() + offset, output.size());
  }
  void prefetch_place(std::uint32_t /*offset*/) const override {}
  void prefetch_codes(std::uint32_t offset) const override {
    __builtin_prefetch(view().codes.data() + offset);
  }
};

BlockLookup::Words make_words(std::size_t count) {
  // NOLINTNEXTLINE(cppcoreguidelines-no-malloc,cppcoreguidelines-owning-memory)
  auto* const words = static_cast<std::uint32_t*>(std::calloc(count, sizeof(std::uint32_t)));
  if (words == nullptr) throw std::bad_alloc();
  return BlockLookup::Words(words);
}

template <typename Codes>
class CodesLookup final : public BlockLookup {
public:
  CodesLookup(const format::BlockView& parsed, Bytes table_block, std::size_t block_number)
      : BlockLookup(parsed, table_block),
        block_number_(block_number),
        codes_(view(), table_block),
        places_(make_words(parsed.uncompressed_bytes / place_step + 1)),
        scanned_(std::make_unique<std::atomic<bool>[]>(codes_.part_count())) {}

  std::uint32_t part_count() const override { return codes_.part_count(); }

  PartPlace part(std::uint32_t number) const override { return codes_.part(number).place; }

  PartPlace part_of(std::uint32_t offset) const override {
    const std::optional<Start> start = place_before(offset);
    return codes_.part(codes_.part_of(offset, position_of(start))).place;
  }

  void read(std::uint32_t offset, std::span<std::uint8_t> output) const override {
    while (!output.empty()) {
      std::optional<Start> start = place_before(offset);
      const PartCodes part = codes_.part(codes_.part_of(offset, position_of(start)));
      if (!scanned_[part.place.number].load(std::memory_order_acquire)) {
        scan(part);
        start = place_before(offset);
      }
      // Else the place is of a part before.
      const bool is_in_part = start && offset / place_step * place_step >= part.place.begin;
      const Start from = is_in_part ? *start : Start{.position = part.first, .output = part.place.begin};
      const std::size_t bytes = std::min<std::size_t>(output.size(), part.place.end - offset);
      copy(part, from, offset, output.first(bytes));
      offset += static_cast<std::uint32_t>(bytes);
      output = output.subspan(bytes);
    }
  }

  void prefetch_place(std::uint32_t offset) const override {
    __builtin_prefetch(&places_[offset / place_step]);
  }

  void prefetch_codes(std::uint32_t offset) const override {
    const std::optional<Start> start = place_before(offset);
    if (start) codes_.prefetch(offset, start->position);
  }

private:
  static std::optional<std::uint32_t> position_of(const std::optional<Start>& start) {
    if (!start) return std::nullopt;
    return start->position;
  }

  // The remembered code that puts out the last 64th byte at `offset` or before.
  std::optional<Start> place_before(std::uint32_t offset) const {
    const std::uint32_t number = offset / place_step;
    const std::uint32_t word = std::atomic_ref(places_[number]).load(std::memory_order_relaxed);
    if (word == 0) return std::nullopt;
    return Start{.position = (word - 1) >> shift_bits,
                 .output = number * place_step - ((word - 1) & ((1U << shift_bits) - 1))};
  }

  void remember(std::uint32_t number, const Start& start) const {
    if (start.position > max_position) return;
    const std::uint32_t before = number * place_step - start.output;
    std::atomic_ref(places_[number])
        .store((start.position << shift_bits | before) + 1, std::memory_order_relaxed);
  }

  // Checks all codes of `part` and remembers its places. What several threads store is equal.
  void scan(const PartCodes& part) const {
    typename Codes::Cursor cursor(codes_, part, part.first);
    std::uint64_t output = part.place.begin;
    std::uint32_t number = (part.place.begin + place_step - 1) / place_step;
    Unit unit{};
    for (;;) {
      const std::uint32_t position = cursor.position();
      if (!cursor.next(unit)) break;
      const std::uint64_t end = output + unit.length;
      if (end > part.place.end) refuse(part);
      if (end > std::uint64_t{number} * place_step) {
        remember(number, {.position = position, .output = static_cast<std::uint32_t>(output)});
        ++number;
      }
      output = end;
    }
    if (!cursor.is_complete() || output != part.place.end) refuse(part);
    scanned_[part.place.number].store(true, std::memory_order_release);
  }

  // Throws what decoding the part throws.
  [[noreturn, gnu::noinline]] void refuse(const PartCodes& part) const {
    std::vector<std::uint8_t> output(part.place.end - part.place.begin);
    reference::PartDecoder(view(), block_number_, table_block()).decode(part.place.number, output);
    throw std::logic_error("codes were refused that can be decoded");
  }

  // Puts the bytes from `offset` on, which `part` has, into `output`.
  void copy(const PartCodes& part, const Start& start, std::uint32_t offset,
            std::span<std::uint8_t> output) const {
    typename Codes::Cursor cursor(codes_, part, start.position);
    // Of the first code's output, what comes before `offset`.
    std::uint32_t unwanted = offset - cursor.skip(start.output, offset);
    std::uint8_t* to = output.data();
    std::size_t room = output.size();
    while (room >= symbol_bytes) {
      const Unit unit = next_of(cursor);
      format::store_little_endian<8>(to, unit.symbol >> (8 * unwanted));
      to += unit.length - unwanted;
      room -= unit.length - unwanted;
      unwanted = 0;
    }
    // The last bytes, fewer than a word.
    std::uint64_t word = 0;
    for (std::size_t filled = 0; filled < room;) {
      const Unit unit = next_of(cursor);
      word |= unit.symbol >> (8 * unwanted) << (8 * filled);
      filled += unit.length - unwanted;
      unwanted = 0;
    }
    for (const std::size_t bytes : {4, 2, 1}) {
      if ((room & bytes) == 0) continue;
      for (std::size_t byte = 0; byte < bytes; ++byte)
        to[byte] = static_cast<std::uint8_t>(word >> (8 * byte));
      to += bytes;
      word >>= 8 * bytes;
    }
  }

  static Unit next_of(typename Codes::Cursor& cursor) {
    Unit unit{};
    if (!cursor.next(unit)) throw std::logic_error("a part that was checked has fewer bytes");
    return unit;
  }

  std::size_t block_number_;
  Codes codes_;
  Words places_;
  std::unique_ptr<std::atomic<bool>[]> scanned_;
};

template <typename Codes>
std::unique_ptr<const BlockLookup> make_lookup(const format::BlockView& view, Bytes table_block,
                                               std::size_t block) {
  return std::make_unique<const CodesLookup<Codes>>(view, table_block, block);
}

}  // namespace

std::unique_ptr<const BlockLookup> make_block_lookup(const format::FrameView& frame, std::size_t block) {
  const format::BlockView view = format::parse_block(frame, block);
  if (view.layout == format::BlockLayout::raw) return std::make_unique<const RawLookup>(view);
  if (view.format != format::BlockFormat::tiles) return make_lookup<ByteCodes>(view, {}, block);
  const Bytes table_block = format::find_table(frame, block);
  const format::TilesHeader header(view.header.data());
  switch (header.shape().code_bits) {
    case 12:
      return make_lookup<TileCodes<12, false>>(view, table_block, block);
    case 10:
      return make_lookup<TileCodes<10, false>>(view, table_block, block);
    default:
      return header.escape_free() != 0 ? make_lookup<TileCodes<8, false>>(view, table_block, block)
                                       : make_lookup<TileCodes<8, true>>(view, table_block, block);
  }
}

BlockLookups::BlockLookups(std::size_t block_count)
    : block_count_(block_count), lookups_(std::make_unique<std::atomic<const BlockLookup*>[]>(block_count)) {}

BlockLookups::~BlockLookups() {
  if (!lookups_) return;
  for (std::size_t block = 0; block < block_count_; ++block) {
    const std::unique_ptr<const BlockLookup> owned(lookups_[block].load(std::memory_order_acquire));
  }
}

const BlockLookup& BlockLookups::make(const format::FrameView& frame, std::size_t block) const {
  std::unique_ptr<const BlockLookup> made = make_block_lookup(frame, block);
  const BlockLookup* expected = nullptr;
  // Another thread may have been faster: its lookup is as good.
  if (lookups_[block].compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) {
    return *made.release();
  }
  return *expected;
}

}  // namespace gsst::library
