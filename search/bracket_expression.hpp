#pragma once

#include <cstddef>
#include <string_view>

#include "search/byte_set.hpp"

namespace gsst::search {

/// The bytes that the bracket expression of `pattern` at `position`, where its `[` is, matches in the locale
/// C; `position` is moved past its end. A line end is never one of them. Throws PatternError.
ByteSet parse_bracket_expression(std::string_view pattern, std::size_t& position, bool ignore_case);

}  // namespace gsst::search
