#pragma once

#include <cstdint>

/// Transfers of several bytes at once between global and shared memory (thesis 4.3.2). Stages use them from
/// 04 on.
namespace gsst::stage {

/// What one aligned transfer moves. The alignment tells the compiler that wide loads and stores are allowed.
template <int Alignment>
struct alignas(Alignment) Transfer {
  std::uint8_t bytes[Alignment];
};

/// Moves Alignment bytes between addresses that are aligned to as much.
template <int Alignment>
__device__ void transfer(std::uint8_t* to, const std::uint8_t* from) {
  *reinterpret_cast<Transfer<Alignment>*>(to) = *reinterpret_cast<const Transfer<Alignment>*>(from);
}

/// Bytes from `address` to the next aligned one; 0 if it is aligned (Eq 4.7).
template <int Alignment>
__device__ std::uint32_t bytes_to_aligned(const std::uint8_t* address) {
  return static_cast<std::uint32_t>((Alignment - reinterpret_cast<std::uintptr_t>(address) % Alignment) %
                                    Alignment);
}

}  // namespace gsst::stage
