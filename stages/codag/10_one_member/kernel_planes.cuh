#pragma once

#include <cstdint>

#include "common/format/codag/deflate.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/codag/10_one_member/kernel_work.cuh"
#include "stages/codag/shared/coded_chunk.cuh"
#include "stages/codag/shared/substream_chunk.cuh"
#include "stages/codag/shared/substream_copies.cuh"
#include "stages/codag/shared/substream_pieces.cuh"
#include "stages/codag/shared/warp_lanes.cuh"
#include "stages/codag/shared/word_bytes.cuh"

// Pieces are decoded before what precedes them is known: to two bytes for each byte of output, one in each of
// two planes. Equal ones are the byte; others are a place of the window, the 32 KiB before the piece.
namespace gsst::codag {
namespace {

using format::codag::deflate_window_bytes;

// Of a piece in each plane: its window, and its output in whole 16-byte units.
__device__ inline std::uint64_t plane_bytes_of(std::uint32_t bytes) {
  return deflate_window_bytes + (std::uint64_t{bytes} + 15) / 16 * 16;
}

// Whether it can be a piece of a batch.
__device__ inline bool has_room(const MemberWork& work, std::uint32_t bytes) {
  return plane_bytes_of(bytes) <= work.batch_bytes / 4;
}

struct TwinByte {
  std::uint32_t first;
  std::uint32_t second;

  __device__ bool is_known() const { return first == second; }
  // Of a window, where it is not known.
  __device__ std::uint32_t place() const {
    return (first | ((second - first - 1) & 0xff) << 8) % deflate_window_bytes;
  }
};

// What stands for a place of the window.
__device__ inline TwinByte twin_of_place(std::uint32_t place) {
  const std::uint32_t first = place & 0xff;
  return {.first = first, .second = (first + 1 + (place >> 8)) & 0xff};
}

// A piece's planes, from its window on.
class TwinPlanes {
public:
  __device__ TwinPlanes(const MemberWork& work, const MemberPiece& piece)
      : first_(work.planes + piece.plane_offset), to_second_(work.plane_bytes) {}

  __device__ std::uint8_t* first() const { return first_; }
  __device__ std::uint64_t to_second() const { return to_second_; }
  __device__ TwinByte at(std::uint64_t place) const {
    return {.first = first_[place], .second = first_[place + to_second_]};
  }
  __device__ void set(std::uint64_t place, const TwinByte& byte) const {
    first_[place] = static_cast<std::uint8_t>(byte.first);
    first_[place + to_second_] = static_cast<std::uint8_t>(byte.second);
  }

private:
  std::uint8_t* first_;
  std::uint64_t to_second_;
};

// As SharedOutput, in both planes.
class TwinOutput : public SharedOutput {
public:
  __device__ TwinOutput(std::uint8_t* output, std::uint32_t bytes, std::uint64_t to_second)
      : SharedOutput(output, bytes), second_(output + to_second) {}

  __device__ void write_value(std::uint32_t value) {
    second_.write_value(place(), value);
    SharedOutput::write_value(value);
  }
  __device__ void copy(std::uint32_t distance, std::uint32_t count) {
    second_.copy(place(), distance, count);
    SharedOutput::copy(distance, count);
  }
  __device__ void write_bytes(const std::uint8_t* bytes, std::uint32_t count) {
    second_.write_bytes(place(), bytes, count);
    SharedOutput::write_bytes(bytes, count);
  }

private:
  WordBytes second_;
};

// As OwnPieces, in both planes: elements are decoded once and matches are copied twice.
class TwinPieces {
public:
  __device__ TwinPieces(StagedOutput& staged, std::uint8_t* output, std::uint64_t to_second)
      : first_(staged, output), second_(staged, output + to_second) {}

  __device__ StagedOutput& next() { return first_.next(); }
  __device__ void give(const PieceOfOutput& piece) {
    first_.give(piece);
    second_.give(piece);
  }
  __device__ void finish() {}

private:
  OwnPieces first_;
  OwnPieces second_;
};

// A warp for each piece of a batch, a thread block each: both planes, with windows in which each byte stands
// for its own place.
__global__ void decode_to_planes(MemberWork work, std::uint32_t batch) {
  GSST_SHARED_MEMORY(memory);
  auto& own = *reinterpret_cast<WarpMemory<member_segment_bits>*>(memory);
  const std::uint32_t number = work.batch_begin[batch] + blockIdx.x;
  if (number >= work.batch_begin[batch + 1]) return;
  const std::uint32_t slot = work.order[number];
  const MemberPiece piece = work.pieces[slot];
  const PieceOfBlock place = piece_of_slot(work, slot);
  const TwinPlanes planes(work, piece);
  for (std::uint32_t i = lane_number(); i < deflate_window_bytes; i += lanes_of_warp) {
    planes.set(i, twin_of_place(i));
  }
  __syncwarp();
  // What can be reached of the output before the piece.
  const std::uint32_t before = piece.place < deflate_window_bytes ? piece.place : deflate_window_bytes;
  CodedChunk chunk = byte_chunk(work.frame.block(place.block, work.output));
  chunk.output = planes.first() + deflate_window_bytes - before;
  chunk.values = before + piece.bytes;
  TwinOutput output(chunk.output, chunk.values, planes.to_second());
  output.advance(before);
  TwinPieces pieces(own.staged, chunk.output, planes.to_second());
  const ChunkPart part = {.bit = piece.begin_bit, .place = before, .end_bit = piece.end_bit};
  const bool is_right = decode_part(chunk, part, own.substreams, output, pieces).is_right;
  if (!is_right && lane_number() == 0) atomicMax(work.decoded_alone + place.block, ~place.piece);
}

}  // namespace
}  // namespace gsst::codag
