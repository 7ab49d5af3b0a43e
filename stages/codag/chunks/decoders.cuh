#pragma once

#include <cstdint>

#include "common/format/codag/deflate.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/07_parallel_runs/kernel_v1.cuh"
#include "stages/codag/07_parallel_runs_byte_rle/kernel_bytes.cuh"
#include "stages/codag/07_parallel_runs_rle_v2/kernel_v2.cuh"
#include "stages/codag/chunks/kernel_places.cuh"
#include "stages/codag/shared/chunk_status.cuh"
#include "stages/codag/shared/coded_chunk.cuh"
#include "stages/codag/shared/substream_chunk.cuh"
#include "stages/codag/shared/substream_pieces.cuh"

// What decodes the chunk of a place: the decoders of the series' stages.
namespace gsst::codag::chunks {
namespace {

// Of run lengths, as stages 07.
template <typename Codec>
struct DecoderOfRuns {
  static constexpr std::uint32_t memory_bytes = Codec::buffer_bytes;

  __device__ static DecodedChunk decode(const CodedChunk& chunk, bool /*may_have_less*/,
                                        std::uint8_t* memory) {
    Codec codec(chunk, memory);
    const auto problem = codec.decode();
    return {.status = chunk_status(chunk, problem, codec, codec), .bytes = chunk.values * chunk.value_bytes};
  }
};

// Of Deflate, as stage 08 with its default.
struct DecoderOfDeflate {
  static constexpr std::uint32_t segment_bits = 104;
  using Memory = WarpMemory<segment_bits>;
  static constexpr std::uint32_t memory_bytes = sizeof(Memory);

  __device__ static DecodedChunk decode(const CodedChunk& chunk, bool may_have_less, std::uint8_t* memory) {
    auto& own = *reinterpret_cast<Memory*>(memory);
    OwnPieces pieces(own.staged, chunk.output);
    const DecodedSubstreams decoded = decode_substreams(chunk, own.substreams, pieces);
    const auto status = format::codag::deflate_status_of(decoded.status);
    const bool is_right =
        may_have_less && status == format::codag::DeflateStatus::output_too_short && decoded.is_right;
    return {.status = is_right ? 0 : chunk_word_of_deflate(decoded.status), .bytes = decoded.bytes};
  }
};

}  // namespace
}  // namespace gsst::codag::chunks
