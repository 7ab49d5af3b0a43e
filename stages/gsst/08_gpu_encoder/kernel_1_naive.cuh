#pragma once

#include <cstdint>

#include "stages/gsst/08_gpu_encoder/tiles.cuh"

// FSST's own encoder, a thread for each tile: byte by byte from and to global memory, where its tables are
// too.
namespace {

// Finds symbols in FSST's tables in global memory (paper 3).
class FsstLookup {
public:
  GSST_HOST_DEVICE static std::uint32_t shared_bytes(const CompactShape& /*shape*/) { return 0; }

  __device__ FsstLookup(const EncodeJob& job, std::uint32_t block, std::uint8_t* /*shared*/)
      : tables_(job.fsst_tables[job.parts.table_of(block)]) {}

  // The match at the start of the next 8 bytes, first byte lowest, of which `remaining` are input.
  __device__ Match find(std::uint32_t low, std::uint32_t high, std::uint32_t remaining) const {
    const FsstTables::Symbol& symbol = tables_.hash[symbol_hash_slot(low)];
    const std::uint32_t length = length_of(symbol.match);
    if (length <= remaining) {
      const std::uint64_t word = low | std::uint64_t{high} << 32;
      if ((word & (~std::uint64_t{0} >> (64 - 8 * length))) == symbol.bytes) return symbol.match;
    }
    const Match pair = tables_.short_codes[low & 0xffff];
    return length_of(pair) <= remaining ? pair : tables_.byte_codes[low & 0xff];
  }

private:
  const FsstTables& tables_;
};

// Lookup: shared_bytes() bytes of shared memory. Any grid of groups.
template <typename Lookup>
__global__ void encode_tiles(EncodeJob job) {
  GSST_SHARED_MEMORY(shared);
  const Tile tile = tile_of_thread(job);
  const Lookup lookup(job, tile.block, shared);
  std::uint8_t* const codes = job.regions + tile.thread * job.region_bytes;
  std::uint32_t code_bytes = 0;
  std::uint32_t position = 0;
  while (position < tile.input.size) {
    const std::uint32_t left = tile.input.size - position;
    const std::uint32_t remaining = left < 8 ? left : 8;
    std::uint64_t word = 0;
    for (std::uint32_t byte = 0; byte < remaining; ++byte) {
      word |= std::uint64_t{tile.input.bytes[position + byte]} << (8 * byte);
    }
    const Match match =
        lookup.find(static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32), remaining);
    codes[code_bytes++] = code_of(match);
    if (code_of(match) == gsst::format::escape_code) codes[code_bytes++] = static_cast<std::uint8_t>(word);
    position += length_of(match);
  }
  set_code_bytes(job, tile, code_bytes);
}

// A thread copies its tile's codes to their place in the frame.
__global__ void copy_regions(EncodeJob job) {
  const Tile tile = tile_of_thread(job);
  const FramePiece to = codes_in_frame(job, tile.block, tile.split);
  const std::uint8_t* const codes = job.regions + tile.thread * job.region_bytes;
  for (std::uint32_t byte = 0; byte < to.size; ++byte) to.bytes[byte] = codes[byte];
}

}  // namespace
