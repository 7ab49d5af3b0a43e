#include "common/format/formats.hpp"

#include <array>

#include "common/format/codag/codag.hpp"
#include "common/format/codag/deflate.hpp"
#include "common/format/codag/deflate_rules.hpp"
#include "common/format/codag/rle_rules.hpp"

namespace gsst::format {
namespace codag {
namespace {

constexpr std::array<Format, 6> formats = {{
    {.id = byte_rle_format, .name = "byte_rle", .rules = &byte_rle_rules},
    {.id = orc_rle_v1_format, .name = "orc_rle_v1", .rules = &orc_rle_v1_rules},
    {.id = orc_rle_v2_format, .name = "orc_rle_v2", .rules = &orc_rle_v2_rules},
    {.id = deflate_format, .name = "deflate", .rules = &rules_of_deflate},
    {.id = gzip_format, .name = "gzip", .rules = nullptr},
    {.id = zlib_format, .name = "zlib", .rules = nullptr},
}};

}  // namespace
}  // namespace codag

std::span<const Format> formats_of_codag() {
  return codag::formats;
}

}  // namespace gsst::format
