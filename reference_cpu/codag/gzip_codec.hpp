#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "common/format/codag/deflate.hpp"
#include "reference_cpu/codag/deflate_encoder.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::reference::codag {

inline constexpr std::array<std::uint8_t, 2> gzip_magic = {0x1f, 0x8b};

/// What --members says: members as gzip writes them, or those of BGZF.
enum class GzipMembers : std::uint8_t { plain, bgzf };
inline constexpr std::array<std::string_view, 2> gzip_member_names = {"plain", "bgzf"};

inline constexpr std::array<CodecOption, 3> gzip_options = {{
    deflate_options[0],
    deflate_options[1],
    {.name = "members",
     .help = "plain (default), or bgzf: as bgzip writes them, of at most\n"
             "65280 bytes and with their sizes; for gzip",
     .names = gzip_member_names},
}};

/// Files of gzip (RFC 1952), which zlib decodes: a block is a member.
// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns codecs by a pointer to their base.
class GzipCodec final : public Codec {
public:
  constexpr GzipCodec()
      : Codec({.format = format::codag::gzip_format,
               .suffix = ".gz",
               .tool = "gzip",
               .magic = gzip_magic,
               .max_level = max_deflate_level,
               .options = gzip_options}) {}

  void check(const EncodeSettings& settings) const override;
  /// A member for each block, and one for no bytes; after those of BGZF one more without bytes.
  EncodeTotals encode(const format::ReadFunction& read, const format::WriteFunction& write,
                      const EncodeSettings& settings,
                      const format::ProgressFunction& progress) const override;
  format::StreamTotals decode(const format::ReadFunction& read, const format::WriteFunction& write,
                              unsigned threads, const format::ProgressFunction& progress) const override;
  std::vector<std::uint8_t> decode_payload(std::span<const std::uint8_t> payload,
                                           const format::BlockExpectation& expected,
                                           const format::PayloadPart& part,
                                           std::uint64_t block) const override;
  /// Files do not say their members' places: this decodes them all.
  FileListing list(std::span<const std::uint8_t> file) const override;
};

/// Constant, so that the list of codecs is: the library has no variables.
inline constexpr GzipCodec gzip_codec;

}  // namespace gsst::reference::codag
