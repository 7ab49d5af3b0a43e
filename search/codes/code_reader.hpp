#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/format/gsst/tiles_header.hpp"
#include "cpu/tiles/code_table.hpp"
#include "cpu/tiles/strip_decoders.hpp"

namespace gsst::search::codes {

/// Most codes in a row that put nothing out and that a CodeReader reads over; a writer puts one. With any
/// number of them a block could be made that takes hours.
inline constexpr std::uint64_t most_codes_without_output = 64;

/// Reads the text around single codes of a block. Codes are numbered through the block. What reads text
/// throws format::FormatError where more than most_codes_without_output codes in a row are without output,
/// and for a strip that it goes all through and that decodes to more or fewer bytes than it has.
class CodeReader {
public:
  /// `block` is one that format::check_tiles_block() has accepted, `table` the one that it uses. Both have to
  /// outlive the reader. Errors name `block_number`.
  CodeReader(const format::TilesHeader& block, const cpu::tiles::CodeTable& table,
             std::optional<std::uint64_t> block_number);

  std::uint32_t strip_count() const { return strip_count_; }
  /// Codes of each strip but the last, which may have fewer.
  std::uint64_t strip_codes() const { return strip_codes_; }
  std::uint64_t code_count() const { return code_count_; }
  std::uint64_t strip_begin(std::uint32_t strip) const { return strip * strip_codes_; }
  std::uint64_t strip_end(std::uint32_t strip) const;
  std::uint32_t strip_of(std::uint64_t code) const { return static_cast<std::uint32_t>(code / strip_codes_); }
  cpu::tiles::StripCodes codes_of(std::uint32_t strip) const;

  std::uint32_t code(std::uint64_t index) const {
    return format::tile_code(block_.tile(index / shape_.codes()), shape_,
                             static_cast<std::uint32_t>(index % shape_.codes()));
  }
  bool has_halves() const { return table_.kind == cpu::tiles::CodeKind::bits_8_with_halves; }
  /// Behind the last code of strip `strip` that puts something out: what follows are first halves of bytes,
  /// which the strip's end drops. Its begin if there is no such code.
  std::uint64_t end_of_output(std::uint32_t strip) const;
  /// Behind the last code before `code`, which is not 0, that puts something out or is of an earlier strip.
  std::uint64_t begin_of_halves(std::uint64_t code) const;

  /// The last bytes of the text before code `code`, at most code_count(): `most` of them, or all that there
  /// are.
  std::vector<std::uint8_t> text_before(std::uint64_t code, std::size_t most) const;

  /// Appends the output of the codes from `code` on to `text`: of all before `end`, and of as many more as it
  /// takes to append `least` more bytes, or of all that there are. Returns how many bytes the codes before
  /// `end` put out.
  std::size_t append_text(std::uint64_t code, std::uint64_t end, std::size_t least,
                          std::vector<std::uint8_t>& text) const;

  /// Bytes that the codes from `begin` to before `end` of one strip put out.
  std::uint64_t output_bytes(std::uint64_t begin, std::uint64_t end) const;
  /// The sum of `numbers`, which has one for each code, over the codes from `begin` to before `end`.
  std::uint64_t sum_over_codes(std::uint64_t begin, std::uint64_t end,
                               std::span<const std::uint8_t> numbers) const;
  /// Throws format::FormatError if the strip does not decode to as many bytes as it has.
  void check_strip(std::uint32_t strip, std::uint64_t decoded_bytes) const;
  /// The same for all strips.
  void check_all_strips() const;
  /// Where the strip's output starts in that of the block.
  std::uint32_t strip_output(std::uint32_t strip) const { return block_.strip_output(strip); }

private:
  // The value that waits for the output of code `code`, and the first of the codes of its strip that it is
  // of.
  struct FirstHalves {
    std::uint64_t value;
    std::uint64_t first_code;
  };
  FirstHalves first_halves_before(std::uint64_t code, std::uint64_t strip_begin) const;
  std::uint64_t output_bytes_of_tile(const std::uint8_t* tile, std::uint32_t begin, std::uint32_t end) const;
  [[noreturn]] void refuse_codes_without_output(std::uint64_t code) const;

  format::TilesHeader block_;
  const cpu::tiles::CodeTable& table_;
  std::optional<std::uint64_t> block_number_;
  format::TileShape shape_;
  std::uint32_t strip_count_;
  std::uint64_t strip_codes_;
  std::uint64_t code_count_;
  bool has_codes_without_output_ = false;
  // By a stored byte: what the codes put out whose classes it has, one or with 12 bits two.
  std::array<std::uint8_t, 256> output_of_byte_{};
};

}  // namespace gsst::search::codes
