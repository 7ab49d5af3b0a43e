#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "common/stage/stage.hpp"

/// Files of the bare form (FORMAT.md, section 11.2) from host memory to host memory, through an executor, in
/// batches that overlap. A stage registers a HostToHost for each of its executors (stage::KernelsOn); it
/// writes files that are read and written in one pass through its EncodePlans as any other stage does.
namespace gsst::zero_length {

/// How the data is cut, and how much of it is under way.
struct BatchShape {
  /// Uncompressed bytes of every block but the last, 1 to format::max_block_bytes; most bytes of a block
  /// where files are decoded.
  std::uint64_t block_bytes;
  /// Of each batch but the last, at least 1.
  std::uint64_t batch_blocks;
  /// Batches that are under way at the same time, at least 1. Three keep both directions of a link busy: one
  /// arrives, one is in the kernels, one goes back.
  unsigned slots;

  /// Uncompressed bytes of a batch.
  std::uint64_t batch_bytes() const { return block_bytes * batch_blocks; }
};

/// Encodes in memory that it keeps from one call to the next. One call at a time.
class HostEncoder {
public:
  HostEncoder() = default;
  HostEncoder(const HostEncoder&) = delete;
  HostEncoder& operator=(const HostEncoder&) = delete;
  virtual ~HostEncoder() = default;

  /// Bytes of the executor's memory that are kept, whatever is encoded: as many for each slot.
  virtual std::uint64_t memory_bytes() const = 0;

  /// Encodes `input` to the start of `output` and returns the bytes of the file, which are the codec's. Both
  /// are host memory at any address, of any size; page-locked memory alone is copied while kernels run.
  /// Nothing is written behind the file. Throws std::length_error where the file is longer than `output`,
  /// which then holds nothing of use, and cuda::CudaError.
  virtual std::uint64_t encode(std::span<const std::uint8_t> input, std::span<std::uint8_t> output) = 0;
};

/// Encodes batches of blocks that arrive one by one, several at the same time. One thread may start batches
/// while another finishes them; no two may do the same. Whoever calls sees to it that no more batches than
/// there are slots are started and not yet given up.
class BatchEncoder {
public:
  BatchEncoder() = default;
  BatchEncoder(const BatchEncoder&) = delete;
  BatchEncoder& operator=(const BatchEncoder&) = delete;
  /// Waits for what was started.
  virtual ~BatchEncoder() = default;

  /// As HostEncoder::memory_bytes(). On top of it a slot takes the largest encoded batch of page-locked host
  /// memory.
  virtual std::uint64_t memory_bytes() const = 0;

  /// Enqueues the next batch: `input`, in host memory, which stays as it is until finish() has returned this
  /// batch; page-locked memory alone is copied beside the caller. Waits for nothing. Throws
  /// std::invalid_argument where it has no bytes or more than a batch, cuda::CudaError.
  virtual void start(std::span<const std::uint8_t> input) = 0;

  /// Waits for the oldest batch that is not finished, which has been started, and returns its blocks of the
  /// bare form, without a guard block: page-locked host memory that stays as it is until as many batches as
  /// there are slots have been started after this one. Their indexes count from `first_block`. Throws
  /// cuda::CudaError.
  virtual std::span<const std::uint8_t> finish(std::uint64_t first_block) = 0;
};

/// Decodes in memory that it keeps from one call to the next. One call at a time.
class HostDecoder {
public:
  HostDecoder() = default;
  HostDecoder(const HostDecoder&) = delete;
  HostDecoder& operator=(const HostDecoder&) = delete;
  virtual ~HostDecoder() = default;

  /// As HostEncoder::memory_bytes(). On top of it a file takes 44 bytes of page-locked host memory a block.
  virtual std::uint64_t memory_bytes() const = 0;

  /// Decodes `file` to the start of `output` and returns the decoded bytes. Both are host memory at any
  /// address, of any size, as those of HostEncoder::encode(). Nothing is written behind these bytes. Where it
  /// throws, `output` holds nothing of use. Throws format::FormatError as the codec does, which names block
  /// and byte; std::length_error where the decoded bytes are more than `output` has, std::invalid_argument
  /// where a block has more than BatchShape::block_bytes, both before anything is decoded; cuda::CudaError.
  virtual std::uint64_t decode(std::span<const std::uint8_t> file, std::span<std::uint8_t> output) = 0;
};

/// What a stage offers on an executor, which must be available.
struct HostToHost {
  /// The stage's id.
  std::string_view stage;
  /// The shape that these parameters of the stage ask for. Throws std::invalid_argument for others.
  BatchShape (*shape)(std::uint64_t block_bytes, const stage::ParameterValues& parameters);
  /// Throw std::bad_alloc, cuda::CudaError.
  std::unique_ptr<HostEncoder> (*make_encoder)(const BatchShape& shape);
  std::unique_ptr<BatchEncoder> (*make_batch_encoder)(const BatchShape& shape);
  std::unique_ptr<HostDecoder> (*make_decoder)(const BatchShape& shape);
};

}  // namespace gsst::zero_length
