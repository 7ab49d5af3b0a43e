#include "common/pipeline/decode_stream.hpp"

#include <memory>
#include <vector>

#include "common/pipeline/batch_slot.hpp"
#include "common/pipeline/buffer.hpp"
#include "common/pipeline/memory_limit.hpp"
#include "common/pipeline/queue.hpp"

namespace gsst::pipeline {
namespace {

// A slot with room for the batch on the host, on both of its ways.
struct HostSlot {
  HostSlot(const StageRun& run, const format::FrameHeader& header, const BatchLimits& limits)
      : input(Buffer::on_host(run.executor, limits.bytes)),
        output(Buffer::on_device(run.executor, limits.output_bytes)),
        output_on_host(Buffer::on_host(run.executor, limits.output_bytes)),
        slot(run, header, limits) {}

  Buffer input;
  Buffer output;
  Buffer output_on_host;
  Batch batch;
  // Last: it waits for its work before the memory goes.
  BatchSlot slot;
};

void start(HostSlot& host_slot, Queue& copies) {
  host_slot.slot.start(host_slot.batch, host_slot.output.data(), copies);
  host_slot.slot.queue().copy(host_slot.output_on_host.data(),
                              host_slot.output.bytes().first(host_slot.batch.index.uncompressed_bytes));
}

// A block that its encoder made larger than it was, in more memory than is allowed.
[[noreturn]] void refuse(std::uint64_t allowed_bytes, const format::BlockRecord& record) {
  throw MemoryLimitError(
      allowed_bytes, memory_bytes({.blocks = 1,
                                   .bytes = format::record_header_bytes + std::uint64_t{record.payload_bytes},
                                   .output_bytes = record.uncompressed_bytes}));
}

}  // namespace

StreamTotals decode_stream(const StageRun& run, const ReadFunction& read, const WriteFunction& write,
                           const StreamOptions& options, const ProgressFunction& progress) {
  FrameReader reader(read);
  check_stage_run(run, reader.header().format);
  const BatchLimits limits = limits_within(options.memory_bytes, reader.header(), options.frame_bytes);
  StreamTotals totals;
  std::vector<std::unique_ptr<HostSlot>> slots;
  Queue copies(run.executor);
  std::uint64_t started = 0;
  std::uint64_t finished = 0;
  const auto finish_oldest = [&] {
    HostSlot& oldest = *slots[finished % slot_count];
    oldest.slot.finish();
    const std::uint64_t output_bytes = oldest.batch.index.uncompressed_bytes;
    write(oldest.batch, oldest.output_on_host.bytes().first(output_bytes));
    ++finished;
    totals.output_bytes += output_bytes;
    totals.blocks += oldest.batch.index.entries.size();
    totals.input_bytes = reader.bytes_read();
    if (progress) progress(totals);
  };
  while (reader.next_record()) {
    if (started - finished == slot_count) finish_oldest();
    // A frame of one batch takes the memory of one.
    if (slots.size() < slot_count) slots.push_back(std::make_unique<HostSlot>(run, reader.header(), limits));
    HostSlot& next = *slots[started % slot_count];
    next.batch = reader.read_batch(next.input.bytes(), limits);
    if (next.batch.index.entries.empty()) refuse(options.memory_bytes, *reader.next_record());
    start(next, copies);
    ++started;
  }
  while (finished < started) finish_oldest();
  totals.input_bytes = reader.bytes_read();
  return totals;
}

}  // namespace gsst::pipeline
