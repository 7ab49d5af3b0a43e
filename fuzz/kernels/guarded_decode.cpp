#include "fuzz/kernels/guarded_decode.hpp"

#include <array>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "common/frame/frame.hpp"
#include "common/frame/frame_fields.hpp"
#include "common/stage/frame_shape.hpp"
#include "fuzz/kernels/guards.hpp"

namespace gsst::fuzz {
namespace {

using Bytes = std::vector<std::uint8_t>;

// The frame behind some bytes, with an index that leaves gaps between the blocks' outputs, and those.
struct Spread {
  Bytes bytes;
  std::size_t frame_offset = 0;
  stage::FrameOnDevice frame{};
  std::vector<std::size_t> block_begins;
  std::size_t output_offset = 0;
  std::size_t memory_bytes = 0;
};

Spread spread_outputs(std::span<const std::uint8_t> frame, Random& random) {
  Spread spread;
  spread.frame = stage::frame_shape(frame);
  spread.frame_offset = random.one_in(2) ? 0 : random.below(128);
  spread.output_offset = guard_bytes + (random.one_in(4) ? 0 : random.below(128));
  spread.bytes.resize(spread.frame_offset, noise);
  spread.bytes.insert(spread.bytes.end(), frame.begin(), frame.end());
  const std::uint32_t most_between = random.one_in(4) ? 0 : random.below(200);
  std::uint8_t* const entries = spread.bytes.data() + spread.frame_offset + spread.frame.index_offset;
  std::uint64_t begin = 0;
  const format::FrameView view = format::parse_frame(frame);
  for (std::size_t block = 0; block < view.index.entries.size(); ++block) {
    format::IndexEntry entry = view.index.entries[block];
    entry.uncompressed_offset = begin;
    format::write_index_entry(entries + block * format::index_entry_bytes, entry);
    spread.block_begins.push_back(spread.output_offset + begin);
    begin += entry.record.uncompressed_bytes + random.below(most_between + std::uint64_t{1});
  }
  spread.frame.uncompressed_bytes = begin;
  spread.memory_bytes = spread.output_offset + begin + guard_bytes;
  return spread;
}

std::string find_changed_memory(bool frame, bool statuses, bool scratch) {
  if (frame) return "the frame";
  if (statuses) return "the words around the statuses";
  return scratch ? "the bytes around the scratch memory" : "";
}

template <typename Buffer>
GuardedResult decode_in(const stage::RegisteredStage& stage, stage::Executor executor,
                        std::span<const std::uint8_t> whole_frame, Random& random) {
  Spread spread = spread_outputs(whole_frame, random);
  GuardedResult result;
  result.poison = make_poison(spread.memory_bytes, random.byte());
  result.block_begins = spread.block_begins;
  Buffer frame(spread.bytes);
  Buffer output(result.poison);
  const std::unique_ptr<stage::Plan> plan = stage.decode.at(executor).make({.frame = spread.frame});
  Buffer statuses(between_guards(bytes_of(*plan, stage::Role::status)));
  Buffer scratch(between_guards(bytes_of(*plan, stage::Role::scratch)));
  enqueue_all(
      *plan,
      std::array{
          stage::to_read(frame.data() + spread.frame_offset, whole_frame.size()),
          stage::Given{.data = output.data() + spread.output_offset,
                       .bytes = bytes_of(*plan, stage::Role::output)},
          stage::Given{.data = scratch.data() + guard_bytes, .bytes = bytes_of(*plan, stage::Role::scratch)},
          stage::Given{.data = statuses.data() + guard_bytes, .bytes = bytes_of(*plan, stage::Role::status)}},
      nullptr);
  wait_for(executor);
  result.output = output.to_host();
  const Bytes status_bytes = statuses.to_host();
  result.statuses.resize(spread.frame.block_count);
  std::memcpy(result.statuses.data(), status_bytes.data() + guard_bytes,
              result.statuses.size() * sizeof(std::uint32_t));
  result.changed_memory = find_changed_memory(frame.to_host() != spread.bytes, !guards_stand(status_bytes),
                                              !guards_stand(scratch.to_host()));
  return result;
}

}  // namespace

GuardedResult decode_guarded(const stage::RegisteredStage& stage, stage::Executor executor,
                             std::span<const std::uint8_t> frame, Random& random) {
#if GSST_WITH_CUDA
  if (executor == stage::Executor::gpu) {
    return decode_in<cuda::DeviceBuffer>(stage, executor, frame, random);
  }
#else
  if (executor == stage::Executor::gpu) {
    throw std::invalid_argument("this program was built without CUDA");
  }
#endif
  return decode_in<HostBuffer>(stage, executor, frame, random);
}

}  // namespace gsst::fuzz
