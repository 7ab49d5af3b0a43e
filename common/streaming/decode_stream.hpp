#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "common/format/stream.hpp"
#include "common/pipeline/batch.hpp"
#include "common/pipeline/stage_run.hpp"
#include "common/streaming/devices.hpp"
#include "common/streaming/further_devices.hpp"

/// Decoding of frames of any length, from the host's memory to the host's memory, on all devices of an
/// executor.
namespace gsst::streaming {

/// Takes the output of `batch`, host memory that holds it during the call only. Batches come in order.
using WriteFunction = std::function<void(const pipeline::Batch& batch, std::span<const std::uint8_t> output)>;

/// How decode_stream() divides a frame.
struct StreamOptions {
  /// Most memory of each device for the data on its way, in bytes.
  std::uint64_t memory_bytes = std::uint64_t{2} << 30;
  /// Most memory of the host for the same, in bytes. Each device takes as much of it as of its own, at most
  /// pipeline::most_pinned_bytes of it page-locked; there are as many devices as that allows. The index takes
  /// 40 bytes of host memory a block on top of it.
  std::uint64_t host_memory_bytes = std::uint64_t{2} << 30;
  /// Bytes of the whole frame, where known: less memory is taken for a small one.
  std::optional<std::uint64_t> frame_bytes;
  /// What further_devices_pay() is asked with, in seconds.
  double seconds_to_start = start_seconds;
};

/// What was decoded, and on how much.
struct DecodeTotals {
  /// Of the whole frame.
  format::StreamTotals stream;
  /// Devices that have decoded at least one batch; 0 for a frame without blocks.
  std::size_t devices = 0;
};

/// Decodes a frame that is read in one pass, with memory that does not depend on its size: while one batch of
/// blocks is read, those before it are copied to a device, decoded and copied back (thesis, Section 3.3).
/// Batches are as large as pipeline::plan_stream_memory() says.
///
/// The first of `devices` begins. Where further_devices_pay(), the others are started while it works; each
/// batch goes to the one with the fewest on their way. One that cannot be started, or lacks memory, is left
/// out. They may end in any order; `write` gets them in theirs.
///
/// `read`, `write` and `progress`, which may be empty, are called by the calling thread alone. Everything is
/// checked before `write` gets it. Checksums of pieces are compared by the device; those of whole blocks, for
/// which a GPU is slow (a block's is one chain of operations), by threads of the host, concurrently with the
/// copies and the writing of other batches.
///
/// Throws format::FormatError naming block and field, pipeline::MemoryLimitError, std::invalid_argument if
/// the stage cannot run here or decodes another format, DeviceError naming the device that failed
/// (device_slots.hpp), and what `read` and `write` throw.
DecodeTotals decode_stream(const pipeline::StageRun& run, const Devices& devices,
                           const format::ReadFunction& read, const WriteFunction& write,
                           const StreamOptions& options, const format::ProgressFunction& progress = {});

}  // namespace gsst::streaming
