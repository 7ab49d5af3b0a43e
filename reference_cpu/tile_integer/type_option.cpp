#include "reference_cpu/tile_integer/type_option.hpp"

namespace gsst::reference::tile_integer {

format::tile_integer::Type type_of(const format::CodecOptions& options) {
  const auto found = options.find("type");
  return found == options.end() ? format::tile_integer::Type::i32
                                : static_cast<format::tile_integer::Type>(found->second);
}

format::tile_integer::Type type_of_size(const format::CodecOptions& options) {
  using format::tile_integer::Type;
  const auto found = options.find("value-bytes");
  const std::uint64_t bytes = found == options.end() ? 4 : found->second;
  for (const Type type : {Type::i8, Type::i16, Type::i64}) {
    if (format::tile_integer::shape_of(type).value_bytes == bytes) return type;
  }
  return Type::i32;
}

}  // namespace gsst::reference::tile_integer
