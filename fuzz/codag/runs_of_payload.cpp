#include "fuzz/codag/runs_of_payload.hpp"

#include "common/format/codag/codag.hpp"
#include "common/format/codag/orc_rle_v2.hpp"

namespace gsst::fuzz {
namespace {

namespace chunks = format::codag;
using chunks::RunKind;

// Goes through a stream; past its end all bytes are 0.
class RunWalk {
public:
  RunWalk(std::span<const std::uint8_t> stream, std::size_t place) : stream_(stream), place_(place) {}

  std::size_t place() const { return place_; }
  std::uint32_t byte() {
    const std::size_t at = place_++;
    return at < stream_.size() ? stream_[at] : 0;
  }
  void skip(std::size_t bytes) { place_ += bytes; }
  void skip_varint() {
    for (std::uint32_t i = 1; byte() >= 0x80 && i < chunks::max_varint_bytes; ++i) {
    }
  }

private:
  std::span<const std::uint8_t> stream_;
  std::size_t place_;
};

std::uint32_t walk_byte_run(RunWalk& walk) {
  const std::uint32_t first = walk.byte();
  walk.skip(first < chunks::first_list_byte ? 1 : 256 - first);
  return first < chunks::first_list_byte ? first + chunks::shortest_run : 256 - first;
}

std::uint32_t walk_v1_run(RunWalk& walk) {
  const std::uint32_t first = walk.byte();
  if (first < chunks::first_list_byte) {
    walk.skip(1);
    walk.skip_varint();
    return first + chunks::shortest_run;
  }
  for (std::uint32_t i = first; i < 256; ++i) walk.skip_varint();
  return 256 - first;
}

std::uint32_t walk_v2_run(RunWalk& walk) {
  const std::uint32_t first = walk.byte();
  const auto kind = static_cast<RunKind>(first >> chunks::run_kind_shift);
  if (kind == RunKind::short_repeat) {
    walk.skip((first >> 3) + 1);
    return (first & 7) + chunks::fewest_repeats;
  }
  const std::uint32_t values = ((first & 1) << 8 | walk.byte()) + 1;
  const std::uint32_t code = first >> 1 & 31;
  const std::uint32_t width = chunks::width_of_code(code);
  if (kind == RunKind::direct) {
    walk.skip(chunks::packed_bytes(values, width));
  } else if (kind == RunKind::delta) {
    walk.skip_varint();
    walk.skip_varint();
    if (code != 0 && values > 2) walk.skip(chunks::packed_bytes(values - 2, width));
  } else {
    const std::uint32_t third = walk.byte();
    const std::uint32_t fourth = walk.byte();
    const std::uint32_t bits = chunks::width_of_code(third & 31) + (fourth >> 5) + 1;
    walk.skip((third >> 5) + 1 + chunks::packed_bytes(values, width));
    if (bits <= chunks::widest) {
      walk.skip(chunks::packed_bytes(fourth & 31, chunks::width_of_code(chunks::code_of_bits(bits))));
    }
  }
  return values;
}

}  // namespace

std::uint32_t value_bytes_of(format::BlockFormat format, std::span<const std::uint8_t> payload) {
  if (format == chunks::byte_rle_format) return 1;
  if (payload.empty() || payload[chunks::type_offset] >= chunks::type_count) return 0;
  return chunks::shape_of(static_cast<chunks::Type>(payload[chunks::type_offset])).value_bytes;
}

std::vector<RunOfPayload> runs_of_payload(format::BlockFormat format, std::span<const std::uint8_t> payload,
                                          std::size_t rest_bytes) {
  std::vector<RunOfPayload> runs;
  if (payload.size() < rest_bytes) return runs;
  const auto stream = payload.first(payload.size() - rest_bytes);
  RunWalk walk(stream, format == chunks::byte_rle_format ? 0 : chunks::stream_offset);
  while (walk.place() < stream.size()) {
    RunOfPayload run = {.begin = walk.place(), .end = 0, .values = 0};
    run.values = format == chunks::byte_rle_format     ? walk_byte_run(walk)
                 : format == chunks::orc_rle_v1_format ? walk_v1_run(walk)
                                                       : walk_v2_run(walk);
    run.end = walk.place();
    if (run.end > stream.size()) break;
    runs.push_back(run);
  }
  return runs;
}

}  // namespace gsst::fuzz
