#include "common/stage/registry.hpp"
#include "stages/tile_integer/13_cpu_deltas/chains.hpp"
#include "stages/tile_integer/shared/cpu_stage.hpp"

// Format `dfor` on the host's processors.
namespace gsst::tile_integer::cpu {
namespace {

std::vector<InstructionSet> chain_sets() {
  std::vector<InstructionSet> sets = {{8, decode_chains_words}};
#if defined(__x86_64__)
  if (has_avx512()) sets.push_back({64, decode_chains_avx512});
#endif
  return sets;
}

const Decoder chain_decoder(format::tile_integer::Packing::chains, chain_sets());

const stage::Description chain_decoding = {.id = "tile_integer/13_cpu_deltas",
                                           .base = "tile_integer/13_cpu_codec",
                                           .title = "Past the paper: format dfor on one core",
                                           .section = "tile-based paper, 5 and 8",
                                           .format = format::tile_integer::dfor_format,
                                           .operation = stage::Operation::decode,
                                           .minimum_compute_capability = 0,
                                           .parameters = chain_decoder.parameters()};

void decode_chained_frame(const stage::DecodeRequest& request) {
  chain_decoder.decode(chain_decoding, request);
}

const stage::Registration chain_registration(stage::Executor::cpu, chain_decoding,
                                             stage::decode_plans(chain_decoding, decode_chained_frame));

}  // namespace
}  // namespace gsst::tile_integer::cpu
