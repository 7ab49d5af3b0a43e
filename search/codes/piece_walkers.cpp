#include "search/codes/piece_walkers.hpp"

#include <vector>

#include "cpu/tiles/instruction_sets.hpp"

namespace gsst::search::codes {
namespace {

std::vector<WalkInstructions> find_walk_instructions() {
  std::vector<WalkInstructions> found = {{.name = "portable", .walk_pieces = walk_pieces_portable}};
#if defined(__x86_64__)
  if (cpu::tiles::runs_avx2()) found.push_back({.name = "avx2", .walk_pieces = walk_pieces_avx2});
#endif
  return found;
}

}  // namespace

std::span<const WalkInstructions> walk_instructions() {
  static const std::vector<WalkInstructions> found = find_walk_instructions();
  return found;
}

}  // namespace gsst::search::codes
