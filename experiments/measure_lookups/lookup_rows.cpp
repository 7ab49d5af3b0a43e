#include "experiments/measure_lookups/lookup_rows.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/input_file.hpp"
#include "experiments/measure/shared/statistics.hpp"
#include "gsst/lookup.hpp"
#include "reference_cpu/fast_decoder.hpp"
#include "reference_cpu/level.hpp"
#include "reference_cpu/table_encoder.hpp"
#include "reference_cpu/train.hpp"

namespace gsst::experiments {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t batch_strings = 100'000;
constexpr std::size_t most_looked_up = 500'000;
constexpr std::uint64_t seed_of_order = 1;

struct NamedFormat {
  const char* name;
  Format format;
  ColumnLayout layout = ColumnLayout::dense;
};
// All that the strings of a column may have. In the layout for lookups the two formats that it has have the
// same codes.
constexpr std::array<NamedFormat, 5> formats_of_columns = {
    {{"blocks", Format::blocks},
     {"splits", Format::splits},
     {"coalesced", Format::coalesced},
     {"tiles", Format::tiles},
     {"lookup", Format::splits, ColumnLayout::lookup}}};

// The lines of a text, as an array of Arrow's.
struct Lines {
  Bytes text;
  std::vector<std::int64_t> offsets = {0};

  std::size_t count() const { return offsets.size() - 1; }
  std::span<const std::uint8_t> line(std::uint64_t number) const {
    const auto begin = static_cast<std::size_t>(offsets[number]);
    return std::span(text).subspan(begin, static_cast<std::size_t>(offsets[number + 1]) - begin);
  }
  std::size_t longest() const {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < count(); ++i) bytes = std::max(bytes, line(i).size());
    return bytes;
  }
};

Lines read_lines(const std::filesystem::path& path) {
  const Bytes file = read_input_file(path);
  Lines lines;
  lines.text.reserve(file.size());
  for (auto begin = file.begin();;) {
    const auto end = std::find(begin, file.end(), '\n');
    if (end == file.end()) break;
    lines.text.insert(lines.text.end(), begin, end);
    lines.offsets.push_back(static_cast<std::int64_t>(lines.text.size()));
    begin = end + 1;
  }
  if (lines.count() == 0) throw InputError(path.string() + ": there is no line");
  return lines;
}

// The lines that are looked up, in random order, none twice: with what is remembered of them, those of a long
// text are more than a cache holds.
std::vector<std::uint64_t> chosen_lines(const Lines& lines) {
  std::vector<std::uint64_t> numbers(lines.count());
  std::iota(numbers.begin(), numbers.end(), 0);
  std::ranges::shuffle(numbers, std::mt19937_64(seed_of_order));
  numbers.resize(std::min(numbers.size(), most_looked_up));
  return numbers;
}

// Of the processor, that this thread takes: who else runs there does not count.
double thread_seconds() {
  timespec time{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0) {
    throw std::system_error(errno, std::generic_category(), "clock_gettime");
  }
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double seconds_of(const std::function<void()>& work) {
  const double start = thread_seconds();
  work();
  return thread_seconds() - start;
}

template <typename Value>
Value value_of(Result<Value> result) {
  if (!result) throw std::runtime_error(result.failure().message);
  return std::move(result).value();
}

void require(bool holds, const std::string& what) {
  if (!holds) throw MismatchError(what + ": a string differs");
}

std::vector<std::byte> make_column(const Lines& lines, const NamedFormat& named,
                                   const LookupOptions& options) {
  std::array<const void*, 3> buffers = {nullptr, lines.offsets.data(), lines.text.data()};
  ArrowSchema schema{};
  schema.format = "Z";
  schema.release = [](ArrowSchema* released) { released->release = nullptr; };
  ArrowArray array{};
  array.length = static_cast<std::int64_t>(lines.count());
  array.n_buffers = buffers.size();
  array.buffers = buffers.data();
  array.release = [](ArrowArray* released) { released->release = nullptr; };
  return value_of(compress_column(
      schema, array, {.format = named.format, .block_bytes = options.block_bytes, .level = options.level},
      {.layout = named.layout}));
}

// What is done to the chosen strings: `visit` does it, and says whether the strings were right if it is told
// to.
struct Way {
  std::string variant;
  std::function<bool(bool compares)> visit;
};

// One lookup after another.
bool look_up_each(const ColumnLookup& lookup, const Lines& lines, std::span<const std::uint64_t> order,
                  std::span<std::byte> output, bool compares) {
  for (const std::uint64_t number : order) {
    const auto string = lookup.string(number, output);
    if (!string) return false;
    if (!compares) continue;
    const auto line = lines.line(number);
    if (string.value()->size() != line.size() || std::memcmp(output.data(), line.data(), line.size()) != 0) {
      return false;
    }
  }
  return true;
}

bool take_batches(const ColumnPlan& plan, const Lines& lines, std::span<const std::uint64_t> order,
                  bool compares) {
  for (; !order.empty(); order = order.subspan(std::min(batch_strings, order.size()))) {
    const auto batch = order.first(std::min(batch_strings, order.size()));
    auto taken = plan.take(batch);
    if (!taken) return false;
    if (!compares) continue;
    const auto* const offsets = static_cast<const std::int64_t*>(taken.value().array().buffers[1]);
    const auto* const bytes = static_cast<const std::uint8_t*>(taken.value().array().buffers[2]);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const std::span<const std::uint8_t> string(bytes + offsets[i], bytes + offsets[i + 1]);
      if (!std::ranges::equal(string, lines.line(batch[i]))) return false;
    }
  }
  return true;
}

