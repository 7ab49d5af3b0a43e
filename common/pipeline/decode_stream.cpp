#include "common/pipeline/decode_stream.hpp"

#include <memory>
#include <optional>
#include <vector>

#include "common/pipeline/batch_reader.hpp"
#include "common/pipeline/batch_slot.hpp"
#include "common/pipeline/buffer.hpp"
#include "common/pipeline/host_checksums.hpp"
#include "common/pipeline/memory_limit.hpp"
#include "common/pipeline/queue.hpp"
#include "common/pipeline/read_ahead.hpp"
#include "common/stage/run_decode.hpp"

namespace gsst::pipeline {
namespace {

// A frame of more bytes may well fill a batch, if each decodes to eight. What its format makes of them is not
// known before its header has been read.
constexpr std::size_t read_ahead_bytes = most_pinned_bytes / slot_count / (1 + 8);

// A slot with room for the batch on the host, on both of its ways.
struct HostSlot {
  HostSlot(const StageRun& run, const format::FrameHeader& header, const StreamMemory& memory)
      : input(on_host(run, memory, memory.batch.bytes)),
        output(Buffer::on_device(run.executor, memory.batch.output_bytes)),
        output_on_host(on_host(run, memory, memory.batch.output_bytes)),
        compares_on_host(run.executor == stage::Executor::cpu ||
                         header.checksum_kind == format::ChecksumKind::xxh64),
        slot(run, header, memory.batch, !compares_on_host) {}

  static Buffer on_host(const StageRun& run, const StreamMemory& memory, std::size_t size) {
    return memory.is_pinned() ? Buffer::on_host(run.executor, size) : Buffer::pageable(size);
  }

  Buffer input;
  Buffer output;
  Buffer output_on_host;
  Batch batch;
  bool compares_on_host;
  HostChecksums checksums;
  // Last: it waits for its work before the memory goes.
  BatchSlot slot;
};

void start(HostSlot& host_slot, Queue& copies) {
  host_slot.slot.start(host_slot.batch, host_slot.output.data(), copies);
  host_slot.slot.queue().copy(host_slot.output_on_host.data(),
                              host_slot.output.bytes().first(host_slot.batch.index.uncompressed_bytes));
  if (host_slot.compares_on_host) {
    host_slot.checksums.enqueue(host_slot.batch, host_slot.output_on_host.data(), host_slot.slot.queue());
  }
}

}  // namespace

format::StreamTotals decode_stream(const StageRun& run, const format::ReadFunction& read,
                                   const WriteFunction& write, const StreamOptions& options,
                                   const format::ProgressFunction& progress) {
  // The size of a short frame is known when its end has been met.
  ReadAhead ahead(read, options.frame_bytes ? 0 : read_ahead_bytes);
  const std::optional<std::uint64_t> frame_bytes =
      ahead.is_whole() ? ahead.start().size() : options.frame_bytes;
  const format::ReadFunction read_frame = [&](std::span<std::uint8_t> buffer) { return ahead.read(buffer); };
  BatchReader reader(read_frame);
  stage::check_decoder(*run.stage, run.executor, reader.header().format, run.parameters);
  StreamMemory memory{};
  format::StreamTotals totals;
  std::vector<std::unique_ptr<HostSlot>> slots;
  Queue copies(run.executor);
  std::uint64_t started = 0;
  std::uint64_t finished = 0;
  const auto finish_oldest = [&] {
    HostSlot& oldest = *slots[finished % memory.slots];
    oldest.slot.finish();
    if (oldest.compares_on_host) oldest.checksums.check();
    const std::uint64_t output_bytes = oldest.batch.index.uncompressed_bytes;
    write(oldest.batch, oldest.output_on_host.bytes().first(output_bytes));
    ++finished;
    totals.output_bytes += output_bytes;
    totals.blocks += oldest.batch.index.entries.size();
    totals.input_bytes = reader.bytes_read();
    if (progress) progress(totals);
  };
  while (reader.next_record()) {
    // Also for a block that its encoder made larger than the batches.
    if (!memory.batch.holds(*reader.next_record())) {
      while (finished < started) finish_oldest();
      slots.clear();
      started = finished = 0;
      memory = plan_stream_memory(options.memory_bytes, reader.header(), *reader.next_record(), frame_bytes);
    }
    if (started - finished == memory.slots) finish_oldest();
    // A frame of one batch takes the memory of one.
    if (slots.size() < memory.slots) {
      slots.push_back(std::make_unique<HostSlot>(run, reader.header(), memory));
    }
    HostSlot& next = *slots[started % memory.slots];
    next.batch = reader.read_batch(next.input.bytes(), memory.batch);
    start(next, copies);
    ++started;
  }
  while (finished < started) finish_oldest();
  totals.input_bytes = reader.bytes_read();
  return totals;
}

}  // namespace gsst::pipeline
