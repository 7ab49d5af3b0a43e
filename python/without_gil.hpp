#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <type_traits>
#include <utility>

#include "library/failure.hpp"
#include "python/objects.hpp"

namespace gsst::python {

/// What `work` gives, with the GIL released meanwhile. Raises gsst.Error for what it throws.
template <typename Work>
auto without_gil(const Work& work) {
  using Made = decltype(work());
  gsst_message message;
  if constexpr (std::is_void_v<Made>) {
    const gsst_error error = [&] {
      const nanobind::gil_scoped_release released;
      return library::report_errors(&message, work);
    }();
    if (error != GSST_OK) raise(error, message.text);
  } else {
    std::optional<Made> made;
    without_gil([&] { made = work(); });
    return std::move(*made);
  }
}

}  // namespace gsst::python
