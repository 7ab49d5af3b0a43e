#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>

/// Structs of the interface that start with their own size, so that they can grow: what a program gives that
/// was compiled against an earlier version is shorter.
namespace gsst::library {

/// The size of `Struct` in the first version of the library that had it. It never changes.
template <typename Struct>
inline constexpr std::size_t first_struct_bytes = 0;

/// `given`, the struct `name` of a caller, with 0 in the fields that it is too short to have. Reads no more
/// than its struct_bytes. Throws std::invalid_argument unless these are of this version or of an earlier one:
/// what fields of a later one ask for is not known.
template <typename Struct>
Struct known_struct(const char* name, const Struct* given) {
  constexpr std::size_t first = first_struct_bytes<Struct>;
  constexpr std::size_t now = sizeof(Struct);
  static_assert(std::is_trivially_copyable_v<Struct> && offsetof(Struct, struct_bytes) == 0);
  static_assert(first != 0 && first <= now);
  std::uint32_t bytes = 0;
  std::memcpy(&bytes, given, sizeof(bytes));
  // Every size that a version has had is a multiple of the alignment.
  if (bytes < first || bytes > now || bytes % alignof(Struct) != 0) {
    throw std::invalid_argument(std::string(name) + ": struct_bytes is " + std::to_string(bytes) +
                                ", expected " + (first == now ? "" : std::to_string(first) + " to ") +
                                std::to_string(now));
  }
  Struct known{};
  std::memcpy(&known, given, bytes);
  return known;
}

}  // namespace gsst::library
