#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/formats.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/block_statuses.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/plans_of_stage.hpp"
#include "stages/tile_integer/shared/host_warp_tiles.cuh"
#include "stages/tile_integer/shared/sum_tiles.cuh"

// Plans of stages that sum a column. After launch.hpp, which gives the kernels CUDA's words where the
// compiler has none.
namespace gsst::tile_integer {
namespace {

using stage::FrameOnDevice;
using stage::Role;

const stage::Parameter sum_threads_parameter = {.name = "threads",
                                                .description = "threads of a thread block, 32 for each warp",
                                                .values = {128, 256},
                                                .default_value = most_threads_of_sums,
                                                .compile_time = false};

// Compressed bytes for `bytes` uncompressed ones, on average.
inline std::uint64_t average_bytes(const FrameOnDevice& frame, std::uint64_t bytes) {
  return frame.uncompressed_bytes == 0 ? 0 : frame.frame_bytes * bytes / frame.uncompressed_bytes;
}

[[noreturn]] inline void refuse_sum(const stage::Description& description, const std::string& why) {
  throw std::invalid_argument("stage " + description.id + ": " + why);
}

inline void check_sum(const stage::Description& description, const stage::QuerySubject& subject) {
  stage::check_parameters(description, subject.parameters);
  if (subject.question != "sum") {
    refuse_sum(description, "the one question is 'sum', not '" + subject.question + "'");
  }
  if (subject.frames.size() != 1 || subject.frames[0].format != description.format) {
    refuse_sum(description, "a sum is that of one column of format " +
                                std::string(format::block_format_name(description.format)));
  }
  constexpr std::uint32_t allowed =
      trait_of(format::tile_integer::Type::i32) | trait_of(format::tile_integer::Type::u32);
  if ((subject.frames[0].payload_traits & ~allowed) != 0) {
    refuse_sum(description, "values have the types i32 and u32");
  }
  if (subject.frames[0].uncompressed_bytes % sizeof(std::uint32_t) != 0) {
    refuse_sum(description, "the column ends within a value");
  }
  if (subject.output_bytes < sizeof(std::uint64_t)) refuse_sum(description, "a sum has 8 bytes");
}

// What plans of a sum have in common, whatever their kernels. The question is "sum". The answer has one row
// of 8 bytes: the sum of the column's values modulo 2^32, as sums of 32-bit numbers wrap. A plain column, all
// of whose blocks are raw, has a sum too.
class PlanOfSum : public stage::Plan {
public:
  std::span<const stage::Part> parts() const override { return parts_; }

  std::span<const stage::Phase> phases() const override {
    static constexpr std::array phases = {stage::Phase{.name = "sum"}};
    return phases;
  }

  stage::Outcome check(std::span<const std::byte> status, std::span<const std::byte> /*result*/,
                       std::uint64_t first) const override {
    if (auto problem = stage::first_problem(description_.format, status, first)) return {.problem = problem};
    return {.count = 1, .is_complete = true};
  }

protected:
  // `description` outlives the plan; `subject` is what check_sum() accepts. `threads` is a thread block's
  // where raw blocks are summed.
  PlanOfSum(const stage::Description& description, const stage::QuerySubject& subject, std::uint32_t threads)
      : threads_(threads), frame_(subject.frames[0]), description_(description) {
    if (frame_.has_raw_blocks) {
      const std::uint64_t parts = frame_.uncompressed_bytes / raw_part_bytes(threads_) + frame_.block_count;
      for (std::size_t i = 0; i < raw_kernels.size(); ++i) {
        const std::uint64_t resident =
            stage::resident_thread_blocks(threads_, bytes_of_warp_sums, raw_kernels[i]);
        raw_thread_blocks_[i] = static_cast<unsigned>(std::min(resident, parts));
      }
    }
    parts_ = {stage::Part{.name = "frame", .role = Role::input, .bytes = frame_.frame_bytes, .alignment = 1},
              stage::Part{.name = "answer", .role = Role::output, .bytes = 8, .alignment = 8},
              stage::Part{.name = "result", .role = Role::result, .bytes = 0, .alignment = 8},
              stage::Part{.name = "state", .role = Role::state, .bytes = 0, .alignment = 1},
              stage::Part{.name = "scratch", .role = Role::scratch, .bytes = 0, .alignment = 1},
              stage::Part{.name = "status",
                          .role = Role::status,
                          .bytes = std::uint64_t{frame_.block_count} * sizeof(std::uint32_t),
                          .alignment = 4}};
  }

  // The frame at `bytes`, which is in the executor's memory.
  FrameOnDevice frame_at(const void* bytes) const {
    FrameOnDevice frame = frame_;
    frame.bytes = static_cast<const std::uint8_t*>(bytes);
    return frame;
  }

  // Whether all blocks are raw.
  bool is_plain() const { return frame_.payload_traits == 0; }

  // Adds the values of raw blocks, if there are any, and reports these, unless `statuses` is null.
  void enqueue_raw_sums(const FrameOnDevice& frame, std::uint32_t* answer, std::uint32_t* statuses,
                        stage::Stream stream) const {
    if (!frame.has_raw_blocks) return;
    const std::size_t kernel = is_aligned(frame) ? 0 : 1;
    stage::launch({.thread_blocks = raw_thread_blocks_[kernel],
                   .threads_per_block = threads_,
                   .shared_bytes = bytes_of_warp_sums,
                   .stream = stream},
                  raw_kernels[kernel], frame, answer, statuses);
  }

