#include "common/streaming/decode_stream.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>
#include <vector>

#include "common/pipeline/batch_reader.hpp"
#include "common/pipeline/memory_limit.hpp"
#include "common/pipeline/read_ahead.hpp"
#include "common/stage/run_decode.hpp"
#include "common/streaming/device_slots.hpp"

namespace gsst::streaming {
namespace {

// A frame of more bytes may well fill a batch, if each decodes to eight. What its format makes of them is not
// known before its header has been read.
constexpr std::size_t read_ahead_bytes = pipeline::most_pinned_bytes / pipeline::slot_count / (1 + 8);

// One frame on its way.
class StreamDecoder {
public:
  StreamDecoder(const pipeline::StageRun& run, const Devices& devices, pipeline::BatchReader& reader,
                const WriteFunction& write, const StreamOptions& options,
                const format::ProgressFunction& progress)
      : run_(run), devices_(devices), reader_(reader), write_(write), options_(options), progress_(progress) {
    add_device(WorksOn::caller);
  }

  DecodeTotals decode() {
    while (reader_.next_record()) {
      // Also for a block that its encoder made larger than the batches.
      if (!memory_.batch.holds(*reader_.next_record())) plan_memory();
      DeviceSlots* device = device_with_room();
      while (device == nullptr) {
        finish_oldest();
        device = device_with_room();
      }
      HostSlot& slot = device->next_slot();
      slot.batch = reader_.read_batch(slot.input.bytes(), memory_.batch);
      device->start();
      on_their_way_.push_back(device);
    }
    while (!on_their_way_.empty()) finish_oldest();
    totals_.stream.input_bytes = reader_.bytes_read();
    totals_.devices = static_cast<std::size_t>(
        std::ranges::count_if(slots_, [](const auto& of) { return of->has_worked(); }));
    return totals_;
  }

private:
  void add_device(WorksOn works_on) {
    slots_.push_back(
        std::make_unique<DeviceSlots>(run_, reader_.header(), devices_, slots_.size(), works_on));
  }

  void plan_memory() {
    while (!on_their_way_.empty()) finish_oldest();
    for (const auto& of_device : slots_) of_device->clear();
    memory_ = pipeline::plan_stream_memory(std::min(options_.memory_bytes, options_.host_memory_bytes),
                                           reader_.header(), *reader_.next_record(), options_.frame_bytes);
    // Larger blocks may leave the host memory for fewer devices.
    for (std::size_t i = 0; i < std::min(slots_.size(), most_devices()); ++i) slots_[i]->prepare(memory_);
  }

  std::size_t most_devices() const {
    return std::clamp<std::uint64_t>(options_.host_memory_bytes / memory_.bytes(), 1, devices_.count());
  }

  void start_further_devices() {
    while (slots_.size() < most_devices()) {
      add_device(WorksOn::own_thread);
      slots_.back()->prepare(memory_);
    }
  }

  // The one with the fewest batches on their way: it will be done first. Nullptr if there is none.
  DeviceSlots* device_with_room() {
    DeviceSlots* fewest = nullptr;
    for (const auto& of_device : slots_) {
      if (!of_device->has_room()) continue;
      if (fewest == nullptr || of_device->on_their_way() < fewest->on_their_way()) fewest = of_device.get();
    }
    return fewest;
  }

  void finish_oldest() {
    DeviceSlots& device = *on_their_way_.front();
    const auto start = std::chrono::steady_clock::now();
    HostSlot& oldest = device.finish_oldest();
    waited_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const std::uint64_t output_bytes = oldest.batch.index.uncompressed_bytes;
    write_(oldest.batch, oldest.output_on_host.bytes().first(output_bytes));
    totals_.stream.output_bytes += output_bytes;
    totals_.stream.blocks += oldest.batch.index.entries.size();
    totals_.stream.input_bytes = reader_.bytes_read();
    device.release_oldest();
    on_their_way_.pop_front();
    if (progress_) progress_(totals_.stream);
    if (slots_.size() == 1 && reader_.next_record() && pays()) start_further_devices();
  }

  bool pays() const {
    return further_devices_pay({.waited_seconds = waited_seconds_,
                                .read_bytes = reader_.bytes_read(),
                                .all_bytes = options_.frame_bytes},
                               options_.seconds_to_start);
  }

  const pipeline::StageRun& run_;
  const Devices& devices_;
  pipeline::BatchReader& reader_;
  const WriteFunction& write_;
  const StreamOptions& options_;
  const format::ProgressFunction& progress_;
  pipeline::StreamMemory memory_{};
  // By the numbers of the devices.
  std::vector<std::unique_ptr<DeviceSlots>> slots_;
  // The devices of the batches that have been started and not been written, the oldest first.
  std::deque<DeviceSlots*> on_their_way_;
  double waited_seconds_ = 0;
  DecodeTotals totals_;
};

}  // namespace

DecodeTotals decode_stream(const pipeline::StageRun& run, const Devices& devices,
                           const format::ReadFunction& read, const WriteFunction& write,
                           const StreamOptions& options, const format::ProgressFunction& progress) {
  // The size of a short frame is known when its end has been met.
  pipeline::ReadAhead ahead(read, options.frame_bytes ? 0 : read_ahead_bytes);
  StreamOptions known = options;
  if (ahead.is_whole()) known.frame_bytes = ahead.start().size();
  const format::ReadFunction read_frame = [&](std::span<std::uint8_t> buffer) { return ahead.read(buffer); };
  pipeline::BatchReader reader(read_frame);
  stage::check_decoder(*run.stage, run.executor, reader.header().format, run.parameters);
  return StreamDecoder(run, devices, reader, write, known, progress).decode();
}

}  // namespace gsst::streaming
