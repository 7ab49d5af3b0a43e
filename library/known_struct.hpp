#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>

/// Structs of the interface that start with their own size, so that they can grow: that of a program that was
/// compiled against an earlier version is shorter, whether it gives the struct or receives a result in it.
namespace gsst::library {

/// The size of `Struct` in the first version of the library that had it. It never changes.
template <typename Struct>
inline constexpr std::size_t first_struct_bytes = 0;

/// The struct_bytes of `given`, the struct `name` of a caller, of which nothing else is read. Throws
/// std::invalid_argument unless they are of this version or of an earlier one: what fields of a later one
/// mean is not known.
template <typename Struct>
std::uint32_t known_struct_bytes(const char* name, const Struct* given) {
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
  return bytes;
}

/// `given`, the struct `name` of a caller, with 0 in the fields that it is too short to have. Throws as
/// known_struct_bytes().
template <typename Struct>
Struct known_struct(const char* name, const Struct* given) {
  Struct known{};
  std::memcpy(&known, given, known_struct_bytes(name, given));
  return known;
}

/// Writes `result` to `receiver`, the struct `name` of a caller, but for its struct_bytes and for the fields
/// that it is too short to have. Throws as known_struct_bytes(), with nothing written.
template <typename Struct>
void store_struct(const char* name, Struct result, Struct* receiver) {
  result.struct_bytes = known_struct_bytes(name, receiver);
  std::memcpy(receiver, &result, result.struct_bytes);
}

}  // namespace gsst::library
