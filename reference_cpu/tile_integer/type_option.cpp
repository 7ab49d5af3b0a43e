#include "reference_cpu/tile_integer/type_option.hpp"

namespace gsst::reference::tile_integer {

format::tile_integer::Type type_of(const format::CodecOptions& options) {
  const auto found = options.find("type");
  return found == options.end() ? format::tile_integer::Type::i32
                                : static_cast<format::tile_integer::Type>(found->second);
}

}  // namespace gsst::reference::tile_integer
