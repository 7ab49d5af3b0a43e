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

// A thread block of threads_of_windows threads for each group. Each window is the end of what precedes it in
// memory: the window before and the output after that.
__global__ void compose_windows(MemberWork work, std::uint32_t batch) {
  const BatchOfPieces pieces(work, batch);
  const std::uint32_t begin = pieces.begin + blockIdx.x * pieces_of_group;
  const std::uint32_t end = begin + pieces_of_group;
  // The last piece of a batch has none after it.
  for (std::uint32_t number = begin; number < end && number + 1 < pieces.end; ++number) {
    const bool is_first = number == begin;
    const std::uint32_t bytes = pieces.piece(number).bytes;
    const TwinPlanes own = pieces.planes(number);
    const TwinPlanes next = pieces.planes(number + 1);
    for (std::uint32_t i = threadIdx.x; i < deflate_window_bytes; i += threads_of_windows) {
      const std::uint32_t place = bytes + i;
      const bool is_of_window = place < deflate_window_bytes;
      // The group before may have changed the first window, in which each byte stood for its place.
      TwinByte byte = is_first && is_of_window ? twin_of_place(place) : own.at(place);
      if (!is_first && !is_of_window && !byte.is_known()) byte = own.at(byte.place());
      next.set(i, byte);
    }
    __syncthreads();
  }
}

// One thread block of threads_of_windows threads: the first windows of groups, one after the other. All of
// them are known then.
__global__ void complete_windows(MemberWork work, std::uint32_t batch) {
  const BatchOfPieces pieces(work, batch);
  for (std::uint32_t number = pieces.begin; number < pieces.end; number += pieces_of_group) {
    const TwinPlanes own = pieces.planes(number);
    if (number == pieces.begin) {
      const MemberPiece& piece = pieces.piece(number);
      const std::uint32_t block = piece_of_slot(work, work.order[number]).block;
      const std::uint8_t* const output = work.frame.block(block, work.output).output;
      for (std::uint32_t i = threadIdx.x; i < deflate_window_bytes; i += threads_of_windows) {
        const std::uint32_t place = piece.place + i;
        // What precedes the chunk is nobody's source.
        const std::uint32_t byte =
            place < deflate_window_bytes ? 0 : std::uint32_t{output[place - deflate_window_bytes]};
        own.set(i, {.first = byte, .second = byte});
      }
    } else {
      const TwinPlanes before = pieces.planes(number - pieces_of_group);
      for (std::uint32_t i = threadIdx.x; i < deflate_window_bytes; i += threads_of_windows) {
        TwinByte byte = own.at(i);
        if (!byte.is_known()) byte = before.at(byte.place());
        own.set(i, byte);
      }
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