bool find_ranges(const ColumnPlan& plan, const Lines& lines, std::span<const std::uint64_t> order,
                 bool compares) {
  for (; !order.empty(); order = order.subspan(std::min(batch_strings, order.size()))) {
    const auto batch = order.first(std::min(batch_strings, order.size()));
    const auto found = plan.ranges(batch);
    if (!found) return false;
    for (std::size_t i = 0; compares && i < batch.size(); ++i) {
      const Range& range = found.value().ranges[i];
      const auto begin = static_cast<std::uint64_t>(lines.offsets[batch[i]]);
      if (range.offset != begin || range.bytes != lines.line(batch[i]).size()) return false;
    }
  }
  return true;
}

// Of the first line that starts in each block.
double first_microseconds(const Lines& lines, std::span<const std::byte> column, const LookupOptions& options,
                          bool skips_checksums) {
  const ColumnLookup lookup = value_of(ColumnLookup::create(column, {.skip_checksums = skips_checksums}));
  std::vector<std::byte> output(lines.longest());
  std::vector<double> seconds;
  for (std::uint64_t block = 0; block * options.block_bytes < lines.text.size(); ++block) {
    const auto at = static_cast<std::int64_t>(block * options.block_bytes);
    const auto next = std::ranges::lower_bound(lines.offsets, at);
    const auto number = static_cast<std::uint64_t>(next - lines.offsets.begin());
    if (number >= lines.count()) break;
    seconds.push_back(
        seconds_of([&] { require(bool(lookup.string(number, output)), "the first string of a block"); }));
  }
  return summarize(seconds).median * 1e6;
}

SecondsSummary time_way(const Way& way, std::size_t repetitions) {
  require(way.visit(true), way.variant);
  std::vector<double> seconds;
  for (std::size_t i = 0; i < repetitions; ++i) {
    seconds.push_back(seconds_of([&] { require(way.visit(false), way.variant); }));
  }
  require(way.visit(true), way.variant);
  return summarize(seconds);
}

// The throughput is of the bytes of the strings in `order`, to which the seconds belong.
nlohmann::ordered_json row_of(const Row& row, const Lines& lines, std::span<const std::uint64_t> order,
                              const std::string& format, const Dataset& dataset) {
  std::size_t bytes = 0;
  for (const std::uint64_t number : order) bytes += lines.line(number).size();
  nlohmann::ordered_json json = row_to_json(row, dataset);
  json["throughput_gb_per_s"] = gigabytes_per_second(bytes, row.seconds->median);
  json["format"] = format;
  json["strings"] = lines.count();
  json["looked_up_strings"] = order.size();
  json["microseconds_each"] = row.seconds->median / static_cast<double>(order.size()) * 1e6;
  return json;
}