  std::uint32_t threads_;
  FrameOnDevice frame_;

private:
  using RawKernel = void (*)(FrameOnDevice, std::uint32_t*, std::uint32_t*);
  // For frames at multiples of 16 bytes with an index at a multiple of 8, and for any frame.
  static constexpr std::array<RawKernel, 2> raw_kernels = {sum_raw_blocks, sum_raw_words};

  const stage::Description& description_;
  std::array<unsigned, raw_kernels.size()> raw_thread_blocks_{};
  std::vector<stage::Part> parts_;
};

// By warps that take one tile after the other.
template <typename Layout>
class SumPlan : public PlanOfSum {
public:
  // `description` outlives the plan; `wanted_units` is how many units a tile has where a thread block has
  // room for them, a power of two up to 16, or 0: Layout::usual_units, or half of them, by their size. Throws
  // std::invalid_argument, which names the stage.
  SumPlan(const stage::Description& description, const stage::QuerySubject& subject,
          std::uint32_t wanted_units)
      : PlanOfSum(description, subject,
                  static_cast<std::uint32_t>(
                      stage::parameter_value(description, subject.parameters, sum_threads_parameter.name))) {
    std::uint32_t units = wanted_units == 0 ? units_by_size() : wanted_units;
    while (units > 1 && shared_bytes_for(units) > stage::max_shared_bytes()) units /= 2;
    shape_ = {.log2_units = static_cast<std::uint32_t>(std::countr_zero(units)),
              .slot_bytes = slot_bytes(units)};
    shared_bytes_ = shared_bytes_for(units);
    check_shared_bytes(description, shared_bytes_);
    const std::uint32_t warps = threads_ / lanes_of_warp;
    if (frame_.block_count != 0) {
      const std::uint64_t tiles = frame_.uncompressed_bytes / bytes_of_tile(units) + frame_.block_count;
      for (std::size_t i = 0; i < kernels.size(); ++i) {
        const std::uint64_t resident = stage::resident_thread_blocks(threads_, shared_bytes_, kernels[i]);
        thread_blocks_[i] = static_cast<unsigned>(std::min(resident, (tiles + warps - 1) / warps));
      }
    }
  }

  void enqueue(std::span<const stage::Given> given, stage::Stream stream,
               std::size_t /*phase*/) const override {
    stage::clear(given[1].data, sizeof(std::uint64_t), stream);
    // A grid of no blocks is an error in CUDA.
    if (frame_.block_count == 0) return;
    const FrameOnDevice frame = frame_at(given[0].data);
    // The lower half of the answer.
    auto* const answer = static_cast<std::uint32_t*>(given[1].data);
    auto* const statuses = static_cast<std::uint32_t*>(given[5].data);
    // Where all blocks are raw, going through tiles that have no unit takes as long as some of the reading.
    if (!is_plain()) {
      const std::size_t kernel = is_aligned(frame) ? 0 : 1;
      stage::launch({.thread_blocks = thread_blocks_[kernel],
                     .threads_per_block = threads_,
                     .shared_bytes = shared_bytes_,
                     .stream = stream},
                    kernels[kernel], frame, answer, statuses, shape_);
    }
    enqueue_raw_sums(frame, answer, statuses, stream);
  }

private:
  using SumKernel = void (*)(FrameOnDevice, std::uint32_t*, std::uint32_t*, SumShape);
  // For frames at multiples of 16 bytes with an index at a multiple of 8, and for any frame.
  static constexpr std::array<SumKernel, 2> kernels = {sum_tiles<Layout, true>, sum_tiles<Layout, false>};

  static std::uint64_t bytes_of_tile(std::uint32_t units) {
    return std::uint64_t{units} * Layout::unit_values * sizeof(std::uint32_t);
  }

  // Of a tile's words: a tenth more than the frame's tiles have on average. Of a larger tile the units that
  // do not fit are summed by themselves; room for the largest one would leave a multiprocessor few warps. The
  // first word may be the last one of the first piece.
  std::uint32_t slot_bytes(std::uint32_t units) const {
    constexpr std::uint32_t largest_unit = Layout::most_words * format::tile_integer::word_bytes;
    const std::uint64_t average = average_bytes(frame_, bytes_of_tile(units));
    const std::uint64_t wanted =
        std::min<std::uint64_t>(average + average / 10, std::uint64_t{units} * largest_unit);
    const std::uint32_t pieces = whole_pieces(std::max(static_cast<std::uint32_t>(wanted), largest_unit) +
                                              piece_bytes - format::tile_integer::word_bytes);
    return whole_pieces(pieces + bytes_after_pieces);
  }

  // Small tiles take many instructions that are no value's, large ones shared memory for which warps are
  // missing: with slots up to this size a multiprocessor of compute capability 9.0 has two thread blocks of
  // 256 threads.
  std::uint32_t units_by_size() const {
    constexpr std::uint32_t most_slot_bytes = 7216;
    return slot_bytes(Layout::usual_units) <= most_slot_bytes ? Layout::usual_units : Layout::usual_units / 2;
  }

  std::size_t shared_bytes_for(std::uint32_t units) const {
    return bytes_of_warp_sums + std::size_t{threads_ / lanes_of_warp} * SumRing::bytes(slot_bytes(units));
  }

  SumShape shape_{};
  std::size_t shared_bytes_ = 0;
  std::array<unsigned, kernels.size()> thread_blocks_{};
};

}  // namespace
}  // namespace gsst::tile_integer
