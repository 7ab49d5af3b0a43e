#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/pipeline/buffer.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/plan.hpp"
#include "common/stage/stage.hpp"
#include "experiments/measure/shared/points.hpp"
#include "experiments/measure_search/expected_matches.hpp"

namespace gsst::experiments {

/// Memory at a multiple of 256, as a part of a plan may want it.
class PartMemory {
public:
  /// Of the executor. Throws std::bad_alloc, cuda::CudaError.
  PartMemory(stage::Executor executor, std::uint64_t bytes);
  /// Of the host, from and to which the executor copies as fast as it can. Throws as above.
  static PartMemory on_host(stage::Executor executor, std::uint64_t bytes);

  stage::Given given() const;
  std::span<std::uint8_t> bytes() const;

private:
  PartMemory(pipeline::Buffer buffer, std::uint64_t bytes) : bytes_(bytes), buffer_(std::move(buffer)) {}

  std::uint64_t bytes_;
  pipeline::Buffer buffer_;
};

/// A compressed text in the executor's memory.
class SearchedFrame {
public:
  /// Checks `frame` and copies it. Throws format::FormatError, cuda::CudaError.
  SearchedFrame(stage::Executor executor, std::span<const std::uint8_t> frame);

  stage::Executor executor() const { return executor_; }
  const stage::FrameOnDevice& shape() const { return shape_; }
  std::span<const std::uint8_t> bytes() const { return memory_.bytes(); }

private:
  stage::Executor executor_;
  stage::FrameOnDevice shape_;
  PartMemory memory_;
};

/// What a point's `row` says of a search: {"pattern": "special requests", "output": "positions"}.
struct WantedSearch {
  std::string pattern;
  /// Or the count alone.
  bool has_positions;

  bool operator==(const WantedSearch&) const = default;
};

/// Throws InputError where the row says something else.
WantedSearch wanted_search(const Point& point);

/// Searches of one frame for one pattern, by the stages of several points. They have the memory of their
/// positions and their scratch memory in common: a stage may need as much as the text has.
class Searches {
public:
  /// All outlive the object; `points` want the same search. Throws cuda::CudaError, and std::invalid_argument
  /// for a stage that does not search the frame.
  Searches(std::span<const Point> points, const SearchedFrame& frame, const WantedSearch& wanted,
           ExpectedMatches& expected);

  /// Makes the memory that a search by this point writes to useless.
  void poison(std::size_t point);

  /// Enqueues the search by the stage of the point with that position.
  void enqueue(std::size_t point, stage::Stream stream) const;

  /// Waits for the last search, which was that point's. Throws MismatchError for another count or other
  /// positions than expected, and format::FormatError for the first block whose status is a problem.
  void check(std::size_t point);

private:
  struct OfPoint {
    std::unique_ptr<stage::Plan> plan;
    // In the order of its parts; empty where the part is the frame or in common.
    std::vector<PartMemory> own;
    std::vector<stage::Given> given;
  };

  // A copy, which is lost with the next call.
  std::span<const std::uint8_t> read(const stage::Given& given) const;
  void copy_noise(const stage::Given& given) const;

  std::span<const Point> points_;
  stage::Executor executor_;
  ExpectedMatches& expected_;
  std::vector<OfPoint> searches_;
  std::vector<PartMemory> in_common_;
  // For the largest part that a search writes: positions have hundreds of megabytes, and are copied for each
  // stage, before and after the timing.
  PartMemory copied_;
};

}  // namespace gsst::experiments
