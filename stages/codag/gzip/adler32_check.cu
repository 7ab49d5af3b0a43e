#include "common/stage/launch.hpp"
// After launch.hpp, which gives kernels CUDA's words where the compiler has none.
#include "stages/codag/gzip/kernel_adler32.cuh"

namespace gsst::codag::gzip {
namespace {

void enqueue_adler32(const ChecksumCheck& check, stage::Stream stream) {
  launch_warps(check.piece_count, 0, sum_adler32_pieces, check, stream);
  launch_warps(check.block_count, 0, compare_adler32, check, stream);
}

void prepare_adler32(const ChecksumCheck& check, const ChecksumLists& lists, stage::Stream stream) {
  fill(check.pieces, lists.pieces, stream);
  fill(check.first_piece, lists.first_piece, stream);
}

const stage::KernelsOn<Adler32Kernels> adler32_registration(stage::this_executor,
                                                            {{.prepare = prepare_adler32,
                                                              .enqueue = enqueue_adler32}});

}  // namespace
}  // namespace gsst::codag::gzip
