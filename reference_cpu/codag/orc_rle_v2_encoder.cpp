#include <algorithm>
#include <bit>
#include <cstddef>
#include <optional>
#include <utility>

#include "common/format/codag/orc_rle_v2.hpp"
#include "reference_cpu/codag/bit_packing.hpp"
#include "reference_cpu/codag/integers.hpp"
#include "reference_cpu/codag/orc_rle_v2_block.hpp"

namespace gsst::reference::codag {
namespace {

using format::codag::fewest_repeats;
using format::codag::RunKind;
using Run = std::vector<std::uint8_t>;
using RunValues = std::span<const std::uint64_t>;

// How the values of a stream are coded.
struct StreamSettings {
  bool is_signed;
  Packing packing;

  std::uint64_t coded(std::uint64_t value) const {
    return is_signed ? format::codag::zigzag_encoded(value) : value;
  }
};

std::uint32_t bits_of(std::uint64_t number) {
  return static_cast<std::uint32_t>(std::bit_width(number));
}

// The code of the smallest width of at least `bits` bits that the encoder takes.
std::uint32_t width_code(std::uint32_t bits, Packing packing) {
  if (packing == Packing::aligned && bits > 2) bits = bits <= 4 ? 4 : (bits + 7) / 8 * 8;
  return format::codag::code_of_bits(bits);
}

// The first two bytes of a run that is no short repeat.
Run header_of(RunKind kind, std::uint32_t code, std::size_t values) {
  return {static_cast<std::uint8_t>(static_cast<std::uint32_t>(kind) << format::codag::run_kind_shift |
                                    code << 1 | (values - 1) >> 8),
          static_cast<std::uint8_t>(values - 1)};
}

void append_big_endian(Run& run, std::uint64_t number, std::uint32_t bytes) {
  while (bytes-- != 0) run.push_back(static_cast<std::uint8_t>(number >> 8 * bytes));
}

// 3 to 10 times the same value.
Run short_repeat(RunValues values, const StreamSettings& settings) {
  const std::uint64_t number = settings.coded(values[0]);
  const std::uint32_t bytes = std::max<std::uint32_t>((bits_of(number) + 7) / 8, 1);
  Run run = {static_cast<std::uint8_t>((bytes - 1) << 3 | (values.size() - fewest_repeats))};
  append_big_endian(run, number, bytes);
  return run;
}

Run direct(RunValues values, const StreamSettings& settings) {
  std::vector<std::uint64_t> numbers;
  std::uint64_t all_bits = 0;
  for (const std::uint64_t value : values) {
    numbers.push_back(settings.coded(value));
    all_bits |= numbers.back();
  }
  const std::uint32_t code = width_code(bits_of(all_bits), settings.packing);
  Run run = header_of(RunKind::direct, code, values.size());
  append_packed(run, numbers, format::codag::width_of_code(code));
  return run;
}

// Nothing where the values turn. Few values and those that start with equal ones are left to the other kinds,
// as ORC's writers leave them, whose streams these are to be like.
std::optional<Run> delta(RunValues values, const StreamSettings& settings) {
  if (values.size() <= fewest_repeats) return std::nullopt;
  const std::uint64_t first = values[1] - values[0];
  const bool falls = static_cast<std::int64_t>(first) < 0;
  std::vector<std::uint64_t> steps;
  std::uint64_t all_bits = 0;
  bool is_fixed = true;
  for (std::size_t i = 2; i < values.size(); ++i) {
    const std::uint64_t step = values[i] - values[i - 1];
    is_fixed = is_fixed && step == first;
    if (step != 0 && (static_cast<std::int64_t>(step) < 0) != falls) return std::nullopt;
    steps.push_back(falls ? std::uint64_t{0} - step : step);
    all_bits |= steps.back();
  }
  if (first == 0 && !is_fixed) return std::nullopt;
  const std::uint32_t code =
      is_fixed ? 0 : width_code(std::max<std::uint32_t>(bits_of(all_bits), 2), settings.packing);
  Run run = header_of(RunKind::delta, code, values.size());
  append_varint(run, settings.coded(values[0]));
  append_varint(run, format::codag::zigzag_encoded(first));
  if (code != 0) append_packed(run, steps, format::codag::width_of_code(code));
  return run;
}

// The entries of a patch list.
struct Patches {
  std::vector<std::uint64_t> gaps;
  std::vector<std::uint64_t> patches;

  void add(std::uint64_t gap, std::uint64_t patch) {
    gaps.push_back(gap);
    patches.push_back(patch);
  }
};

// What is above `width` bits. A gap that is too large for its bits goes over a place without a patch.
Patches patches_above(RunValues numbers, std::uint32_t width) {
  constexpr std::size_t largest_gap = (std::size_t{1} << format::codag::max_gap_width) - 1;
  Patches list;
  std::size_t before = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] >> width == 0) continue;
    for (; i - before > largest_gap; before += largest_gap) list.add(largest_gap, 0);
    list.add(i - before, numbers[i] >> width);
    before = i;
  }
  return list;
}

