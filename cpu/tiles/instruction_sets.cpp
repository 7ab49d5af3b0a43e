#include "cpu/tiles/instruction_sets.hpp"

#include <vector>

namespace gsst::cpu::tiles {
namespace {

std::vector<InstructionSet> find_instruction_sets() {
  std::vector<InstructionSet> sets = {{.name = "portable",
                                       .decode_strip = decode_strip_portable,
                                       .parse_segments = parse_segments_portable,
                                       .pack_tiles = pack_tiles_portable}};
#if defined(__x86_64__)
  if (runs_avx2()) {
    sets.push_back({.name = "avx2",
                    .decode_strip = decode_strip_avx2,
                    .parse_segments = parse_segments_avx2,
                    .pack_tiles = pack_tiles_avx2});
  }
  if (runs_avx512()) {
    sets.push_back({.name = "avx512",
                    .decode_strip = decode_strip_avx512,
                    .parse_segments = parse_segments_avx2,
                    .pack_tiles = pack_tiles_avx2});
  }
#endif
  return sets;
}

}  // namespace

bool runs_avx2() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("popcnt");
#else
  return false;
#endif
}

bool runs_avx512() {
#if defined(__x86_64__)
  return runs_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vbmi2");
#else
  return false;
#endif
}

std::span<const InstructionSet> instruction_sets() {
  static const std::vector<InstructionSet> sets = find_instruction_sets();
  return sets;
}

}  // namespace gsst::cpu::tiles
