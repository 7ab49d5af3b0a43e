#include "cpu/tiles/instruction_sets.hpp"

#include <vector>

namespace gsst::cpu::tiles {
namespace {

std::vector<InstructionSet> find_instruction_sets() {
  std::vector<InstructionSet> sets = {{.name = "portable", .decode_strip = decode_strip_portable}};
#if defined(__x86_64__)
  const bool has_bits =
      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
  if (has_bits && __builtin_cpu_supports("avx2")) {
    sets.push_back({.name = "avx2", .decode_strip = decode_strip_avx2});
  }
#endif
  return sets;
}

}  // namespace

std::span<const InstructionSet> instruction_sets() {
  static const std::vector<InstructionSet> sets = find_instruction_sets();
  return sets;
}

}  // namespace gsst::cpu::tiles
