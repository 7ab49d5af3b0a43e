#pragma once

#include <cstdint>

#include "common/format/gsst/symbol_table.hpp"
#include "stages/gsst/shared/aligned_transfer.cuh"

namespace gsst::stage {

/// Collects symbols in the thread's buffer in shared memory. It is written to global memory first when it
/// reaches an aligned address there, byte by byte, and then whenever it is full, in whole transfers (thesis
/// 4.3.2). Stages use it from 04 on.
template <int Alignment, int Transfers>
class OutputBuffer {
public:
  /// `buffer` has Alignment * Transfers bytes, aligned to Alignment; `output` is global memory for
  /// `output_bytes` bytes.
  __device__ OutputBuffer(std::uint8_t* buffer, std::uint8_t* output, std::uint32_t output_bytes)
      : buffer_(buffer),
        next_(output),
        left_(output_bytes),
        unaligned_(bytes_to_aligned<Alignment>(output)) {}

  /// Bytes of the output that are still missing.
  __device__ std::uint32_t left() const { return left_; }

  /// Adds the first `length` bytes of `symbol`, the first in its lowest byte; as many must be left.
  __device__ void put(std::uint64_t symbol, std::uint32_t length) {
    left_ -= length;
    const std::uint32_t room = (unaligned_ != 0 ? unaligned_ : Transfers * Alignment) - filled_;
    if (length < room) {
      store(symbol, length);
      return;
    }
    store(symbol, room);
    flush();
    if (length > room) store(symbol >> (8 * room), length - room);
  }

  /// Writes what the buffer holds to the output.
  __device__ void flush() {
    std::uint32_t flushed = 0;
    if (unaligned_ == 0) {
      for (; flushed + Alignment <= filled_; flushed += Alignment) {
        transfer<Alignment>(next_ + flushed, buffer_ + flushed);
      }
    }
    for (; flushed < filled_; ++flushed) next_[flushed] = buffer_[flushed];
    next_ += filled_;
    filled_ = 0;
    unaligned_ = 0;
  }

private:
  __device__ void store(std::uint64_t symbol, std::uint32_t length) {
#pragma unroll
    for (std::uint32_t byte = 0; byte < format::max_symbol_length; ++byte) {
      if (byte < length) buffer_[filled_ + byte] = static_cast<std::uint8_t>(symbol >> (8 * byte));
    }
    filled_ += length;
  }

  std::uint8_t* buffer_;
  std::uint8_t* next_;
  std::uint32_t left_;
  std::uint32_t unaligned_;
  std::uint32_t filled_ = 0;
};

}  // namespace gsst::stage