std::vector<nlohmann::ordered_json> rows_of_format(const Lines& lines, const NamedFormat& named,
                                                   const LookupOptions& options, const Dataset& dataset) {
  const std::vector<std::byte> column = make_column(lines, named, options);
  const std::vector<std::uint64_t> order = chosen_lines(lines);
  std::vector<std::byte> output(lines.longest());
  const ColumnLookup lookup = value_of(ColumnLookup::create(column));
  const ColumnPlan plan = value_of(ColumnPlan::create(column));
  const std::array<Way, 3> ways = {
      {{"one string", [&](bool compares) { return look_up_each(lookup, lines, order, output, compares); }},
       {"batches", [&](bool compares) { return take_batches(plan, lines, order, compares); }},
       {"ranges", [&](bool compares) { return find_ranges(plan, lines, order, compares); }}}};
  std::vector<nlohmann::ordered_json> rows;
  for (const Way& way : ways) {
    // NOLINTNEXTLINE(performance-inefficient-vector-operation): rows are few, and a row takes seconds.
    rows.push_back(row_of({.stage = "library/column_lookup",
                           .variant = way.variant,
                           .parameters = {{"block_bytes", options.block_bytes},
                                          {"level", options.level},
                                          {"threads", 1},
                                          {"checksum", "xxh64"}},
                           .uncompressed_bytes = lines.text.size(),
                           .compressed_bytes = column.size(),
                           .seconds = time_way(way, options.repetitions)},
                          lines, order, named.name, dataset));
  }
  rows.front()["first_microseconds"] = first_microseconds(lines, column, options, false);
  rows.front()["first_microseconds_unchecked"] = first_microseconds(lines, column, options, true);
  return rows;
}

// Strings that FSST's encoder encodes each by itself.
std::vector<nlohmann::ordered_json> rows_of_fsst(const Lines& lines, const LookupOptions& options,
                                                 const Dataset& dataset) {
  const format::SymbolTable table = reference::train_symbol_table(lines.text);
  const reference::TableEncoder encoder(table, reference::level_parse(reference::default_level));
  Bytes codes;
  std::vector<std::uint32_t> offsets = {0};
  for (std::size_t i = 0; i < lines.count(); ++i) {
    const auto line = lines.line(i);
    codes.resize(offsets.back() + reference::Encoder::max_encoded_bytes(line.size()));
    const std::size_t bytes = encoder.encode(line, std::span(codes).subspan(offsets.back()));
    offsets.push_back(static_cast<std::uint32_t>(offsets.back() + bytes));
  }
  codes.resize(offsets.back());
  const std::vector<std::uint64_t> order = chosen_lines(lines);
  Bytes output(lines.longest());
  const Way way = {
      "each string by itself", [&](bool compares) {
        for (const std::uint64_t number : order) {
          const auto line = lines.line(number);
          const auto of_string = std::span<const std::uint8_t>(codes).subspan(
              offsets[number], offsets[number + 1] - offsets[number]);
          const auto to = std::span(output).first(line.size());
          if (reference::decode_fast_portable(table, of_string, to) != reference::DecodeProblem::none) {
            return false;
          }
          if (compares && !std::ranges::equal(to, line)) return false;
        }
        return true;
      }};
  return {row_of({.stage = "reference_cpu/fast",
                  .variant = way.variant,
                  .parameters = {{"threads", 1}, {"checksum", "none"}},
                  .uncompressed_bytes = lines.text.size(),
                  .compressed_bytes = codes.size() + format::stored_symbol_table_bytes(table) +
                                      offsets.size() * sizeof(std::uint32_t),
                  .seconds = time_way(way, options.repetitions)},
                 lines, order, "FSST's codes", dataset)};
}

}  // namespace

std::vector<StudiedWork> lookup_works(const LookupOptions& options, const Dataset& dataset) {
  const auto lines = std::make_shared<const Lines>(read_lines(options.input));
  std::vector<StudiedWork> works;
  for (const NamedFormat& named : formats_of_columns) {
    // NOLINTNEXTLINE(performance-inefficient-vector-operation): works are few.
    works.push_back({.key = {{"format", named.name}},
                     .measure = [=] { return rows_of_format(*lines, named, options, dataset); }});
  }
  works.push_back(
      {.key = {{"format", "fsst"}}, .measure = [=] { return rows_of_fsst(*lines, options, dataset); }});
  return works;
}

}  // namespace gsst::experiments
