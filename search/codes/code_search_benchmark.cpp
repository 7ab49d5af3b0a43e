// Search of DBText l_comment for one string on one thread: on the codes of format tiles, and by decoding and
// memmem().
#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/format/gsst/block.hpp"
#include "common/frame/frame.hpp"
#include "cpu/tiles/block_decoder.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "search/codes/block_lines.hpp"
#include "search/codes/block_search.hpp"
#include "search/codes/searched_tables.hpp"

namespace gsst::search::codes {
namespace {

using Bytes = std::vector<std::uint8_t>;

// From one that is nowhere to one that is in every third line.
constexpr std::array<std::string_view, 5> words = {"zzqx", "final warthogs", "Tiresias", "special requests",
                                                   "furiously"};

/// The column, or as much text that a generator makes where it is not there.
const Bytes& searched_text() {
  static const Bytes text = [] {
    const auto folder = reference::test::dbtext_folder();
    if (!folder) return reference::test::make_text(std::size_t{3} << 20, 1);
    return reference::test::read_file(*folder / "l_comment");
  }();
  return text;
}

/// The text's only block.
const Bytes& frame_of(std::uint32_t code_bits) {
  static std::map<std::uint32_t, Bytes> frames;
  Bytes& frame = frames[code_bits];
  if (frame.empty()) {
    frame = reference::compress(searched_text(), {.format = format::BlockFormat::tiles,
                                                  .block_bytes = std::uint64_t{4} << 20,
                                                  .code_bits = code_bits,
                                                  .level = 6});
  }
  return frame;
}

std::size_t count_in(std::span<const std::uint8_t> text, const Literal& literal) {
  std::size_t found = 0;
  for (auto match = literal.find(text, 0); match; match = literal.find(text, *match + 1)) ++found;
  return found;
}

struct SearchedBlock {
  explicit SearchedBlock(benchmark::State& state)
      : word(words[static_cast<std::size_t>(state.range(1))]),
        literal(std::span(reinterpret_cast<const std::uint8_t*>(word.data()), word.size())),
        frame(format::parse_frame(frame_of(static_cast<std::uint32_t>(state.range(0))))),
        view(format::parse_block(frame, 0)),
        header(view.header.data()),
        plan(literal, std::span(searched_text()).first(std::size_t{64} << 10)),
        table(SearchedTables(plan).table_of(header)) {}

  SearchedCodes codes() const {
    return {.block = header, .table = *table->codes, .shifts = *table->shifts, .block_number = 0};
  }

  void report(benchmark::State& state, std::size_t found) const {
    state.SetLabel(std::string(word));
    if (found != count_in(searched_text(), literal)) state.SkipWithError("another number of matches");
    state.counters["found"] = static_cast<double>(found);
    state.counters["throughput"] =
        benchmark::Counter(static_cast<double>(searched_text().size()),
                           benchmark::Counter::kIsIterationInvariantRate, benchmark::Counter::kIs1000);
  }

  std::string_view word;
  Literal literal;
  format::FrameView frame;
  format::BlockView view;
  format::TilesHeader header;
  LiteralPlan plan;
  std::shared_ptr<const SearchedTable> table;
};

void find_on_codes(benchmark::State& state) {
  const SearchedBlock block(state);
  std::size_t found = 0;
  for ([[maybe_unused]] auto iteration : state) {
    found = 0;
    find_in_block(block.plan, block.codes(), any_number_of_pieces, [&](std::uint64_t) { ++found; });
  }
  block.report(state, found);
}

void decode_and_find(benchmark::State& state) {
  const SearchedBlock block(state);
  Bytes text(searched_text().size());
  std::size_t found = 0;
  for ([[maybe_unused]] auto iteration : state) {
    cpu::tiles::decode_block(block.view, text, 0);
    found = count_in(text, block.literal);
  }
  block.report(state, found);
}

/// What `gsst grep` takes; with a third argument of 1 line ends are counted.
void find_lines_on_codes(benchmark::State& state) {
  const SearchedBlock block(state);
  std::optional<std::vector<TextPart>> parts;
  for ([[maybe_unused]] auto iteration : state) {
    parts = find_lines(block.plan, block.codes(), state.range(2) != 0);
    benchmark::DoNotOptimize(parts);
  }
  std::size_t found = 0;
  if (parts) {
    for (const TextPart& part : *parts) found += count_in(part.text, block.literal);
  }
  block.report(state, found);
}

/// The tables for one literal.
void build_tables(benchmark::State& state) {
  const SearchedBlock block(state);
  for ([[maybe_unused]] auto iteration : state) {
    benchmark::DoNotOptimize(SearchedTables(block.plan).table_of(block.header));
  }
  state.SetLabel(std::string(block.word));
}

BENCHMARK(find_on_codes)->ArgsProduct({{12, 10, 8}, {0, 1, 2, 3, 4}});
BENCHMARK(decode_and_find)->ArgsProduct({{12, 10, 8}, {0, 1, 2, 3, 4}});
BENCHMARK(find_lines_on_codes)->ArgsProduct({{12, 10, 8}, {0, 1, 2, 3}, {0, 1}});
BENCHMARK(build_tables)->ArgsProduct({{12, 10, 8}, {0, 3}});

}  // namespace
}  // namespace gsst::search::codes
