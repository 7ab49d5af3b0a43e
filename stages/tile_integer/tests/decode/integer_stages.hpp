#pragma once

#include <vector>

#include "common/format/tile_integer/layouts.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "stages/suite/stage_case.hpp"

/// For tests: what runs for the decoders of every format of the series.
namespace gsst::tile_integer {

/// Every decoder of every format of the series, on every executor of this machine.
inline std::vector<stage::StageCase> integer_decoders() {
  std::vector<stage::StageCase> cases;
  for (const format::BlockFormat format :
       {format::tile_integer::for_format, format::tile_integer::dfor_format,
        format::tile_integer::rfor_format, format::tile_integer::ifor_format,
        format::tile_integer::vfor_format, format::tile_integer::ofor_format}) {
    for (const stage::StageCase& one : stage::stage_cases(stage::Operation::decode, format)) {
      cases.push_back(one);
    }
  }
  return cases;
}

/// Those of the format that packs runs.
inline std::vector<stage::StageCase> run_decoders() {
  return stage::stage_cases(stage::Operation::decode, format::tile_integer::rfor_format);
}

}  // namespace gsst::tile_integer
