#include "common/stage/registry.hpp"
#include "stages/tile_integer/13_cpu_codec/encode_block.hpp"
#include "stages/tile_integer/13_cpu_codec/packed_blocks.hpp"
#include "stages/tile_integer/encode/host_encode_plans.hpp"
#include "stages/tile_integer/shared/cpu_stage.hpp"

// Format `for` on the host's processors, and the encoder of all formats.
namespace gsst::tile_integer::cpu {
namespace {

std::vector<InstructionSet> packed_block_sets() {
  std::vector<InstructionSet> sets = {{8, decode_packed_blocks_words}};
#if defined(__x86_64__)
  if (has_avx512()) sets.push_back({64, decode_packed_blocks_avx512});
#endif
  return sets;
}

const Decoder packed_block_decoder(format::tile_integer::Packing::values, packed_block_sets());

const stage::Description packed_block_decoding = {.id = "tile_integer/13_cpu_codec",
                                                  .base = "",
                                                  .title = "Past the paper: format for on one core",
                                                  .section = "tile-based paper, 4.1 and 8",
                                                  .format = format::tile_integer::for_format,
                                                  .operation = stage::Operation::decode,
                                                  .minimum_compute_capability = 0,
                                                  .parameters = packed_block_decoder.parameters()};

void decode_packed_frame(const stage::DecodeRequest& request) {
  packed_block_decoder.decode(packed_block_decoding, request);
}

const stage::Registration packed_block_registration(stage::Executor::cpu, packed_block_decoding,
                                                    stage::decode_plans(packed_block_decoding,
                                                                        decode_packed_frame));

const stage::Description integer_encoding = {.id = "tile_integer/13_cpu_codec",
                                             .base = "",
                                             .title = "Past the paper: all three formats on one core",
                                             .section = "tile-based paper, 4 to 6 and 8",
                                             .format = format::tile_integer::for_format,
                                             .operation = stage::Operation::encode,
                                             .minimum_compute_capability = 0,
                                             .parameters = {threads_parameter()}};

const HostEncodePlans encode_plans_of_host(integer_encoding, encode_block);
const stage::Registration encoder_registration(stage::Executor::cpu, integer_encoding, &encode_plans_of_host);

}  // namespace
}  // namespace gsst::tile_integer::cpu
