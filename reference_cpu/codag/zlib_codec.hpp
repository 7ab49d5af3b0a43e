#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/format/codag/deflate.hpp"
#include "reference_cpu/codag/deflate_encoder.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::reference::codag {

/// Files of zlib (RFC 1950), which zlib decodes: one block, the only stream. They have no magic: one of 1000
/// files of any bytes begins like a stream. So the name says it, with pigz's suffix, or the caller.
// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns codecs by a pointer to their base.
class ZlibCodec final : public Codec {
public:
  constexpr ZlibCodec()
      : Codec({.format = format::codag::zlib_format,
               .suffix = ".zz",
               .tool = "zlib",
               .max_level = max_zlib_level,
               .options = deflate_options}) {}

  void check(const EncodeSettings& settings) const override;
  /// Throws std::invalid_argument for more bytes than those of a block.
  EncodeTotals encode(const format::ReadFunction& read, const format::WriteFunction& write,
                      const EncodeSettings& settings,
                      const format::ProgressFunction& progress) const override;
  format::StreamTotals decode(const format::ReadFunction& read, const format::WriteFunction& write,
                              unsigned threads, const format::ProgressFunction& progress) const override;
  std::vector<std::uint8_t> decode_payload(std::span<const std::uint8_t> payload,
                                           const format::BlockExpectation& expected,
                                           const format::PayloadPart& part,
                                           std::uint64_t block) const override;
  /// A file does not say how many bytes it decodes to: this decodes it.
  FileListing list(std::span<const std::uint8_t> file) const override;
};

/// Constant, so that the list of codecs is: the library has no variables.
inline constexpr ZlibCodec zlib_codec;

}  // namespace gsst::reference::codag
