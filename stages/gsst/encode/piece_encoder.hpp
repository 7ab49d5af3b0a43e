#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "common/format/stream.hpp"
#include "common/pipeline/buffer.hpp"
#include "common/pipeline/queue.hpp"
#include "stages/gsst/encode/encode_plans.hpp"

/// Encoding an input in pieces, several of which are in flight.
namespace gsst::stage {

/// Memory of the executor that grows. Its address is aligned to encode_alignment.
class GrowingMemory {
public:
  explicit GrowingMemory(Executor executor);

  /// Makes room for `bytes` bytes. Returns whether the memory moved; its content is lost then.
  bool make_room(std::uint64_t bytes);
  /// Makes room and keeps the first `kept` bytes: `queue` copies them. Waits for the queue if there are any.
  void grow(std::uint64_t bytes, std::uint64_t kept, pipeline::Queue& queue);
  /// Enqueues setting all bytes to 0.
  void clear(pipeline::Queue& queue);

  std::uint8_t* data() const { return data_; }
  std::uint64_t size() const { return size_; }

private:
  Executor executor_;
  pipeline::Buffer buffer_;
  std::uint8_t* data_ = nullptr;
  std::uint64_t size_ = 0;
};

/// Reads an input into the executor's memory through a few chunks of page-locked memory: one is read while
/// the others are copied.
class ChunkedReader {
public:
  /// Most bytes of a chunk, and how many there are. A link of 50 GB/s takes 0.16 ms for one.
  static constexpr std::uint64_t chunk_bytes = std::uint64_t{8} << 20;
  static constexpr std::size_t chunk_count = 3;

  /// `read` must outlive the object. A piece has at most `most_bytes` bytes, of which the first `room` are
  /// kept: the rest of a piece that does not fit is only counted.
  ChunkedReader(Executor executor, const format::ReadFunction& read, std::uint64_t most_bytes,
                std::uint64_t room);

  /// Reads the next piece into `memory`, which grows as bytes arrive, to `room` bytes at most. Returns the
  /// bytes of the piece: fewer than `most_bytes` only at the input's end. Work that is enqueued on `queue`
  /// after the call finds them in `memory`.
  std::uint64_t read_piece(GrowingMemory& memory, pipeline::Queue& queue);

private:
  struct Chunk {
    pipeline::Buffer bytes;
    // Last: it waits for its work before the memory goes.
    std::unique_ptr<pipeline::Queue> queue;
  };

  Chunk& next_chunk();

  Executor executor_;
  const format::ReadFunction& read_;
  std::uint64_t most_bytes_;
  std::uint64_t room_;
  std::vector<Chunk> chunks_;
  std::size_t next_ = 0;
};

/// Memory and a queue for one piece at a time.
class PieceEncoder {
public:
  /// `plans` must outlive the object; their executor must be available.
  explicit PieceEncoder(const GsstEncodePlans& plans);

  /// Where a piece is read to, and the queue on which its copies come before the encoding.
  GrowingMemory& input() { return input_; }
  pipeline::Queue& queue() { return *queue_; }

  /// Enqueues the encoding of the input, which has settings.input_bytes bytes: all that the subjects of an
  /// object differ in. Throws std::invalid_argument as GsstEncodePlans::make does.
  void start(const EncodeSubject& subject);
  /// Waits for the encoding, and enqueues the frame's copy to the host.
  void fetch_frame();
  /// Waits for the copy and returns the frame, which is valid until the next start().
  std::span<const std::uint8_t> finish();

private:
  const GsstEncodePlans& plans_;
  std::unique_ptr<Plan> plan_;
  std::uint64_t planned_bytes_ = 0;
  std::uint64_t frame_bytes_ = 0;
  GrowingMemory input_;
  GrowingMemory output_;
  GrowingMemory state_;
  // The statuses, and the frame's size at the next address that 8 divides.
  GrowingMemory report_;
  pipeline::Buffer report_on_host_;
  pipeline::Buffer frame_;
  // Last: it waits for its work before the memory goes.
  std::unique_ptr<pipeline::Queue> queue_;
};

}  // namespace gsst::stage
