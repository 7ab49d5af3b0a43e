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

/// Pieces of an input on their way through an executor, several at a time.
namespace gsst::stage {

/// Memory of the executor that grows, aligned as encoders ask for.
class GrowingMemory {
public:
  explicit GrowingMemory(Executor executor);

  /// Room for `bytes` bytes. Returns whether it moved: then what it held is lost.
  bool make_room(std::uint64_t bytes);
  /// The same, keeping the first `kept` bytes: `queue` copies them, and is empty then.
  void grow(std::uint64_t bytes, std::uint64_t kept, pipeline::Queue& queue);

  std::uint8_t* data() const { return data_; }
  std::uint64_t size() const { return size_; }

private:
  Executor executor_;
  pipeline::Buffer buffer_;
  std::uint8_t* data_ = nullptr;
  std::uint64_t size_ = 0;
};

/// Reads an input into the executor's memory, by way of a few chunks of page-locked memory: the next one is
/// read while those before it are copied.
class ChunkedReader {
public:
  /// Most bytes of a chunk, and how many there are. A link of 50 GB/s takes 0.16 ms for one.
  static constexpr std::uint64_t chunk_bytes = std::uint64_t{8} << 20;
  static constexpr std::size_t chunk_count = 3;

  /// `read` must outlive the object. No piece will have more than `most_bytes` bytes.
  ChunkedReader(Executor executor, const format::ReadFunction& read, std::uint64_t most_bytes);

  /// Reads up to `most_bytes` bytes of the constructor to `memory`, and returns how many there are: fewer
  /// only at the input's end. What is enqueued on `queue` from then on finds them. `memory` grows as they
  /// come in.
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
  std::vector<Chunk> chunks_;
  std::size_t next_ = 0;
};

/// Memory and a queue for one piece at a time.
class PieceEncoder {
public:
  /// `plans` must outlive the object; their executor must be available.
  explicit PieceEncoder(const GsstEncodePlans& plans);

  /// Where a piece is read to, and what is enqueued before start() finds it.
  GrowingMemory& input() { return input_; }
  pipeline::Queue& queue() { return *queue_; }

  /// Enqueues the encoding of the input, of as many bytes as `subject` says. The subjects of an object
  /// differ in nothing else. Throws std::invalid_argument as GsstEncodePlans::make does.
  void start(const EncodeSubject& subject);
  /// Waits for the encoding, and enqueues the frame's copy to the host.
  void fetch_frame();
  /// Waits for the copy. The frame stays until the next start().
  std::span<const std::uint8_t> finish();

private:
  const GsstEncodePlans& plans_;
  std::unique_ptr<Plan> plan_;
  std::uint64_t planned_bytes_ = 0;
  std::uint64_t frame_bytes_ = 0;
  GrowingMemory input_;
  GrowingMemory output_;
  GrowingMemory state_;
  // The statuses, and at an address that 8 divides the frame's bytes.
  GrowingMemory report_;
  pipeline::Buffer report_on_host_;
  pipeline::Buffer frame_;
  // Last: it waits for its work before the memory goes.
  std::unique_ptr<pipeline::Queue> queue_;
};

}  // namespace gsst::stage
