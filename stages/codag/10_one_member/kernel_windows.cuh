#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/10_one_member/kernel_planes.cuh"
#include "stages/codag/10_one_member/kernel_work.cuh"

// The windows of pieces, from one to the next, and the bytes that stand for places of them.
namespace gsst::codag {
namespace {

// Pieces of a group: their windows become places of the first one's, of all groups at the same time.
constexpr std::uint32_t pieces_of_group = 32;
constexpr std::uint32_t threads_of_windows = 1024;
constexpr std::uint32_t threads_of_bytes = 256;

// The used pieces of a batch.
struct BatchOfPieces {
  __device__ BatchOfPieces(const MemberWork& decoding, std::uint32_t batch)
      : work(decoding), begin(decoding.batch_begin[batch]), end(decoding.batch_begin[batch + 1]) {}

  __device__ const MemberPiece& piece(std::uint32_t number) const { return work.pieces[work.order[number]]; }
  __device__ TwinPlanes planes(std::uint32_t number) const { return {work, piece(number)}; }

  const MemberWork& work;
  std::uint32_t begin;
  std::uint32_t end;
};

// All threads of a thread block of threads_of_windows: sets a window to what `load` gives for each place and
// `complete` makes of that. A thread has several bytes under way: with one at a time it would only wait.
template <typename Load, typename Complete>
__device__ inline void set_window(const TwinPlanes& window, const Load& load, const Complete& complete) {
  constexpr std::uint32_t bytes_of_thread = 8;
  static_assert(deflate_window_bytes % (bytes_of_thread * threads_of_windows) == 0);
  for (std::uint32_t first = threadIdx.x; first < deflate_window_bytes;
       first += bytes_of_thread * threads_of_windows) {
    TwinByte bytes[bytes_of_thread];
#pragma unroll
    for (std::uint32_t i = 0; i < bytes_of_thread; ++i) bytes[i] = load(first + i * threads_of_windows);
#pragma unroll
    for (std::uint32_t i = 0; i < bytes_of_thread; ++i) {
      bytes[i] = complete(bytes[i], first + i * threads_of_windows);
    }
#pragma unroll
    for (std::uint32_t i = 0; i < bytes_of_thread; ++i) window.set(first + i * threads_of_windows, bytes[i]);
  }
}

// A thread block of threads_of_windows threads for each group. Each window is the end of what precedes it in
// memory: the window before and the output after that.
__global__ void __launch_bounds__(threads_of_windows) compose_windows(MemberWork work, std::uint32_t batch) {
  const BatchOfPieces pieces(work, batch);
  const std::uint32_t begin = pieces.begin + blockIdx.x * pieces_of_group;
  const std::uint32_t end = begin + pieces_of_group;
  // The last piece of a batch has none after it.
  for (std::uint32_t number = begin; number < end && number + 1 < pieces.end; ++number) {
    const bool is_first = number == begin;
    const std::uint32_t bytes = pieces.piece(number).bytes;
    const TwinPlanes own = pieces.planes(number);
    const TwinPlanes next = pieces.planes(number + 1);
    const auto is_of_window = [&](std::uint32_t i) { return bytes + i < deflate_window_bytes; };
    set_window(
        next,
        [&](std::uint32_t i) {
          // The group before may have changed the first window, in which each byte stood for its place.
          return is_first && is_of_window(i) ? twin_of_place(bytes + i) : own.at(bytes + i);
        },
        [&](const TwinByte& byte, std::uint32_t i) {
          return is_first || is_of_window(i) || byte.is_known() ? byte : own.at(byte.place());
        });
    __syncthreads();
  }
}

// One thread block of threads_of_windows threads: the first windows of groups, one after the other. All of
// them are known then.
__global__ void __launch_bounds__(threads_of_windows) complete_windows(MemberWork work, std::uint32_t batch) {
  const BatchOfPieces pieces(work, batch);
  for (std::uint32_t number = pieces.begin; number < pieces.end; number += pieces_of_group) {
    const TwinPlanes own = pieces.planes(number);
    if (number == pieces.begin) {
      const MemberPiece& piece = pieces.piece(number);
      const std::uint32_t block = piece_of_slot(work, work.order[number]).block;
      const std::uint8_t* const output = work.frame.block(block, work.output).output;
      set_window(
          own,
          [&](std::uint32_t i) -> TwinByte {
            const std::uint32_t place = piece.place + i;
            // What precedes the chunk is nobody's source.
            const std::uint32_t byte =
                place < deflate_window_bytes ? 0 : std::uint32_t{output[place - deflate_window_bytes]};
            return {.first = byte, .second = byte};
          },
          [](const TwinByte& byte, std::uint32_t /*i*/) { return byte; });
    } else {
      const TwinPlanes before = pieces.planes(number - pieces_of_group);
      set_window(
          own, [&](std::uint32_t i) { return own.at(i); },
          [&](const TwinByte& byte, std::uint32_t /*i*/) {
            return byte.is_known() ? byte : before.at(byte.place());
          });
    }
    __syncthreads();
  }
}

// A thread block of threads_of_bytes threads for each piece of a batch: its output.
__global__ void write_known_bytes(MemberWork work, std::uint32_t batch) {
  const BatchOfPieces pieces(work, batch);
  const std::uint32_t number = pieces.begin + blockIdx.x;
  if (number >= pieces.end) return;
  const MemberPiece& piece = pieces.piece(number);
  const std::uint32_t block = piece_of_slot(work, work.order[number]).block;
  std::uint8_t* const output = work.frame.block(block, work.output).output + piece.place;
  const TwinPlanes own = pieces.planes(number);
  const TwinPlanes group = pieces.planes(number - blockIdx.x % pieces_of_group);
  for (std::uint32_t i = threadIdx.x; i < piece.bytes; i += threads_of_bytes) {
    TwinByte byte = own.at(std::uint64_t{deflate_window_bytes} + i);
    if (!byte.is_known()) byte = own.at(byte.place());
    if (!byte.is_known()) byte = group.at(byte.place());
    output[i] = static_cast<std::uint8_t>(byte.first);
  }
}

}  // namespace
}  // namespace gsst::codag
