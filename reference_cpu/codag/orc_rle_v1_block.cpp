#include "reference_cpu/codag/orc_rle_v1_block.hpp"

#include <algorithm>
#include <cstddef>

#include "reference_cpu/codag/integers.hpp"
#include "reference_cpu/codag/run_reader.hpp"

namespace gsst::reference::codag {
namespace {

using Values = std::span<const std::uint64_t>;

bool is_delta_of_run(std::uint64_t delta) {
  const auto number = static_cast<std::int64_t>(delta);
  return number >= format::codag::smallest_delta && number <= format::codag::largest_delta;
}

// How many values at the start of `values` a run can have: 0 where none starts.
std::size_t run_at(Values values) {
  if (values.size() < format::codag::shortest_run) return 0;
  const std::uint64_t delta = values[1] - values[0];
  if (!is_delta_of_run(delta)) return 0;
  const std::size_t most = std::min<std::size_t>(values.size(), format::codag::longest_run);
  std::size_t count = 2;
  while (count < most && values[count] - values[count - 1] == delta) ++count;
  return count < format::codag::shortest_run ? 0 : count;
}

}  // namespace

std::vector<std::uint8_t> encode_orc_rle_v1(std::span<const std::uint8_t> block, format::codag::Type type) {
  const bool is_signed = format::codag::shape_of(type).is_signed;
  std::vector<std::uint8_t> payload = {static_cast<std::uint8_t>(type)};
  const auto append = [&](std::uint64_t value) {
    append_varint(payload, is_signed ? format::codag::zigzag_encoded(value) : value);
  };
  const std::vector<std::uint64_t> loaded = load_values(block, type);
  for (Values values = loaded; !values.empty();) {
    if (const std::size_t run = run_at(values); run != 0) {
      payload.push_back(static_cast<std::uint8_t>(run - format::codag::shortest_run));
      payload.push_back(static_cast<std::uint8_t>(values[1] - values[0]));
      append(values[0]);
      values = values.subspan(run);
      continue;
    }
    const std::size_t most = std::min<std::size_t>(values.size(), format::codag::longest_list);
    std::size_t list = 1;
    while (list < most && run_at(values.subspan(list)) == 0) ++list;
    payload.push_back(static_cast<std::uint8_t>(256 - list));
    for (const std::uint64_t value : values.first(list)) append(value);
    values = values.subspan(list);
  }
  const auto rest = block.last(block.size() % format::codag::shape_of(type).value_bytes);
  payload.insert(payload.end(), rest.begin(), rest.end());
  return payload;
}

std::vector<std::uint8_t> decode_orc_rle_v1(std::span<const std::uint8_t> payload,
                                            std::uint32_t uncompressed_bytes, std::uint64_t block) {
  const auto type = static_cast<format::codag::Type>(payload[format::codag::type_offset]);
  const format::codag::TypeShape& shape = format::codag::shape_of(type);
  const std::size_t rest_bytes = uncompressed_bytes % shape.value_bytes;
  ValueWriter output(type, uncompressed_bytes);
  RunReader reader(payload.subspan(format::codag::stream_offset,
                                   payload.size() - format::codag::stream_offset - rest_bytes),
                   format::codag::stream_offset, block);
  const auto number = [&] {
    const std::uint64_t stored = reader.varint();
    return shape.is_signed ? format::codag::zigzag_decoded(stored) : stored;
  };
  while (output.values_left() != 0 && !reader.at_end()) {
    reader.start_run();
    const std::uint32_t first = reader.byte();
    if (first < format::codag::first_list_byte) {
      const std::uint32_t count = first + format::codag::shortest_run;
      reader.check_room(count, output.values_left());
      const std::uint8_t stored = reader.byte();
      const auto delta = static_cast<std::uint64_t>(static_cast<std::int8_t>(stored));
      std::uint64_t value = number();
      for (std::uint32_t i = 0; i < count; ++i, value += delta) output.append(value);
    } else {
      const std::uint32_t count = 256 - first;
      reader.check_room(count, output.values_left());
      for (std::uint32_t i = 0; i < count; ++i) output.append(number());
    }
  }
  reader.check_end(output.values_left());
  return output.finish(payload.last(rest_bytes));
}

}  // namespace gsst::reference::codag
