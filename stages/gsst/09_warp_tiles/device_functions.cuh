#pragma once

#include <cstdint>
#include <cstring>

#if !defined(__CUDACC__)
#include <bit>
#include <deque>

#include "common/simt/executor.hpp"
#endif

#include "common/format/bytes.hpp"

/// GSST_OLDER_GPUS: 1 where the code is for GPUs before compute capability 9.0, which have no bulk copies to
/// global memory. Later ones and the CPU executor can run it too: tests compile it for them.
#if !defined(GSST_OLDER_GPUS)
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define GSST_OLDER_GPUS 1
#else
#define GSST_OLDER_GPUS 0
#endif
#endif

/// What the kernels of this stage take from the hardware by name. Each function has a body for the GPU and a
/// plain one for the CPU executor; both do the same.
namespace {

/// 16 bytes that are stored at once.
struct alignas(16) Words4 {
  std::uint32_t words[4];
};

/// Four bytes of the eight in `low` and `high`: nibble i of the lowest 16 bits of `selector` chooses byte i
/// of the result by its lowest three bits. If the nibble's highest bit is set, byte i is the chosen byte's
/// sign eight times: 0 for a byte below 128. One instruction, PRMT.
__device__ __forceinline__ std::uint32_t permute_bytes(std::uint32_t low, std::uint32_t high,
                                                       std::uint32_t selector) {
#if defined(__CUDACC__)
  std::uint32_t result;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(selector));
  return result;
#else
  const std::uint64_t bytes = std::uint64_t{high} << 32 | low;
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint32_t nibble = selector >> (4 * i) & 0xf;
    const auto byte = static_cast<std::uint32_t>(bytes >> (8 * (nibble & 7)) & 0xff);
    const std::uint32_t sign = byte >= 128 ? 0xff : 0;
    result |= (nibble >= 8 ? sign : byte) << (8 * i);
  }
  return result;
#endif
}

/// `sum` plus the products of the four bytes of `values` with those of `factors`. One instruction, DP4A.
__device__ __forceinline__ std::uint32_t add_byte_products(std::uint32_t values, std::uint32_t factors,
                                                           std::uint32_t sum) {
#if defined(__CUDACC__)
  return __dp4a(values, factors, sum);
#else
  for (unsigned i = 0; i < 4; ++i) sum += (values >> (8 * i) & 0xff) * (factors >> (8 * i) & 0xff);
  return sum;
#endif
}

/// Loads `Count` words, 1, 2 or 4, at a multiple of their size in global memory that no thread writes, where
/// the call stands in the source: the compiler would move the load of the next tile's codes behind the
/// decoding that is to hide it.
template <std::uint32_t Count>
__device__ __forceinline__ void load_constant_words(const std::uint8_t* address, std::uint32_t* words) {
  static_assert(Count == 1 || Count == 2 || Count == 4);
#if defined(__CUDACC__)
  if constexpr (Count == 4) {
    asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "l"(address));
  } else if constexpr (Count == 2) {
    asm volatile("ld.global.nc.v2.u32 {%0, %1}, [%2];" : "=r"(words[0]), "=r"(words[1]) : "l"(address));
  } else {
    asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(words[0]) : "l"(address));
  }
#else
  const auto* const from = reinterpret_cast<const std::uint32_t*>(address);
  for (std::uint32_t i = 0; i < Count; ++i) words[i] = from[i];
#endif
}

/// The 32 bits of `high` and `low` from bit `shift` on, 0 to 31. One instruction, SHF.
__device__ __forceinline__ std::uint32_t shift_words(std::uint32_t low, std::uint32_t high,
                                                     std::uint32_t shift) {
  return static_cast<std::uint32_t>((std::uint64_t{high} << 32 | low) >> shift);
}

/// How many bits of `word` are set. One instruction, POPC.
__device__ __forceinline__ std::uint32_t count_bits(std::uint32_t word) {
#if defined(__CUDACC__)
  return static_cast<std::uint32_t>(__popc(word));
#else
  return static_cast<std::uint32_t>(std::popcount(word));
#endif
}

