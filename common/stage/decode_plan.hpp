#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/stage/block_statuses.hpp"
#include "common/stage/plans_of_stage.hpp"

/// How decoders are written, of whatever format: a function of a typed request. decode_plans() makes the
/// plans that everybody else sees.
namespace gsst::stage {

/// One decoding, in memory of the caller: device memory for Executor::gpu, host memory for the others.
struct DecodeRequest {
  /// A checked frame with at least one block.
  FrameOnDevice frame;
  /// frame.uncompressed_bytes bytes.
  std::uint8_t* output;
  /// frame.block_count words, set to BlockStatus values: the highest problem met in each block,
  /// for format tiles strip_status() of the first strip with one.
  std::uint32_t* status;
  /// As many bytes as the stage's ScratchFunction says, aligned to 8; what they hold does not matter.
  void* scratch;
  ParameterValues parameters;
  Stream stream;
};

/// Enqueues the decoding of `request` on its stream: allocates nothing, synchronises nothing. Throws
/// std::invalid_argument if the stage cannot run with these parameters or this frame.
using DecodeFunction = void (*)(const DecodeRequest& request);

/// Bytes of scratch memory that decoding `frame` needs.
using ScratchFunction = std::size_t (*)(const FrameOnDevice& frame);

/// A plan that calls a DecodeFunction.
class DecodePlan : public Plan {
public:
  DecodePlan(DecodeFunction decode, const DecodeSubject& subject, std::uint64_t scratch_bytes)
      : decode_(decode), subject_(subject) {
    const FrameOnDevice& frame = subject.frame;
    parts_ = {{.name = "frame", .role = Role::input, .bytes = frame.frame_bytes, .alignment = 1},
              {.name = "output", .role = Role::output, .bytes = frame.uncompressed_bytes, .alignment = 1},
              {.name = "scratch", .role = Role::scratch, .bytes = scratch_bytes, .alignment = 8},
              {.name = "status",
               .role = Role::status,
               .bytes = std::uint64_t{frame.block_count} * sizeof(std::uint32_t),
               .alignment = alignof(std::uint32_t)}};
    if (!subject.index_is_apart) return;
    parts_.push_back({.name = "index",
                      .role = Role::input,
                      .bytes = std::uint64_t{frame.block_count} * format::index_entry_bytes,
                      .alignment = 1});
  }

  std::span<const Part> parts() const override { return parts_; }

  std::span<const Phase> phases() const override {
    static constexpr std::array phases = {Phase{.name = "decoding"}};
    return phases;
  }

  void enqueue(std::span<const Given> given, Stream stream, std::size_t /*phase*/) const override {
    // A grid of no blocks is an error in CUDA.
    if (subject_.frame.block_count == 0) return;
    FrameOnDevice frame = subject_.frame;
    frame.bytes = static_cast<const std::uint8_t*>(given[0].data);
    if (subject_.index_is_apart) frame.index_offset = offset_between(given[0].data, given[4].data);
    decode_({.frame = frame,
             .output = static_cast<std::uint8_t*>(given[1].data),
             .status = static_cast<std::uint32_t*>(given[3].data),
             .scratch = given[2].data,
             .parameters = subject_.parameters,
             .stream = stream});
  }

  Outcome check(std::span<const std::byte> status, std::span<const std::byte> /*result*/,
                std::uint64_t first) const override {
    return outcome_of_blocks(subject_.frame, status, first);
  }

private:
  DecodeFunction decode_;
  DecodeSubject subject_;
  std::vector<Part> parts_;
};

/// The plans of the stage of that description, which decodes with `decode`. Nullptr for `scratch_bytes`:
/// none.
inline DecodePlans decode_plans(const Description& description, DecodeFunction decode,
                                ScratchFunction scratch_bytes = nullptr,
                                RecommendFunction recommend = nullptr) {
  const auto make = [=](const DecodeSubject& subject) -> std::unique_ptr<Plan> {
    check_parameters(description, subject.parameters);
    return std::make_unique<DecodePlan>(decode, subject,
                                        scratch_bytes == nullptr ? 0 : scratch_bytes(subject.frame));
  };
  return {.make = make, .recommend = recommend};
}

}  // namespace gsst::stage
