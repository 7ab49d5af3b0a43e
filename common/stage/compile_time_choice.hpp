#pragma once

#include <cstdint>
#include <type_traits>

namespace gsst::stage {

/// Calls function(std::integral_constant<int, V>) for the one V of `Values` that equals `value`, and returns
/// whether there was one: how a compile-time parameter is chosen at run time.
template <int... Values, typename Function>
bool choose(std::int64_t value, Function&& function) {
  return ((value == Values && (function(std::integral_constant<int, Values>()), true)) || ...);
}

}  // namespace gsst::stage
