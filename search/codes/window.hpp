#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/codes/literal.hpp"

namespace gsst::search::codes {

/// The part of a literal that codes are searched for.
struct Window {
  /// Where in the literal it begins.
  std::size_t begin;
  /// Of the literal: folded.
  std::vector<std::uint8_t> bytes;

  /// Bytes of `literal` behind the window.
  std::size_t bytes_behind(const Literal& literal) const { return literal.size() - begin - bytes.size(); }
};

/// The window of at most `most_bytes` bytes (1 or more) of `literal` that is found least often in `sample`, a
/// part of the text, which may be empty. Of those found as often, the one of rarer bytes.
Window choose_window(const Literal& literal, std::size_t most_bytes, std::span<const std::uint8_t> sample);

}  // namespace gsst::search::codes
