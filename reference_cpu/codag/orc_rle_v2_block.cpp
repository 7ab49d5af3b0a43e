#include "reference_cpu/codag/orc_rle_v2_block.hpp"

#include <cstddef>

#include "common/format/codag/orc_rle_v2.hpp"
#include "reference_cpu/codag/bit_packing.hpp"
#include "reference_cpu/codag/integers.hpp"
#include "reference_cpu/codag/run_reader.hpp"

namespace gsst::reference::codag {
namespace {

using format::codag::Problem;
using format::codag::RunKind;

// Reads the runs of a stream and appends what they hold.
class WideRuns {
public:
  WideRuns(RunReader& reader, ValueWriter& output, bool is_signed)
      : reader_(reader), output_(output), is_signed_(is_signed) {}

  void decode_next() {
    reader_.start_run();
    const std::uint32_t first = reader_.byte();
    switch (static_cast<RunKind>(first >> format::codag::run_kind_shift)) {
      case RunKind::short_repeat:
        short_repeat(first);
        break;
      case RunKind::direct:
        direct(first);
        break;
      case RunKind::patched_base:
        patched_base(first);
        break;
      case RunKind::delta:
        delta(first);
        break;
    }
  }

private:
  std::uint64_t decoded(std::uint64_t stored) const {
    return is_signed_ ? format::codag::zigzag_decoded(stored) : stored;
  }

  static std::uint32_t code_in(std::uint32_t first) { return first >> 1 & 31; }

  std::uint32_t length_after(std::uint32_t first) { return (first & 1) << 8 | reader_.byte(); }

  std::vector<std::uint64_t> packed(std::uint32_t count, std::uint32_t width) {
    return unpacked(reader_.bytes(format::codag::packed_bytes(count, width)), count, width);
  }

  void short_repeat(std::uint32_t first) {
    const std::uint32_t count = (first & 7) + format::codag::fewest_repeats;
    reader_.check_room(count, output_.values_left());
    const std::uint64_t value = decoded(reader_.big_endian((first >> 3 & 7) + 1));
    for (std::uint32_t i = 0; i < count; ++i) output_.append(value);
  }

  void direct(std::uint32_t first) {
    const std::uint32_t count = length_after(first) + 1;
    reader_.check_room(count, output_.values_left());
    for (const std::uint64_t stored : packed(count, format::codag::width_of_code(code_in(first)))) {
      output_.append(decoded(stored));
    }
  }

  void patched_base(std::uint32_t first) {
    const std::uint32_t count = length_after(first) + 1;
    const std::uint32_t third = reader_.byte();
    const std::uint32_t fourth = reader_.byte();
    reader_.check_room(count, output_.values_left());
    const std::uint32_t width = format::codag::width_of_code(code_in(first));
    const std::uint32_t base_bytes = (third >> 5) + 1;
    const std::uint32_t patch_width = format::codag::width_of_code(third & 31);
    const std::uint32_t gap_width = (fourth >> 5) + 1;
    const std::uint32_t patches = fourth & 31;
    if (width == format::codag::widest || gap_width + patch_width > format::codag::widest) {
      reader_.fail(Problem::width_out_of_range);
    }
    std::uint64_t base = reader_.big_endian(base_bytes);
    const std::uint64_t sign = std::uint64_t{1} << (8 * base_bytes - 1);
    if ((base & sign) != 0) base = std::uint64_t{0} - (base ^ sign);
    std::vector<std::uint64_t> numbers = packed(count, width);
    const std::uint32_t entry_width =
        format::codag::width_of_code(format::codag::code_of_bits(gap_width + patch_width));
    std::uint64_t place = 0;
    bool is_first = true;
    for (const std::uint64_t entry : packed(patches, entry_width)) {
      const std::uint64_t gap = entry >> patch_width;
      if ((gap == 0 && !is_first) || gap >= count - place) reader_.fail(Problem::patch_out_of_range);
      place += gap;
      numbers[place] |= (entry & ((std::uint64_t{1} << patch_width) - 1)) << width;
      is_first = false;
    }
    for (const std::uint64_t number : numbers) output_.append(base + number);
  }

  void delta(std::uint32_t first) {
    const std::uint32_t count = length_after(first) + 1;
    reader_.check_room(count, output_.values_left());
    std::uint64_t value = decoded(reader_.varint());
    const std::uint64_t step = format::codag::zigzag_decoded(reader_.varint());
    output_.append(value);
    if (count == 1) return;
    output_.append(value += step);
    if (code_in(first) == 0) {
      for (std::uint32_t i = 2; i < count; ++i) output_.append(value += step);
      return;
    }
    const bool falls = static_cast<std::int64_t>(step) < 0;
    for (const std::uint64_t difference : packed(count - 2, format::codag::width_of_code(code_in(first)))) {
      output_.append(value = falls ? value - difference : value + difference);
    }
  }

  RunReader& reader_;
  ValueWriter& output_;
  bool is_signed_;
};

}  // namespace

std::vector<std::uint8_t> decode_orc_rle_v2(std::span<const std::uint8_t> payload,
                                            std::uint32_t uncompressed_bytes, std::uint64_t block) {
  using format::codag::stream_offset;
  const auto type = static_cast<format::codag::Type>(payload[format::codag::type_offset]);
  const format::codag::TypeShape& shape = format::codag::shape_of(type);
  const std::size_t rest_bytes = uncompressed_bytes % shape.value_bytes;
  ValueWriter output(type, uncompressed_bytes);
  RunReader reader(payload.subspan(stream_offset, payload.size() - stream_offset - rest_bytes), stream_offset,
                   block);
  WideRuns runs(reader, output, shape.is_signed);
  while (output.values_left() != 0 && !reader.at_end()) runs.decode_next();
  reader.check_end(output.values_left());
  return output.finish(payload.last(rest_bytes));
}

}  // namespace gsst::reference::codag
