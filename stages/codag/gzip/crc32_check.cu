#include <span>

#include "common/stage/launch.hpp"
// After launch.hpp, which gives kernels CUDA's words where the compiler has none.
#include "stages/codag/gzip/kernel_crc32.cuh"

namespace gsst::codag::gzip {
namespace {

void enqueue_crc32(const ChecksumCheck& check, stage::Stream stream) {
  launch_warps(check.piece_count, sizeof(RowTables), sum_crc32_pieces, check, stream);
  launch_warps(check.block_count, 0, compare_crc32, check, stream);
}

void prepare_crc32(const ChecksumCheck& check, const ChecksumLists& lists, stage::Stream stream) {
  static const Crc32Tables tables = make_crc32_tables();
  fill(check.tables, std::span<const Crc32Tables>(&tables, 1), stream);
  fill(check.pieces, lists.pieces, stream);
  fill(check.first_piece, lists.first_piece, stream);
}

const stage::KernelsOn<Crc32Kernels> crc32_registration(stage::this_executor, {{.prepare = prepare_crc32,
                                                                                .enqueue = enqueue_crc32}});

}  // namespace
}  // namespace gsst::codag::gzip
