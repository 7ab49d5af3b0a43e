#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "common/format/error.hpp"

namespace gsst::format {

/// For tests: `action` must throw a FormatError of exactly this block and field.
inline void expect_format_error(std::optional<std::uint64_t> block, const std::string& field,
                                const std::function<void()>& action) {
  try {
    action();
    ADD_FAILURE() << "no error, expected one about " << field;
  } catch (const FormatError& error) {
    EXPECT_EQ(error.field(), field) << error.what();
    EXPECT_EQ(error.block(), block) << error.what();
    const std::string start = block ? "block " + std::to_string(*block) + ": " + field : field;
    EXPECT_EQ(std::string(error.what()).substr(0, start.size()), start);
  }
}

}  // namespace gsst::format
