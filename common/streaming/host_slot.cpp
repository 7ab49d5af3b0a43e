#include "common/streaming/host_slot.hpp"

namespace gsst::streaming {
namespace {

pipeline::Buffer memory_on_host(const pipeline::StageRun& run, const pipeline::StreamMemory& memory,
                                std::size_t size) {
  return memory.is_pinned() ? pipeline::Buffer::on_host(run.executor, size)
                            : pipeline::Buffer::pageable(size);
}

}  // namespace

HostSlot::HostSlot(const pipeline::StageRun& run, const format::FrameHeader& header,
                   const pipeline::StreamMemory& memory)
    : input(memory_on_host(run, memory, memory.batch.bytes)),
      output(pipeline::Buffer::on_device(run.executor, memory.batch.output_bytes)),
      output_on_host(memory_on_host(run, memory, memory.batch.output_bytes)),
      compares_on_host(run.executor == stage::Executor::cpu ||
                       header.checksum_kind == format::ChecksumKind::xxh64),
      slot(run, header, memory.batch, !compares_on_host) {}

void HostSlot::start(pipeline::Queue& copies) {
  slot.start(batch, output.data(), copies);
  slot.queue().copy(output_on_host.data(), output.bytes().first(batch.index.uncompressed_bytes));
  if (compares_on_host) checksums.enqueue(batch, output_on_host.data(), slot.queue());
}

}  // namespace gsst::streaming
