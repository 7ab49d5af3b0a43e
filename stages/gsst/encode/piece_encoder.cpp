#include "stages/gsst/encode/piece_encoder.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#if GSST_WITH_CUDA
#include <cuda_runtime_api.h>

#include "common/cuda/error.hpp"
#endif

#include "common/format/part_size.hpp"

namespace gsst::stage {
namespace {

std::uint64_t aligned_to_8(std::uint64_t bytes) {
  return (bytes + 7) / 8 * 8;
}

// Whether the tables, part of the state, come from the input.
bool depends_on_input(const EncodeTables& tables) {
  return std::holds_alternative<TrainedTables>(tables);
}

}  // namespace

GrowingMemory::GrowingMemory(Executor executor)
    : executor_(executor), buffer_(pipeline::Buffer::on_device(executor, 0)) {}

bool GrowingMemory::make_room(std::uint64_t bytes) {
  if (data_ != nullptr && bytes <= size_) return false;
  // The old memory goes first: the two need not fit together.
  buffer_ = pipeline::Buffer::on_device(executor_, 0);
  buffer_ = pipeline::Buffer::on_device(executor_, bytes + encode_alignment);
  const auto address = reinterpret_cast<std::uintptr_t>(buffer_.data());
  data_ = buffer_.data() + (encode_alignment - address % encode_alignment) % encode_alignment;
  size_ = bytes;
  return true;
}

void GrowingMemory::grow(std::uint64_t bytes, std::uint64_t kept, pipeline::Queue& queue) {
  if (data_ != nullptr && bytes <= size_) return;
  if (kept == 0) {
    make_room(bytes);
    return;
  }
  GrowingMemory larger(executor_);
  larger.make_room(bytes);
  queue.copy(larger.data_, {data_, kept});
  queue.wait();
  *this = std::move(larger);
}

void GrowingMemory::clear(pipeline::Queue& queue) {
#if GSST_WITH_CUDA
  if (executor_ == Executor::gpu) {
    GSST_CUDA_CHECK(cudaMemsetAsync(data_, 0, size_, static_cast<cudaStream_t>(queue.stream())));
    return;
  }
#else
  static_cast<void>(queue);
#endif
  std::fill_n(data_, size_, std::uint8_t{0});
}

ChunkedReader::ChunkedReader(Executor executor, const format::ReadFunction& read, std::uint64_t most_bytes,
                             std::uint64_t room)
    : executor_(executor), read_(read), most_bytes_(most_bytes), room_(room) {}

ChunkedReader::Chunk& ChunkedReader::next_chunk() {
  // Made when it is needed: a short input takes the memory of one.
  if (next_ == chunks_.size()) {
    // All of them together take no more memory than a piece.
    const std::uint64_t bytes =
        std::min(chunk_bytes, format::part_size(most_bytes_, std::uint64_t{chunk_count}));
    chunks_.push_back({.bytes = pipeline::Buffer::on_host(executor_, bytes),
                       .queue = std::make_unique<pipeline::Queue>(executor_)});
  }
  Chunk& chunk = chunks_[next_];
  next_ = (next_ + 1) % chunk_count;
  chunk.queue->wait();
  return chunk;
}

std::uint64_t ChunkedReader::read_piece(GrowingMemory& memory, pipeline::Queue& queue) {
  std::uint64_t bytes = 0;
  memory.make_room(0);
  while (bytes < most_bytes_) {
    Chunk& chunk = next_chunk();
    const std::uint64_t wanted = std::min<std::uint64_t>(chunk.bytes.size(), most_bytes_ - bytes);
    const std::uint64_t got = read_(chunk.bytes.bytes().first(wanted));
    const std::uint64_t kept = std::min(got, room_ - std::min(bytes, room_));
    if (kept != 0) {
      if (bytes + kept > memory.size()) {
        memory.grow(std::min(room_, std::max(bytes + kept, 2 * memory.size())), bytes, queue);
      }
      chunk.queue->copy(memory.data() + bytes, chunk.bytes.bytes().first(kept));
      queue.start_after(*chunk.queue);
    }
    bytes += got;
    if (got < wanted) break;
  }
  return bytes;
}

PieceEncoder::PieceEncoder(const GsstEncodePlans& plans)
    : plans_(plans),
      input_(plans.executor()),
      output_(plans.executor()),
      state_(plans.executor()),
      report_(plans.executor()),
      report_on_host_(pipeline::Buffer::on_host(plans.executor(), 0)),
      frame_(pipeline::Buffer::on_host(plans.executor(), 0)),
      queue_(std::make_unique<pipeline::Queue>(plans.executor())) {}

void PieceEncoder::start(const EncodeSubject& subject) {
  const std::uint64_t input_bytes = subject.settings.input_bytes;
  bool has_state = plan_ && planned_bytes_ == input_bytes;
  if (!has_state) plan_ = plans_.make(subject);
  planned_bytes_ = input_bytes;
  const std::uint64_t status_bytes = bytes_of(*plan_, Role::status);
  const std::uint64_t report_bytes = aligned_to_8(status_bytes) + sizeof(std::uint64_t);
  output_.make_room(bytes_of(*plan_, Role::output));
  // Bytes that nothing is written to are read, though nothing depends on them: stage 10 reads up to 12 bytes
  // after a block's codes, and the gap in the report is copied with it.
  if (state_.make_room(bytes_of(*plan_, Role::state))) {
    has_state = false;
    state_.clear(*queue_);
  }
  if (report_.make_room(report_bytes)) report_.clear(*queue_);
  if (report_bytes > report_on_host_.size()) {
    report_on_host_ = pipeline::Buffer::on_host(plans_.executor(), report_bytes);
  }
  const std::array given = {
      to_read(input_.data(), input_bytes), Given{.data = output_.data(), .bytes = output_.size()},
      Given{.data = state_.data(), .bytes = state_.size()},
      Given{.data = report_.data(), .bytes = status_bytes},
      Given{.data = report_.data() + aligned_to_8(status_bytes), .bytes = sizeof(std::uint64_t)}};
  if (!has_state || depends_on_input(subject.tables)) plan_->prepare(given, queue_->stream());
  enqueue_all(*plan_, given, queue_->stream());
  queue_->copy(report_on_host_.data(), {report_.data(), report_bytes});
}

void PieceEncoder::fetch_frame() {
  queue_->wait();
  const std::uint64_t status_bytes = bytes_of(*plan_, Role::status);
  const std::span<const std::byte> report = std::as_bytes(report_on_host_.bytes());
  const Outcome outcome = plan_->check(report.first(status_bytes),
                                       report.subspan(aligned_to_8(status_bytes), sizeof(std::uint64_t)), 0);
  if (!outcome.is_complete) {
    throw std::logic_error("an encoder reports a frame that is larger than its output of " +
                           std::to_string(bytes_of(*plan_, Role::output)) + " bytes");
  }
  frame_bytes_ = outcome.count;
  if (frame_bytes_ > frame_.size()) {
    // With some to spare: the next piece's frame may be a little larger.
    const std::uint64_t room = std::min(frame_bytes_ + frame_bytes_ / 8, bytes_of(*plan_, Role::output));
    frame_ = pipeline::Buffer::on_host(plans_.executor(), room);
  }
  queue_->copy(frame_.data(), {output_.data(), frame_bytes_});
}

std::span<const std::uint8_t> PieceEncoder::finish() {
  queue_->wait();
  return frame_.bytes().first(frame_bytes_);
}

}  // namespace gsst::stage
