#pragma once

#include "common/format/payload_rules.hpp"

namespace gsst::format::zero_length {

/// The rules of payloads that say their markers (FORMAT.md, section 11.4).
const PayloadRules& markers_rules();

}  // namespace gsst::format::zero_length
