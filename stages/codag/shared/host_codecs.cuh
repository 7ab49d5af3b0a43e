#pragma once

#include "common/format/codag/codag.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/shared/byte_rle.cuh"
#include "stages/codag/shared/orc_rle_v1.cuh"
#include "stages/codag/shared/orc_rle_v2.cuh"

// Which decoder a format has.
namespace gsst::codag {
namespace {

// Calls `function` with the decoder of `format` as its template argument.
template <typename Function>
void with_codec_of(format::BlockFormat format, Function&& function) {
  if (format == format::codag::byte_rle_format) {
    function.template operator()<ByteRle>();
  } else if (format == format::codag::orc_rle_v2_format) {
    function.template operator()<OrcRleV2>();
  } else {
    function.template operator()<OrcRleV1>();
  }
}

}  // namespace
}  // namespace gsst::codag
