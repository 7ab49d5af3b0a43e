#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/format/codag/deflate.hpp"
#include "reference_cpu/codag/deflate_encoder.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::reference::codag {

/// Format `deflate` (FORMAT.md, section 13.6): encoded by the distribution's libraries, decoded by the
/// oracle.
// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns codecs by a pointer to their base.
class DeflateCodec final : public Codec {
public:
  constexpr DeflateCodec()
      : Codec({.format = format::codag::deflate_format,
               .suffix = ".gsst",
               .max_level = max_deflate_level,
               .options = deflate_options}) {}

  void check(const EncodeSettings& settings) const override;
  EncodeTotals encode(const format::ReadFunction& read, const format::WriteFunction& write,
                      const EncodeSettings& settings,
                      const format::ProgressFunction& progress) const override;
  format::StreamTotals decode(const format::ReadFunction& read, const format::WriteFunction& write,
                              unsigned threads, const format::ProgressFunction& progress) const override;
  std::vector<std::uint8_t> decode_payload(std::span<const std::uint8_t> payload,
                                           const format::BlockExpectation& expected,
                                           const format::PayloadPart& part,
                                           std::uint64_t block) const override;
  FileListing list(std::span<const std::uint8_t> file) const override;
};

/// Constant, so that the list of codecs is: the library has no variables.
inline constexpr DeflateCodec deflate_codec;

}  // namespace gsst::reference::codag