/// Lane 0 adds 1 to `counter` in global memory and gets what it was; the others get 0. An increment that
/// would wrap below 2^32 - 1, which no counter reaches: of additions the assembler makes one for all lanes
/// and hands its result round at once, and there the warp waits for memory.
__device__ __forceinline__ unsigned take_number(unsigned* counter, std::uint32_t lane) {
#if defined(__CUDACC__)
  unsigned taken;
  asm volatile(
      "{\n"
      ".reg .pred first;\n"
      "setp.eq.u32 first, %2, 0;\n"
      "mov.u32 %0, 0;\n"
      "@first atom.global.inc.u32 %0, [%1], 0xfffffffe;\n"
      "}\n"
      : "=r"(taken)
      : "l"(counter), "r"(lane)
      : "memory");
  return taken;
#else
  return lane == 0 ? atomicAdd(counter, 1u) : 0;
#endif
}

/// An address in shared memory: 32 bits on the GPU.
#if defined(__CUDACC__)
using SharedAddress = std::uint32_t;
__device__ __forceinline__ SharedAddress shared_address(const void* memory) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(memory));
}
#else
using SharedAddress = std::uint8_t*;
inline SharedAddress shared_address(void* memory) {
  return static_cast<std::uint8_t*>(memory);
}
#endif

#if defined(__CUDACC__)
/// What instructions that load from a kernel's dynamic shared memory add to their register: its address where
/// there is no other shared memory, behind what the system keeps. How much that is differs between GPUs that
/// run code for older ones: there the register holds the address, an addition that the assembler leaves out
/// where it knows the address, on 8.0 for example.
constexpr std::uint32_t shared_memory_begin = GSST_OLDER_GPUS ? 0 : 1024;

/// The register of an instruction that loads what stands `offset` bytes behind the start of `shared`.
__device__ __forceinline__ std::uint32_t address_register(const std::uint8_t* shared, std::uint32_t offset) {
#if GSST_OLDER_GPUS
  return shared_address(shared) + offset;
#else
  static_cast<void>(shared);
  return offset;
#endif
}
#endif

/// Ends the kernel with an error unless `shared`, its dynamic shared memory, is where load_shared_word()
/// expects it; on older GPUs that is anywhere.
__device__ __forceinline__ void check_shared_memory_begin(const std::uint8_t* shared) {
#if defined(__CUDACC__) && !GSST_OLDER_GPUS
  if (shared_address(shared) != shared_memory_begin) __trap();
#else
  static_cast<void>(shared);
#endif
}

/// Loads the 8 bytes that start `offset` bytes behind the start of `shared`, the dynamic shared memory, where
/// the call stands in the source: the compiler does not move a load in front of a store that might go to the
/// same place. The start is part of the instruction; a register would take an addition for each load.
__device__ __forceinline__ std::uint64_t load_shared_word(const std::uint8_t* shared, std::uint32_t offset) {
#if defined(__CUDACC__)
  std::uint64_t word;
  asm volatile("ld.shared.b64 %0, [%1 + %2];"
               : "=l"(word)
               : "r"(address_register(shared, offset)), "n"(shared_memory_begin));
  return word;
#else
  return *reinterpret_cast<const std::uint64_t*>(shared + offset);
#endif
}

/// Loads a symbol whose first four bytes stand `offset` bytes behind the start of `shared`, the dynamic
/// shared memory, and whose last four `HalfBytes` behind them, as load_shared_word() does. The last four are
/// only loaded where bit 8 `index` + 6 of `long_symbols` is set; else they are 0.
template <std::uint32_t HalfBytes>
__device__ __forceinline__ std::uint64_t load_shared_halves(const std::uint8_t* shared, std::uint32_t offset,
                                                            std::uint32_t long_symbols, std::uint32_t index) {
#if defined(__CUDACC__)
  std::uint32_t low;
  std::uint32_t high;
  asm volatile(
      "{\n"
      ".reg .pred is_long;\n"
      ".reg .b32 bit;\n"
      "and.b32 bit, %3, %4;\n"
      "setp.ne.u32 is_long, bit, 0;\n"
      "mov.b32 %1, 0;\n"
      "ld.shared.b32 %0, [%2 + %5];\n"
      "@is_long ld.shared.b32 %1, [%2 + %6];\n"
      "}\n"
      : "=r"(low), "=&r"(high)
      : "r"(address_register(shared, offset)), "r"(long_symbols), "r"(0x40u << (8 * index)),
        "n"(shared_memory_begin), "n"(shared_memory_begin + HalfBytes));
  return std::uint64_t{high} << 32 | low;
#else
  const auto* const half = reinterpret_cast<const std::uint32_t*>(shared + offset);
  const bool is_long = (long_symbols >> (8 * index + 6) & 1) != 0;
  return *half | (is_long ? std::uint64_t{half[HalfBytes / 4]} << 32 : 0);
#endif
}

