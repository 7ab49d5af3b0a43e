#include "experiments/measure_cpu/lengths_command.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "common/format/gsst/symbol_table.hpp"
#include "common/format/gsst/tiles_header.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/input_file.hpp"
#include "experiments/measure_cpu/long_symbols.hpp"
#include "reference_cpu/tile_codec.hpp"
#include "reference_cpu/train_tiles.hpp"

namespace gsst::experiments {
namespace {

constexpr std::uint32_t tile_code_bits = 12;
/// One in so many bytes of the training half.
constexpr std::size_t compared_part = 8;
/// A symbol that must save more than it takes is one that is not there by chance.
constexpr std::array<unsigned, 2> symbol_prices = {1, 2};

using ByteSpan = std::span<const std::uint8_t>;

struct Halves {
  ByteSpan training;
  ByteSpan evaluated;
};

void check_same(ByteSpan decoded, ByteSpan input, const std::string& what) {
  if (!std::ranges::equal(decoded, input))
    throw MismatchError(what + ": decoded bytes differ from the input");
}

Row row_of(const std::string& variant, unsigned longest, std::uint64_t table, std::uint64_t uncompressed,
           std::uint64_t compressed) {
  return {.stage = "reference_cpu/tiles",
          .variant = variant,
          .parameters = {{"longest_symbol", longest}, {"code_bits", tile_code_bits}, {"table_bytes", table}},
          .uncompressed_bytes = uncompressed,
          .compressed_bytes = compressed,
          .seconds = {}};
}

/// A table and how good it is.
struct Choice {
  LongSymbolTable table;
  double size;
};

/// The best of tables with symbols of up to `longest` bytes and of `shorter`. A small sample makes long
/// symbols look better than they are, so part of the training half is kept to compare on.
Choice train(ByteSpan input, unsigned longest, Choice shorter) {
  const ByteSpan compared = input.last(input.size() / compared_part);
  const ByteSpan trained_on = input.first(input.size() - compared.size());
  const double scale =
      static_cast<double>(input.size()) / static_cast<double>(std::max<std::size_t>(1, compared.size()));
  Choice best = std::move(shorter);
  for (const unsigned price : symbol_prices) {
    LongSymbolTable table = train_long_symbols(trained_on, longest, price);
    const auto codes = encode_long_symbols(table, compared).size();
    const double size =
        scale * static_cast<double>(codes) * tile_code_bits / 8 + static_cast<double>(bytes_of_table(table));
    if (size < best.size) best = {.table = std::move(table), .size = size};
  }
  return best;
}

Row measure_table(const LongSymbolTable& table, unsigned longest, ByteSpan input) {
  const std::vector<std::uint16_t> codes = encode_long_symbols(table, input);
  check_same(decode_long_symbols(table, codes), input,
             "symbols of up to " + std::to_string(longest) + " bytes");
  return row_of("study", longest, bytes_of_table(table), input.size(), stored_bytes(table, codes.size()));
}

Row measure_format_tiles(const Halves& halves, unsigned level) {
  const auto parse = reference::Parse::optimal;
  const format::TileTable table =
      reference::train_tile_table(halves.training, tile_code_bits, level, parse, /*threads=*/2);
  const std::vector<std::uint8_t> block =
      reference::encode_tiles(table, halves.evaluated, {.codes_per_lane = 32, .parse = parse});
  const format::TilesHeader header(block.data());
  std::vector<std::uint8_t> decoded(halves.evaluated.size());
  reference::decode_tiles(header, decoded, std::nullopt);
  check_same(decoded, halves.evaluated, "format tiles");
  return row_of("format tiles", format::max_symbol_length, block.size() - format::bytes_without_table(header),
                halves.evaluated.size(), block.size());
}

/// The input, and the best table for each of the lengths so far, which are asked for in ascending order. A
/// table is chosen among those for shorter symbols too, so none is left out.
class LengthsStudy {
public:
  explicit LengthsStudy(const LengthsOptions& options)
      : input_(read_input_file(options.input)), ascending_(options.longest) {
    if (input_.size() < 2) throw InputError(options.input.string() + " has one byte only, not two halves");
    std::sort(ascending_.begin(), ascending_.end());
  }

  Halves halves() const {
    const std::size_t half = input_.size() / 2;
    return {.training = ByteSpan(input_).first(half), .evaluated = ByteSpan(input_).subspan(half)};
  }
  const std::vector<unsigned>& ascending() const { return ascending_; }

  const LongSymbolTable& table_up_to(unsigned longest) {
    while (trained_ < ascending_.size() && ascending_[trained_] <= longest) {
      best_ = train(halves().training, ascending_[trained_++], std::move(best_));
    }
    return best_.table;
  }

private:
  std::vector<std::uint8_t> input_;
  std::vector<unsigned> ascending_;
  std::size_t trained_ = 0;
  Choice best_{.table = {}, .size = std::numeric_limits<double>::infinity()};
};

}  // namespace

std::vector<StudiedWork> lengths_works(const LengthsOptions& options, const Dataset& dataset) {
  const auto study = std::make_shared<LengthsStudy>(options);
  std::vector<StudiedWork> works = {
      {.key = {{"format", "tiles"}, {"level", options.level}}, .measure = [=, level = options.level] {
         return std::vector{row_to_json(measure_format_tiles(study->halves(), level), dataset)};
       }}};
  for (const unsigned longest : study->ascending()) {
    works.push_back({.key = {{"longest", longest}, {"of", study->ascending()}}, .measure = [=] {
                       const Row row =
                           measure_table(study->table_up_to(longest), longest, study->halves().evaluated);
                       return std::vector{row_to_json(row, dataset)};
                     }});
  }
  return works;
}

}  // namespace gsst::experiments
