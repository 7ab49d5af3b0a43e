#include "search/codes/code_reader.hpp"

#include <algorithm>
#include <string>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"
#include "reference_cpu/decoder.hpp"

namespace gsst::search::codes {
namespace {

// Bytes that are written at once for a symbol.
constexpr std::size_t symbol_room = 8;
// Enough for a piece, at the start.
constexpr std::size_t first_text_room = 320;

// Steps from code to code, over the borders of tiles.
class CodeCursor {
public:
  CodeCursor(const format::TilesHeader& block, const format::TileShape& shape, std::uint64_t code)
      : shape_(shape),
        tile_(block.tile(code / shape.codes())),
        in_tile_(static_cast<std::uint32_t>(code % shape.codes())) {}

  std::uint32_t code() const { return format::tile_code(tile_, shape_, in_tile_); }

  void forward() {
    if (++in_tile_ != shape_.codes()) return;
    in_tile_ = 0;
    tile_ += shape_.bytes();
  }

  void back() {
    if (in_tile_ == 0) {
      in_tile_ = shape_.codes();
      tile_ -= shape_.bytes();
    }
    --in_tile_;
  }

private:
  format::TileShape shape_;
  const std::uint8_t* tile_;
  std::uint32_t in_tile_;
};

}  // namespace

CodeReader::CodeReader(const format::TilesHeader& block, const cpu::tiles::CodeTable& table,
                       std::optional<std::uint64_t> block_number)
    : block_(block),
      table_(table),
      block_number_(block_number),
      shape_(block.shape()),
      strip_count_(block.strip_count()),
      strip_codes_(std::uint64_t{block.tiles_per_strip()} * shape_.codes()),
      code_count_(block.code_count()) {
  has_codes_without_output_ = std::ranges::count(table.class_lengths, 0) != 0;
  const bool has_pairs = table.kind == cpu::tiles::CodeKind::bits_12;
  for (std::size_t byte = 0; byte < output_of_byte_.size(); ++byte) {
    const unsigned of_low = has_pairs ? table.class_lengths[byte & 15] : 0;
    output_of_byte_[byte] = static_cast<std::uint8_t>(of_low + table.class_lengths[byte >> 4]);
  }
}

std::uint64_t CodeReader::strip_end(std::uint32_t strip) const {
  return std::min(strip_begin(strip) + strip_codes_, code_count_);
}

cpu::tiles::StripCodes CodeReader::codes_of(std::uint32_t strip) const {
  return {.first_tile = block_.tile(std::uint64_t{strip} * block_.tiles_per_strip()),
          .tile_codes = shape_.codes(),
          .tile_bytes = shape_.bytes(),
          .codes = static_cast<std::uint32_t>(strip_end(strip) - strip_begin(strip))};
}

std::uint64_t CodeReader::end_of_output(std::uint32_t strip) const {
  std::uint64_t end = strip_end(strip);
  while (end != strip_begin(strip) && table_.lengths[code(end - 1)] == 0) --end;
  return end;
}

std::uint64_t CodeReader::begin_of_halves(std::uint64_t code_index) const {
  return first_halves_before(code_index, strip_begin(strip_of(code_index - 1))).first_code;
}

CodeReader::FirstHalves CodeReader::first_halves_before(std::uint64_t code_index,
                                                        std::uint64_t strip_begin) const {
  FirstHalves halves{.value = 0, .first_code = code_index};
  while (halves.first_code != strip_begin) {
    const std::uint32_t before = code(halves.first_code - 1);
    if (table_.lengths[before] != 0) break;
    halves.value |= table_.symbols[before];
    --halves.first_code;
    if (code_index - halves.first_code > most_codes_without_output) refuse_codes_without_output(code_index);
  }
  return halves;
}

std::vector<std::uint8_t> CodeReader::text_before(std::uint64_t code_index, std::size_t most) const {
  if (code_index == 0) return {};
  std::vector<std::uint8_t> text(most);
  std::size_t free = most;
  std::uint32_t strip = strip_of(code_index - 1);
  std::uint64_t begin = strip_begin(strip);
  bool is_whole_strip = code_index == strip_end(strip);
  std::uint64_t strip_bytes = 0;
  code_index = first_halves_before(code_index, begin).first_code;
  CodeCursor cursor(block_, shape_, code_index);
  while (free != 0) {
    if (code_index == begin) {
      if (is_whole_strip) check_strip(strip, strip_bytes);
      if (strip == 0) break;
      --strip;
      begin = strip_begin(strip);
      is_whole_strip = true;
      strip_bytes = 0;
      // The strip's end drops these.
      code_index = first_halves_before(code_index, begin).first_code;
      cursor = CodeCursor(block_, shape_, code_index);
      continue;
    }
    --code_index;
    cursor.back();
    const std::uint32_t last = cursor.code();
    const std::size_t length = table_.lengths[last];
    std::uint64_t symbol = table_.symbols[last];
    if (has_codes_without_output_) {
      const FirstHalves halves = first_halves_before(code_index, begin);
      symbol |= halves.value;
      code_index = halves.first_code;
      cursor = CodeCursor(block_, shape_, code_index);
    }
    for (std::size_t byte = length; byte != 0 && free != 0; --byte) {
      text[--free] = static_cast<std::uint8_t>(symbol >> (8 * (byte - 1)));
    }
    strip_bytes += length;
  }
  text.erase(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(free));
  return text;
}

std::size_t CodeReader::append_text(std::uint64_t code_index, std::uint64_t end, std::size_t least,
                                    std::vector<std::uint8_t>& text) const {
  const std::size_t size_before = text.size();
  std::size_t bytes_before_end = 0;
  if (code_index == code_count_) return 0;
  std::uint32_t strip = strip_of(code_index);
  std::uint64_t begin_of_strip = strip_begin(strip);
  std::uint64_t end_of_strip = strip_end(strip);
  std::size_t strip_text = text.size();
  bool is_whole_strip = code_index == begin_of_strip;
  std::uint64_t waiting = first_halves_before(code_index, begin_of_strip).value;
  std::uint64_t without_output = 0;
  std::size_t size = size_before;
  CodeCursor cursor(block_, shape_, code_index);
  while (code_index < end || size - size_before < bytes_before_end + least) {
    const std::uint32_t now = cursor.code();
    const std::size_t length = table_.lengths[now];
    const std::uint64_t symbol = table_.symbols[now] | waiting;
    if (text.size() - size < symbol_room) text.resize(2 * size + first_text_room);
    format::store_little_endian<symbol_room>(text.data() + size, symbol);
    size += length;
    waiting = length == 0 ? symbol : 0;
    without_output = length == 0 ? without_output + 1 : 0;
    if (without_output > most_codes_without_output) refuse_codes_without_output(code_index);
    ++code_index;
    cursor.forward();
    if (code_index <= end) bytes_before_end = size - size_before;
    if (code_index != end_of_strip) continue;
    if (is_whole_strip) check_strip(strip, size - strip_text);
    if (code_index == code_count_) break;
    ++strip;
    begin_of_strip = end_of_strip;
    end_of_strip = strip_end(strip);
    strip_text = size;
    is_whole_strip = true;
    waiting = 0;
  }
  text.resize(size);
  return bytes_before_end;
}

std::uint64_t CodeReader::output_bytes(std::uint64_t begin, std::uint64_t end) const {
  std::uint64_t bytes = 0;
  while (begin != end) {
    const std::uint8_t* const tile = block_.tile(begin / shape_.codes());
    const auto first = static_cast<std::uint32_t>(begin % shape_.codes());
    const auto last =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(shape_.codes(), first + (end - begin)));
    bytes += output_bytes_of_tile(tile, first, last);
    begin += last - first;
  }
  return bytes;
}

