#pragma once

#include <cstdint>
#include <functional>

#include "reference_cpu/codec.hpp"

namespace gsst::fuzz {

/// A number below `limit`, which is not 0.
using ChooseFunction = std::function<std::uint64_t(std::uint64_t limit)>;

/// A level and options of `codec`, none of them or several, as `choose` decides. The codec need not take them
/// together: Codec::check().
reference::EncodeSettings choose_settings(const reference::Codec& codec, const ChooseFunction& choose);

}  // namespace gsst::fuzz