/// The output of one lane on its way to shared memory: a word that is being filled.
struct LaneOutput {
  /// The word's bytes below `fill`; what is above is zero, but for the first half of a literal byte.
  std::uint32_t low;
  std::uint32_t high;
  /// Bits of the word that are filled, less than 64.
  std::uint32_t fill;
  /// Where the word goes: a multiple of 8.
  SharedAddress address;
  /// 1, as the compiler must not know it: it would make additions of products with it, and most of what
  /// append_symbol() does is in the pipe of additions already.
  std::uint32_t one;
};

/// 1, of which the compiler knows nothing: the height of every grid of this stage.
__device__ __forceinline__ std::uint32_t unknown_one() {
  return gridDim.y;
}

/// Appends `symbol`, which fills the word up to `new_fill` bits (counted beyond 64) and is zero above its
/// length. A word that is full is stored. As one block of PTX on halves of the word: g++'s twin, compiled by
/// nvcc, moves registers between halves and pairs three to five times a code.
__device__ __forceinline__ void append_symbol(LaneOutput& output, std::uint64_t symbol,
                                              std::uint32_t new_fill) {
#if defined(__CUDACC__)
  asm volatile(
      "{\n"
      ".reg .pred full;\n"
      ".reg .b64 shifted;\n"
      ".reg .b32 low, high, rest;\n"
      "shl.b64 shifted, %4, %5;\n"
      "mov.b64 {low, high}, shifted;\n"
      "or.b32 %0, %0, low;\n"
      "or.b32 %1, %1, high;\n"
      "setp.ge.u32 full, %3, 64;\n"
      "@full st.shared.v2.b32 [%2], {%0, %1};\n"
      "mad.lo.u32 rest, %5, %6, %7;\n"
      "shr.b64 shifted, %4, rest;\n"
      "mov.b64 {low, high}, shifted;\n"
      "selp.b32 %0, low, %0, full;\n"
      "selp.b32 %1, high, %1, full;\n"
      "@full mad.lo.u32 %2, %8, 8, %2;\n"
      "@full mad.lo.u32 %3, %8, -64, %3;\n"
      "}\n"
      : "+r"(output.low), "+r"(output.high), "+r"(output.address), "+r"(new_fill)
      : "l"(symbol), "r"(output.fill), "r"(0u - output.one), "r"(64 * output.one), "r"(output.one));
  output.fill = new_fill;
#else
  std::uint64_t word = std::uint64_t{output.high} << 32 | output.low;
  word |= symbol << output.fill;
  if (new_fill >= 64) {
    gsst::simt::require_multiple(reinterpret_cast<std::uintptr_t>(output.address), 8, "a word's address");
    gsst::format::store_little_endian<8>(output.address, word);
    output.address += 8;
    word = output.fill == 0 ? 0 : symbol >> (64 - output.fill);
  }
  output.low = static_cast<std::uint32_t>(word);
  output.high = static_cast<std::uint32_t>(word >> 32);
  output.fill = new_fill & 63;
#endif
}

/// ORs a word that a lane has not filled into shared memory, where other lanes do the same.
__device__ __forceinline__ void join_word(unsigned long long* place, unsigned long long word) {
  auto* const halves = reinterpret_cast<unsigned*>(place);
  atomicOr(halves, static_cast<unsigned>(word));
  atomicOr(halves + 1, static_cast<unsigned>(word >> 32));
}

