#pragma once

#include <cstddef>
#include <cstdint>

#include "common/format/zero_length/zero_length.hpp"
#include "stages/zero_length/03_simd/unvectorised.hpp"

/// The elements of a block, written and read by each instruction set. All do the same: the encoders write the
/// elements of the `bytes` bytes at `block` to `elements`, which has max_elements_bytes() of them, and return
/// their bytes; the decoders decode the `payload_bytes` bytes at `payload` to `output`, which has exactly
/// `output_bytes` bytes, and say what is wrong with the first element that cannot be decoded. All memory is
/// the host's, at any address. Nothing outside is read or written, whatever the bytes are. A processor
/// without the instructions must not call the function.
namespace gsst::zero_length::GSST_SIMD_BUILD {

using EncodeBytes = std::size_t(const std::uint8_t* block, std::size_t bytes, std::uint8_t* elements);
using DecodeBytes = format::zero_length::Status(const std::uint8_t* payload, std::size_t payload_bytes,
                                                std::uint8_t* output, std::size_t output_bytes);

/// 64-bit words, in C++ alone.
EncodeBytes encode_words;
DecodeBytes decode_words;
#if defined(__x86_64__)
/// 16 bytes at a time, which every x86-64 processor has.
EncodeBytes encode_sse2;
DecodeBytes decode_sse2;
/// 32 bytes at a time: AVX2, BMI1, BMI2 and POPCNT.
EncodeBytes encode_avx2;
DecodeBytes decode_avx2;
/// 64 bytes at a time: AVX-512 F, BW, VL and VBMI2, BMI1, BMI2 and POPCNT.
EncodeBytes encode_avx512;
DecodeBytes decode_avx512;
#endif

}  // namespace gsst::zero_length::GSST_SIMD_BUILD
