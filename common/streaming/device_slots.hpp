#pragma once

#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "common/frame/frame.hpp"
#include "common/pipeline/memory_limit.hpp"
#include "common/pipeline/queue.hpp"
#include "common/pipeline/stage_run.hpp"
#include "common/streaming/device_thread.hpp"
#include "common/streaming/devices.hpp"
#include "common/streaming/host_slot.hpp"

namespace gsst::streaming {

/// A device that failed. The message names it.
class DeviceError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Whose thread enqueues a device's work.
enum class WorksOn {
  /// The caller's, at once.
  caller,
  /// One of the device's own, which also waits for its start.
  own_thread,
};

/// The slots that a stream has on one device. Batches leave them in the order in which they came.
class DeviceSlots {
public:
  /// For frames with `header` on `device` of `devices`, which must outlive the object, as `run.stage` must.
  DeviceSlots(const pipeline::StageRun& run, const format::FrameHeader& header, const Devices& devices,
              std::size_t device, WorksOn works_on);

  /// Frees the memory of all slots. No batch may be on its way.
  void clear();
  /// Has slots within `memory` from now on, after clear(). Where the device has a thread, that thread
  /// allocates them all, and the call does not wait; else each is allocated when it is needed first. Throws
  /// DeviceError.
  void prepare(const pipeline::StreamMemory& memory);

  /// Whether a batch can be started now: the slots are there, and one of them is free. Never for a device
  /// whose thread could not start it or allocate its slots: it is not needed.
  bool has_room();
  /// Batches that were started and have not been released.
  std::size_t on_their_way() const { return on_their_way_; }
  /// Whether any batch was started.
  bool has_worked() const { return has_worked_; }

  /// The free slot that is to be used next, for its batch to be read. There must be room. Throws DeviceError,
  /// std::bad_alloc.
  HostSlot& next_slot();
  /// Starts the batch of next_slot(). Throws DeviceError, and what the stage throws.
  void start();
  /// Waits for the oldest batch, which has been checked then. Throws DeviceError, and format::FormatError
  /// naming the first block that could not be decoded, or whose checksum differs.
  HostSlot& finish_oldest();
  /// The slot of the oldest batch may be used again.
  void release_oldest();

private:
  // What fails in `work` names the device.
  template <typename Work>
  void with_its_name(const Work& work) const;
  // As with_its_name(), for work that the calling thread does on the device.
  template <typename Work>
  void on_device(const Work& work) const;

  pipeline::StageRun run_;
  format::FrameHeader header_;
  const Devices& devices_;
  std::size_t device_;
  pipeline::StreamMemory memory_{};
  std::vector<std::unique_ptr<HostSlot>> slots_;
  // Started since the slots are there.
  std::uint64_t started_ = 0;
  std::size_t on_their_way_ = 0;
  bool has_worked_ = false;
  // Where a thread prepares them; not valid once they are ready.
  std::future<void> prepared_;
  bool is_ready_ = false;
  // The copies of all slots to the device. After them: it waits for its work before their memory goes.
  std::optional<pipeline::Queue> copies_;
  // Last: its work uses the others.
  std::unique_ptr<DeviceThread> thread_;
};

}  // namespace gsst::streaming