// The smallest width that all but a twentieth of the numbers fit in.
std::uint32_t width_of_most(RunValues numbers) {
  std::vector<std::uint32_t> bits;
  for (const std::uint64_t number : numbers) bits.push_back(bits_of(number));
  const std::size_t place = bits.size() - 1 - bits.size() / 20;
  std::nth_element(bits.begin(), bits.begin() + static_cast<std::ptrdiff_t>(place), bits.end());
  return format::codag::width_of_code(format::codag::code_of_bits(bits[place]));
}

// Nothing where no value is larger than most, or where the base is too large.
std::optional<Run> patched_base(RunValues values) {
  const auto base =
      std::ranges::min(values, {}, [](std::uint64_t value) { return static_cast<std::int64_t>(value); });
  const bool is_negative = static_cast<std::int64_t>(base) < 0;
  const std::uint64_t magnitude = is_negative ? std::uint64_t{0} - base : base;
  if (bits_of(magnitude) > 56) return std::nullopt;
  std::vector<std::uint64_t> numbers;
  for (const std::uint64_t value : values) numbers.push_back(value - base);
  const std::uint32_t most = bits_of(std::ranges::max(numbers));
  std::uint32_t width = width_of_most(numbers);
  if (most <= width) return std::nullopt;
  // A patch of 57 bits or more would have 64, and no bits were left for a gap.
  if (most - width > 56) width = 8;
  const Patches list = patches_above(numbers, width);
  const std::uint32_t patch_code = format::codag::code_of_bits(most - width);
  const std::uint32_t patch_width = format::codag::width_of_code(patch_code);
  const std::uint32_t gap_width = std::max<std::uint32_t>(bits_of(std::ranges::max(list.gaps)), 1);
  std::vector<std::uint64_t> entries;
  for (std::size_t i = 0; i < list.gaps.size(); ++i) {
    entries.push_back(list.gaps[i] << patch_width | list.patches[i]);
  }
  const std::uint32_t base_bytes = bits_of(magnitude) / 8 + 1;
  Run run = header_of(RunKind::patched_base, format::codag::code_of_bits(width), values.size());
  run.push_back(static_cast<std::uint8_t>((base_bytes - 1) << 5 | patch_code));
  run.push_back(static_cast<std::uint8_t>((gap_width - 1) << 5 | entries.size()));
  append_big_endian(run, magnitude | std::uint64_t{is_negative} << (8 * base_bytes - 1), base_bytes);
  append_packed(run, numbers, width);
  append_packed(run, entries,
                format::codag::width_of_code(format::codag::code_of_bits(gap_width + patch_width)));
  return run;
}

// The smallest run of these values; of equal ones the first.
Run smallest_run(RunValues values, const StreamSettings& settings) {
  Run smallest = direct(values, settings);
  for (std::optional<Run> other : {delta(values, settings), patched_base(values)}) {
    if (other && other->size() < smallest.size()) smallest = std::move(*other);
  }
  return smallest;
}

// How many values at the start of `values` are equal.
std::size_t equal_values(RunValues values) {
  const auto most = values.first(std::min<std::size_t>(values.size(), format::codag::longest_wide_run));
  const auto other = std::ranges::find_if(most, [&](std::uint64_t value) { return value != most[0]; });
  return static_cast<std::size_t>(other - most.begin());
}

}  // namespace

std::vector<std::uint8_t> encode_orc_rle_v2(std::span<const std::uint8_t> block, format::codag::Type type,
                                            Packing packing) {
  const format::codag::TypeShape& shape = format::codag::shape_of(type);
  const StreamSettings settings = {.is_signed = shape.is_signed, .packing = packing};
  std::vector<std::uint8_t> payload = {static_cast<std::uint8_t>(type)};
  const std::vector<std::uint64_t> loaded = load_values(block, type);
  for (RunValues values = loaded; !values.empty();) {
    std::size_t count = equal_values(values);
    Run run;
    if (count >= fewest_repeats) {
      run = count <= format::codag::most_repeats ? short_repeat(values.first(count), settings)
                                                 : delta(values.first(count), settings).value();
    } else {
      const std::size_t most = std::min<std::size_t>(values.size(), format::codag::longest_wide_run);
      while (count < most && equal_values(values.subspan(count)) < fewest_repeats) ++count;
      run = smallest_run(values.first(count), settings);
    }
    payload.insert(payload.end(), run.begin(), run.end());
    values = values.subspan(count);
  }
  const auto rest = block.last(block.size() % shape.value_bytes);
  payload.insert(payload.end(), rest.begin(), rest.end());
  return payload;
}

}  // namespace gsst::reference::codag
