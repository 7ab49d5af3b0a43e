#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stages/suite/stage_test.hpp"

/// What the tests of the series' decoders share beyond those of all stages.
namespace gsst::stage {

/// Each test runs for every stage that decodes a format of the series, on every executor of this machine.
class GsstStageTest : public StageTest {};

/// What a decoder must report of each block of `frame`, which a plan accepts: the worst that the oracle finds
/// in the block's splits, for format tiles the first wrong strip. Checksums are the host's business.
std::vector<std::uint32_t> oracle_statuses(std::span<const std::uint8_t> frame);

}  // namespace gsst::stage
