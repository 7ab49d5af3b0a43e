#include "search/codes/piece_walkers.hpp"

#include <vector>

namespace gsst::search::codes {
namespace {

std::vector<WalkInstructions> find_walk_instructions() {
  std::vector<WalkInstructions> found = {{.name = "portable", .walk_pieces = walk_pieces_portable}};
#if defined(__x86_64__)
  const bool has_bits =
      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
  if (has_bits && __builtin_cpu_supports("avx2")) {
    found.push_back({.name = "avx2", .walk_pieces = walk_pieces_avx2});
  }
#endif
  return found;
}

}  // namespace

std::span<const WalkInstructions> walk_instructions() {
  static const std::vector<WalkInstructions> found = find_walk_instructions();
  return found;
}

}  // namespace gsst::search::codes
