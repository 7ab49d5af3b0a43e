#include "common/frame/checksum_check.hpp"

#include <array>

#include "common/format/part_size.hpp"
#include "common/frame/checksum.cuh"
#include "common/frame/frame_fields.hpp"
#include "common/stage/launch.hpp"

namespace {

using gsst::format::ChecksumKind;
using gsst::frame::ChecksumCheck;
using gsst::stage::BlockOnDevice;

constexpr unsigned check_threads = 128;
constexpr std::uint64_t piece_bytes = gsst::format::checksum_piece_bytes;

__device__ inline ChecksumKind kind_of(const ChecksumCheck& check) {
  return check.stored_kind == nullptr ? check.kind : *check.stored_kind;
}

// Four lanes a piece of the output; whole warps. Of a block that was not decoded nothing is read: what a
// decoder leaves of it may never have been written.
__global__ void checksum_output_pieces(ChecksumCheck check) {
  if (kind_of(check) != ChecksumKind::xxh64_tree) return;
  const std::uint64_t number = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) / checksum_lanes;
  const std::uint64_t block_number = number / check.pieces_per_block;
  const std::uint8_t* bytes = check.output;
  std::uint64_t size = 0;
  if (block_number < check.frame.block_count && check.status[block_number] == 0) {
    const BlockOnDevice block = check.frame.block(static_cast<std::uint32_t>(block_number), check.output);
    const std::uint64_t begin = number % check.pieces_per_block * piece_bytes;
    if (begin < block.uncompressed_bytes) {
      const std::uint64_t left = block.uncompressed_bytes - begin;
      bytes = block.output + begin;
      size = left < piece_bytes ? left : piece_bytes;
    }
  }
  const std::uint64_t checksum = checksum_of_four_lanes(bytes, size);
  if (size != 0 && threadIdx.x % checksum_lanes == 0) check.piece_checksums[number] = checksum;
}

// Whether the record of `block` in the frame's index is the one that a block with this checksum has.
__device__ inline bool has_checksum(const ChecksumCheck& check, std::uint32_t number,
                                    const BlockOnDevice& block, std::uint64_t checksum) {
  using namespace gsst::format;
  std::uint8_t expected[record_header_bytes];
  write_record(expected, RecordKind::block,
               {.layout = block.layout,
                .payload_bytes = block.payload_bytes,
                .uncompressed_bytes = block.uncompressed_bytes,
                .checksum = checksum});
  const IndexEntryFields entry(check.frame.bytes + check.frame.index_offset +
                               std::uint64_t{number} * index_entry_bytes);
  for (unsigned byte = 0; byte < record_header_bytes; ++byte) {
    if (entry.record()[byte] != expected[byte]) return false;
  }
  return true;
}

// Four lanes a block; whole warps. For xxh64_tree the checksums of the pieces of decoded blocks are there.
__global__ void check_block_checksums(ChecksumCheck check) {
  const std::uint32_t number = (blockIdx.x * blockDim.x + threadIdx.x) / checksum_lanes;
  const bool is_decoded = number < check.frame.block_count && check.status[number] == 0;
  BlockOnDevice block = {};
  const std::uint8_t* bytes = check.output;
  std::uint64_t size = 0;
  if (is_decoded) {
    block = check.frame.block(number, check.output);
    bytes = block.output;
    size = block.uncompressed_bytes;
    if (kind_of(check) == ChecksumKind::xxh64_tree) {
      bytes = reinterpret_cast<const std::uint8_t*>(check.piece_checksums + number * check.pieces_per_block);
      size = gsst::format::part_size(size, piece_bytes) * sizeof(std::uint64_t);
    }
  }
  const std::uint64_t checksum = checksum_of_four_lanes(bytes, size);
  if (!is_decoded || threadIdx.x % checksum_lanes != 0) return;
  if (!has_checksum(check, number, block, checksum)) {
    check.status[number] = static_cast<std::uint32_t>(gsst::stage::BlockStatus::wrong_checksum);
  }
}

void launch_lanes(std::uint64_t groups_of_lanes, void (*kernel)(ChecksumCheck), const ChecksumCheck& check,
                  void* stream) {
  const std::uint64_t thread_blocks =
      gsst::format::part_size(groups_of_lanes * checksum_lanes, check_threads);
  gsst::stage::launch({.thread_blocks = static_cast<unsigned>(thread_blocks),
                       .threads_per_block = check_threads,
                       .shared_bytes = 0,
                       .stream = stream},
                      kernel, check);
}

void enqueue(const ChecksumCheck& check, gsst::stage::Stream stream) {
  if (check.kind == ChecksumKind::xxh64_tree) {
    launch_lanes(check.frame.block_count * check.pieces_per_block, checksum_output_pieces, check, stream);
  }
  launch_lanes(check.frame.block_count, check_block_checksums, check, stream);
}

const gsst::stage::KernelsOn<gsst::frame::ChecksumKernels> registration(gsst::stage::this_executor,
                                                                        {.enqueue = enqueue});

}  // namespace
