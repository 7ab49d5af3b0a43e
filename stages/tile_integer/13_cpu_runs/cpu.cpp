#include "common/stage/registry.hpp"
#include "stages/tile_integer/13_cpu_runs/run_blocks.hpp"
#include "stages/tile_integer/shared/cpu_stage.hpp"

// Format `rfor` on the host's processors.
namespace gsst::tile_integer::cpu {
namespace {

std::vector<InstructionSet> run_block_sets() {
  std::vector<InstructionSet> sets = {{8, decode_run_blocks_words}};
#if defined(__x86_64__)
  if (has_avx512()) sets.push_back({64, decode_run_blocks_avx512});
#endif
  return sets;
}

const Decoder run_decoder(format::tile_integer::Packing::runs, run_block_sets());

const stage::Description run_decoding = {.id = "tile_integer/13_cpu_runs",
                                         .base = "tile_integer/13_cpu_codec",
                                         .title = "Past the paper: format rfor on one core",
                                         .section = "tile-based paper, 6 and 8",
                                         .format = format::tile_integer::rfor_format,
                                         .operation = stage::Operation::decode,
                                         .minimum_compute_capability = 0,
                                         .parameters = run_decoder.parameters()};

void decode_frame_of_runs(const stage::DecodeRequest& request) {
  run_decoder.decode(run_decoding, request);
}

const stage::Registration run_registration(stage::Executor::cpu, run_decoding,
                                           stage::decode_plans(run_decoding, decode_frame_of_runs));

}  // namespace
}  // namespace gsst::tile_integer::cpu
