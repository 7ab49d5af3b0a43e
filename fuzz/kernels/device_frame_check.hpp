#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "common/stage/stage.hpp"
#include "fuzz/kernels/batch.hpp"
#include "fuzz/kernels/comparison.hpp"
#include "fuzz/random.hpp"
#include "library/device_frame_plan.hpp"

/// Changed frames in device memory, which the host does not read, through the library's check and decoder.
///
/// The rule: a frame, or the first block of it that was refused, is refused for the field for which the
/// host's plan refuses the frame, or for naming a format of another series, which the host knows and may
/// refuse for more; and a refused frame gives no output. Of a frame that the host's plan
/// accepts, a block whose codes the oracle decodes has the oracle's bytes, and a status that says whether its
/// checksum is right; another block has a status that names a problem. Nothing is written outside of the
/// memory given.
namespace gsst::fuzz {

/// What became of frames, and of the blocks of those that were accepted, without a breach.
struct DeviceFrameCounts {
  std::uint64_t frames = 0;
  /// Frames that both refused for the same field.
  std::uint64_t frames_refused_alike = 0;
  /// Blocks that both gave the same bytes for, those with a wrong checksum included.
  std::uint64_t decoded_alike = 0;
  std::uint64_t wrong_checksums = 0;
  std::uint64_t refused_alike = 0;

  DeviceFrameCounts& operator+=(const DeviceFrameCounts& other);
};

/// Checks and decodes a frame in an executor's memory, and waits.
using DeviceFrameDecoder =
    std::function<void(const library::DeviceFramePlan&, const library::DeviceFrameMemory&)>;

/// The library's.
DeviceFrameDecoder device_frame_decoder(stage::Executor executor);

/// Decodes `frame` in the memory of `executor` and adds to `counts`. `expected` is the oracle's word on its
/// blocks; nullptr where that is not known. Throws what the decoder throws.
std::vector<Finding> check_device_frame(std::span<const std::uint8_t> frame, const Expectation* expected,
                                        stage::Executor executor, const DeviceFrameDecoder& decoder,
                                        Random& random, DeviceFrameCounts& counts);

/// Decodes the frame of `batch`, and copies of it with changes around the blocks, in the memory of
/// `executor`. Adds to `counts`. An exception of the decoder is a finding.
std::vector<Finding> check_device_frames(const Batch& batch, stage::Executor executor,
                                         const DeviceFrameDecoder& decoder, Random& random,
                                         DeviceFrameCounts& counts);

}  // namespace gsst::fuzz