/// ORs the word that a lane has not filled into shared memory, where other lanes do the same.
__device__ __forceinline__ void join_word(const LaneOutput& output) {
#if defined(__CUDACC__)
  asm volatile("red.shared.or.b32 [%0], %1;\n red.shared.or.b32 [%0 + 4], %2;" ::"r"(output.address),
               "r"(output.low), "r"(output.high)
               : "memory");
#else
  auto* const words = reinterpret_cast<unsigned*>(output.address);
  atomicOr(words, output.low);
  atomicOr(words + 1, output.high);
#endif
}

#if GSST_OLDER_GPUS
/// As the class for later GPUs below, but each lane stores 16 bytes at a time, and nothing is left to wait
/// for.
class BulkStores {
public:
  __device__ __forceinline__ static void publish() {}

  __device__ __forceinline__ void start(std::uint8_t* to, const std::uint8_t* from, std::uint32_t bytes,
                                        std::uint32_t lane) {
    for (std::uint32_t byte = 16 * lane; byte < bytes; byte += 16 * 32) {
      *reinterpret_cast<Words4*>(to + byte) = *reinterpret_cast<const Words4*>(from + byte);
    }
  }

  template <int Pending>
  __device__ __forceinline__ void wait() {}
};
#else
/// Copies from shared to global memory that run beside the warp: cp.async.bulk, from compute capability 9.0.
/// The CPU executor copies at the wait: a kernel that overwrites the source before it has waited writes
/// noise.
///
/// All lanes of a warp call each function together.
class BulkStores {
public:
  /// Makes what the lanes have written to shared memory visible to copies that start behind the next
  /// __syncwarp().
  __device__ __forceinline__ static void publish() {
#if defined(__CUDA_ARCH__)
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
  }

  /// Starts a group of one copy, or of none where `bytes` is 0. Addresses and `bytes` are multiples of 16 and
  /// the same in all lanes.
  __device__ __forceinline__ void start(std::uint8_t* to, const std::uint8_t* from, std::uint32_t bytes,
                                        std::uint32_t lane) {
#if defined(__CUDA_ARCH__)
    // The instruction takes its operands from registers of the warp. Of what comes from lane 0 the compiler
    // knows that it is the same in all lanes; else it adds a loop over the lanes' values, which ends when the
    // copy has been taken. `bytes` is the same in all lanes already, and the assembler drops the shuffle of
    // such a value and adds the loop: so only lane 0 gives it.
    const auto uniform_to = __shfl_sync(0xffffffff, reinterpret_cast<unsigned long long>(to), 0);
    const std::uint32_t uniform_from = __shfl_sync(0xffffffff, shared_address(from), 0);
    const std::uint32_t uniform_bytes = __shfl_sync(0xffffffff, lane == 0 ? bytes : 0, 0);
    if (lane == 0 && uniform_bytes != 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(uniform_to),
                   "r"(uniform_from), "r"(uniform_bytes)
                   : "memory");
    }
    // The other lanes' groups are empty.
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
#elif !defined(__CUDACC__)
    if (lane != 0) return;
    gsst::simt::require_multiple(reinterpret_cast<std::uintptr_t>(to), 16, "a bulk copy's destination");
    gsst::simt::require_multiple(reinterpret_cast<std::uintptr_t>(from), 16, "a bulk copy's source");
    gsst::simt::require_multiple(bytes, 16, "a bulk copy's size");
    groups_.push_back({.to = to, .from = from, .bytes = bytes});
#endif
  }

  /// Waits until all groups but the last `Pending` have read their source. The caller's __syncwarp() tells
  /// the other lanes.
  template <int Pending>
  __device__ __forceinline__ void wait() {
#if defined(__CUDA_ARCH__)
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Pending) : "memory");
#elif !defined(__CUDACC__)
    for (; groups_.size() > Pending; groups_.pop_front()) {
      const Copy& copy = groups_.front();
      for (std::uint32_t i = 0; i < copy.bytes; ++i) copy.to[i] = copy.from[i];
    }
#endif
  }

private:
#if !defined(__CUDACC__)
  struct Copy {
    std::uint8_t* to;
    const std::uint8_t* from;
    std::uint32_t bytes;
  };
  std::deque<Copy> groups_;
#endif
};
#endif

}  // namespace
