#pragma once

#include <cstddef>

#include "common/stage/registry.hpp"

namespace gsst::stage {

/// The stage as it is, for executors that use the host's memory. Where the program has AddressSanitizer, this
/// reports what the decoder accesses of the `guard_bytes` bytes on each side of its output, at once and with
/// the line. Before an output whose address is no multiple of 8 it cannot tell of the nearest bytes.
RegisteredStage with_forbidden_guards(const RegisteredStage& stage, std::size_t guard_bytes);

}  // namespace gsst::stage
