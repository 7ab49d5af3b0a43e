#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/stage/launch.hpp"
#include "common/stage/ranges.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/gsst/11_random_access/kernel.cuh"

namespace {

using gsst::format::BlockFormat;
using gsst::stage::Given;
using gsst::stage::Part;
using gsst::stage::Phase;
using gsst::stage::RangesSubject;
using gsst::stage::Role;

const gsst::stage::Description description = {
    .id = "gsst/11_random_access",
    .base = "",
    .title = "Beyond the thesis: byte ranges of a frame, without the rest",
    .section = "thesis 4.1",
    .format = BlockFormat::tiles,
    .operation = gsst::stage::Operation::ranges,
    .minimum_compute_capability = 80,
    .parameters = {},
};

bool decodes(BlockFormat format) {
  return format == BlockFormat::splits || format == BlockFormat::tiles;
}

// More would be more groups than a grid has thread blocks.
constexpr std::uint64_t most_ranges = std::uint64_t{1} << 38;

// Codes of the largest table of `frame`.
std::uint32_t most_codes(const gsst::stage::FrameOnDevice& frame) {
  if (frame.format == BlockFormat::splits) return 256;
  std::uint32_t codes = 0;
  for (const std::uint32_t code_bits : {8u, 10u, 12u}) {
    for (const std::uint32_t codes_per_lane : {16u, 24u, 32u}) {
      const TileShape shape{.code_bits = code_bits, .codes_per_lane = codes_per_lane};
      const bool is_there = (frame.payload_traits & gsst::format::tile_shape_bit(shape)) != 0;
      if (is_there) codes = std::max(codes, shape.code_count());
    }
  }
  return codes;
}

template <typename Parts>
void launch_decode_items(const RangesRequest& request, void* stream) {
  // More thread blocks than run at the same time: those with much to do end beside others.
  constexpr unsigned turns = 2;
  const std::size_t shared_bytes =
      state_bytes<Parts> + std::size_t{most_codes(request.frame)} * sizeof(std::uint64_t);
  gsst::stage::launch({.thread_blocks = turns * gsst::stage::resident_thread_blocks(
                                                    decode_threads, shared_bytes, decode_items<Parts>),
                       .threads_per_block = decode_threads,
                       .shared_bytes = shared_bytes,
                       .stream = stream},
                      decode_items<Parts>, request);
}

void enqueue_ranges(const RangesRequest& request, void* stream) {
  constexpr std::size_t warp_sums_bytes = warp_lanes * sizeof(std::uint64_t);
  const auto groups = static_cast<unsigned>(gsst::format::part_size(request.range_count, group_ranges));
  gsst::stage::LaunchShape shape{.thread_blocks = groups,
                                 .threads_per_block = group_ranges,
                                 .shared_bytes = warp_sums_bytes,
                                 .stream = stream};
  gsst::stage::launch(shape, count_items_of_groups, request);
  shape.thread_blocks = 1;
  gsst::stage::launch(shape, add_up_groups, request);
  if (request.frame.format == BlockFormat::splits) {
    launch_decode_items<Splits>(request, stream);
  } else {
    launch_decode_items<Strips>(request, stream);
  }
}

class RangesPlan final : public gsst::stage::Plan {
public:
  explicit RangesPlan(const RangesSubject& subject) : subject_(subject) {
    gsst::stage::check_parameters(description, subject.parameters);
    if (!decodes(subject.frame.format)) {
      throw std::invalid_argument("stage " + description.id + " decodes ranges of splits and tiles only");
    }
    if (subject.range_count > most_ranges) {
      throw std::invalid_argument(std::to_string(subject.range_count) + " ranges, at most " +
                                  std::to_string(most_ranges) + " can be decompressed in one go");
    }
    const std::uint64_t count = subject.range_count;
    const std::uint64_t scratch_words =
        count == 0 ? 0 : count + gsst::format::part_size(count, group_ranges) + 1;
    parts_ = {{.name = "frame", .role = Role::input, .bytes = subject.frame.frame_bytes, .alignment = 1},
              {.name = "ranges", .role = Role::input, .bytes = count * sizeof(ByteRange), .alignment = 8},
              {.name = "output", .role = Role::output, .bytes = subject.output_bytes, .alignment = 1},
              {.name = "scratch", .role = Role::scratch, .bytes = scratch_words * 8, .alignment = 8},
              {.name = "status", .role = Role::status, .bytes = count * 4, .alignment = 4}};
  }

  std::span<const Part> parts() const override { return parts_; }
  std::span<const Phase> phases() const override { return phases_; }

  void enqueue(std::span<const Given> given, gsst::stage::Stream stream,
               std::size_t /*phase*/) const override {
    if (subject_.range_count == 0) return;
    gsst::stage::FrameOnDevice frame = subject_.frame;
    frame.bytes = static_cast<const std::uint8_t*>(given[0].data);
    enqueue_ranges({.frame = frame,
                    .block_bytes = subject_.block_bytes,
                    .ranges = static_cast<const ByteRange*>(given[1].data),
                    .range_count = subject_.range_count,
                    .output = static_cast<std::uint8_t*>(given[2].data),
                    .output_bytes = subject_.output_bytes,
                    .scratch = static_cast<std::uint64_t*>(given[3].data),
                    .status = static_cast<std::uint32_t*>(given[4].data)},
                   stream);
  }

  gsst::stage::Outcome check(std::span<const std::byte> status, std::span<const std::byte> /*result*/,
                             std::uint64_t first) const override {
    for (std::uint64_t range = 0; range < subject_.range_count; ++range) {
      std::uint32_t word = 0;
      std::memcpy(&word, status.subspan(range * sizeof word).data(), sizeof word);
      if (word == 0) continue;
      return {.problem = gsst::stage::problem_of_range(subject_.frame.format, first + range, word)};
    }
    return {.count = subject_.output_bytes, .is_complete = true};
  }

private:
  RangesSubject subject_;
  std::vector<Part> parts_;
  std::array<Phase, 1> phases_ = {Phase{.name = "ranges"}};
};

std::unique_ptr<gsst::stage::Plan> make_plan(const RangesSubject& subject) {
  return std::make_unique<RangesPlan>(subject);
}

const gsst::stage::Registration registration(gsst::stage::this_executor, description,
                                             gsst::stage::RangesPlans{.decodes = decodes, .make = make_plan});

}  // namespace