std::uint64_t CodeReader::sum_over_codes(std::uint64_t begin, std::uint64_t end,
                                         std::span<const std::uint8_t> numbers) const {
  std::uint64_t sum = 0;
  while (begin != end) {
    const std::uint8_t* const tile = block_.tile(begin / shape_.codes());
    auto in_tile = static_cast<std::uint32_t>(begin % shape_.codes());
    const auto tile_end =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(shape_.codes(), in_tile + (end - begin)));
    begin += tile_end - in_tile;
    for (; in_tile != tile_end; ++in_tile) sum += numbers[format::tile_code(tile, shape_, in_tile)];
  }
  return sum;
}

void CodeReader::check_all_strips() const {
  for (std::uint32_t strip = 0; strip < strip_count_; ++strip) {
    check_strip(strip, output_bytes(strip_begin(strip), strip_end(strip)));
  }
}

// A class is in the highest four bits of a code: with 12 bits the classes of two codes are a byte.
std::uint64_t CodeReader::output_bytes_of_tile(const std::uint8_t* tile, std::uint32_t begin,
                                               std::uint32_t end) const {
  std::uint64_t bytes = 0;
  if (table_.kind != cpu::tiles::CodeKind::bits_12) {
    for (; begin != end; ++begin) bytes += output_of_byte_[tile[begin]];
    return bytes;
  }
  const std::uint8_t* const pairs = tile + shape_.codes();
  if (begin % 2 != 0 && begin != end) bytes += table_.class_lengths[pairs[begin++ / 2] >> 4];
  if (end % 2 != 0 && begin != end) bytes += table_.class_lengths[pairs[--end / 2] & 15];
  for (; begin != end; begin += 2) bytes += output_of_byte_[pairs[begin / 2]];
  return bytes;
}

void CodeReader::refuse_codes_without_output(std::uint64_t code_index) const {
  throw format::FormatError(block_number_, "codes of strip " + std::to_string(strip_of(code_index - 1)),
                            "are not searched: more than " + std::to_string(most_codes_without_output) +
                                " codes in a row put nothing out");
}

void CodeReader::check_strip(std::uint32_t strip, std::uint64_t decoded_bytes) const {
  const std::uint64_t strip_bytes = block_.strip_output(strip + 1) - block_.strip_output(strip);
  if (decoded_bytes == strip_bytes) return;
  throw format::FormatError(
      block_number_, "codes of strip " + std::to_string(strip),
      reference::describe(decoded_bytes > strip_bytes ? reference::DecodeProblem::output_too_long
                                                      : reference::DecodeProblem::output_too_short));
}

}  // namespace gsst::search::codes
