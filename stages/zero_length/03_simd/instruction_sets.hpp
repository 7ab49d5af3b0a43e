#pragma once

#include <cstdint>
#include <span>

#include "stages/zero_length/03_simd/elements.hpp"
#include "stages/zero_length/encode/encode_plans.hpp"

/// Which of the functions of elements.hpp this processor can run.
namespace gsst::zero_length::GSST_SIMD_BUILD {

struct InstructionSet {
  /// Bytes of a register: what the stage's parameter calls the set.
  std::int64_t vector_bytes;
  EncodeElements encode;
  DecodeBytes* decode;
};

/// Those of this processor, by rising vector_bytes: 64-bit words at least. Asked once.
std::span<const InstructionSet> instruction_sets();

}  // namespace gsst::zero_length::GSST_SIMD_BUILD
