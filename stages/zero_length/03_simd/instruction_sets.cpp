#include "stages/zero_length/03_simd/instruction_sets.hpp"

#include <cstddef>
#include <vector>

namespace gsst::zero_length::GSST_SIMD_BUILD {
namespace {

// Spans are taken apart here: functions of the library that a file for other processors has too must not come
// from there.
template <EncodeBytes* Encode>
std::size_t encode_block(std::span<const std::uint8_t> block, std::span<std::uint8_t> elements) {
  return Encode(block.data(), block.size(), elements.data());
}

std::vector<InstructionSet> find_instruction_sets() {
  std::vector<InstructionSet> sets = {{8, encode_block<encode_words>, decode_words}};
#if defined(__x86_64__)
  sets.push_back({16, encode_block<encode_sse2>, decode_sse2});
  const bool has_bits =
      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
  if (!has_bits || !__builtin_cpu_supports("avx2")) return sets;
  sets.push_back({32, encode_block<encode_avx2>, decode_avx2});
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512vbmi2")) {
    return sets;
  }
  sets.push_back({64, encode_block<encode_avx512>, decode_avx512});
#endif
  return sets;
}

}  // namespace

std::span<const InstructionSet> instruction_sets() {
  static const std::vector<InstructionSet> sets = find_instruction_sets();
  return sets;
}

}  // namespace gsst::zero_length::GSST_SIMD_BUILD
