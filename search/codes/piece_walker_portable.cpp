#include "search/codes/piece_loop.hpp"
#include "search/codes/piece_walkers.hpp"

namespace gsst::search::codes {
namespace {

struct PortableWalk {
  template <cpu::tiles::CodeKind Kind>
  [[gnu::always_inline]] static void unpack(const std::uint8_t* bytes, const std::uint8_t* rest,
                                            std::uint16_t* codes) {
    unpack_piece<Kind>(bytes, rest, codes);
  }
};

}  // namespace

std::uint32_t walk_pieces_portable(const ShiftTable& shifts, cpu::tiles::CodeKind kind,
                                   std::span<StripWalk> walks, std::uint32_t piece, std::uint32_t end) {
  return walk_pieces_with<PortableWalk>(shifts, kind, walks, piece, end);
}

}  // namespace gsst::search::codes
