#include "cpu/tiles/frame_table.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "cpu/tiles/table_trainer.hpp"
#include "reference_cpu/sample.hpp"
#include "reference_cpu/tile_banks.hpp"
#include "reference_cpu/train.hpp"

namespace gsst::cpu::tiles {
namespace {

using Bytes = std::span<const std::uint8_t>;

// Bytes of codes that are counted of a block, and of each of its segments at least.
constexpr std::size_t counted_bytes = std::size_t{32} << 10;
constexpr std::size_t least_counted_bytes = 128;
// Of inputs with the same kind of text the use differs by less.
constexpr double most_distance = 0.1;

// What is looked at of an input to know how it uses a table: all codes of these bytes are counted.
constexpr std::size_t looked_at_bytes = std::size_t{64} << 10;
// Codes that show where a GPU's lanes would meet in the banks of shared memory.
constexpr std::size_t banked_codes = std::size_t{8} << 10;
// Rounds of a store that cost no time, as in reference_cpu/tile_plan.cpp.
constexpr double free_store_rounds = 5;

std::vector<std::uint8_t> look_at(Bytes input) {
  std::vector<std::uint8_t> bytes;
  for (const Bytes chunk :
       reference::draw_sample(input, looked_at_bytes, reference::default_training_seed + 1)) {
    bytes.insert(bytes.end(), chunk.begin(), chunk.end());
  }
  return bytes;
}

std::vector<std::uint8_t> code_lengths(const ParsedCodes& parsed, const format::TileTable& table) {
  std::vector<std::uint8_t> lengths;
  const std::size_t code_bytes = table.code_bits == 8 ? 1 : 2;
  for (std::size_t i = 0; i < parsed.segments() && lengths.size() < banked_codes; ++i) {
    const Bytes codes = parsed.segment(i);
    for (std::size_t at = 0; at < codes.size() && lengths.size() < banked_codes; at += code_bytes) {
      const std::uint32_t code = codes[at] | (code_bytes == 1 ? 0U : std::uint32_t{codes[at + 1]} << 8);
      lengths.push_back(static_cast<std::uint8_t>(table.length(code)));
    }
  }
  return lengths;
}

// The larger tiles are the faster ones, unless their stores cost time.
std::uint32_t choose_codes_per_lane(const std::vector<std::uint8_t>& lengths,
                                    const reference::TileRequest& request, reference::TileChoice& choice) {
  if (request.codes_per_lane != 0) return request.codes_per_lane;
  const std::uint32_t most = request.strip_codes / format::tile_lanes;
  if (most < format::max_codes_per_lane) return most;
  std::array<double, 3> rounds{};
  std::size_t best = 0;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    rounds[i] = reference::count_store_rounds(lengths, reference::tile_codes_per_lane[i]);
    if (rounds[best] > free_store_rounds && rounds[i] < rounds[best]) best = i;
  }
  choice.store_rounds = rounds;
  return reference::tile_codes_per_lane[best];
}

}  // namespace

CodeUse::CodeUse(const ParsedCodes& parsed, std::uint32_t code_bits, std::size_t most_bytes) {
  const std::size_t code_bytes = code_bits == 8 ? 1 : 2;
  for (std::size_t i = 0; i < parsed.segments(); ++i) {
    const Bytes codes = parsed.segment(i);
    const std::size_t end = std::min(codes.size(), most_bytes);
    for (std::size_t at = 0; at + code_bytes <= end; at += code_bytes) {
      // Some wide codes share a bin: neighbours, which are about as frequent, do not.
      const std::uint32_t code = codes[at] + (code_bytes == 1 ? 0U : 37U * codes[at + 1]);
      ++counts_[code % bins];
      ++total_;
    }
  }
}

double CodeUse::distance(const CodeUse& other) const {
  if (total_ == 0 || other.total_ == 0) return total_ == other.total_ ? 0 : 1;
  double sum = 0;
  for (std::size_t i = 0; i < bins; ++i) {
    sum += std::abs(static_cast<double>(counts_[i]) / static_cast<double>(total_) -
                    static_cast<double>(other.counts_[i]) / static_cast<double>(other.total_));
  }
  return sum / 2;
}

double CodeUse::chance() const {
  return total_ == 0 ? 1 : 0.4 * std::sqrt(static_cast<double>(bins) / static_cast<double>(total_));
}

FrameTable::FrameTable(Bytes start, const reference::TileRequest& request)
    : table_(train_table(start, request.code_bits == 0 ? 8 : request.code_bits)), encoder_(table_) {
  ParsedCodes parsed;
  const std::vector<std::uint8_t> bytes = look_at(start);
  if (!bytes.empty()) encoder_.parse(bytes, parsed);
  use_ = CodeUse(parsed, table_.code_bits, bytes.size() * 2);
  choice_.code_bits = table_.code_bits;
  choice_.strip_codes = request.strip_codes;
  choice_.parse = request.parse;
  choice_.codes_per_lane = choose_codes_per_lane(code_lengths(parsed, table_), request, choice_);
}

BlockShape FrameTable::shape() const {
  return {.codes_per_lane = choice_.codes_per_lane,
          .tiles_per_strip = choice_.strip_codes / (format::tile_lanes * choice_.codes_per_lane)};
}

bool FrameTable::suits(const ParsedCodes& parsed) const {
  const CodeUse use(parsed, table_.code_bits,
                    std::max(least_counted_bytes, counted_bytes / parsed.segments()));
  return use_.distance(use) <= most_distance + use.chance();
}

}  // namespace gsst::cpu::tiles
