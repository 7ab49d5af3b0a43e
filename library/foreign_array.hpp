#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gsst/column.h"

namespace gsst::library {

/// For tests: strings and nulls.
using Strings = std::vector<std::optional<std::string>>;

/// For tests: an array as another library would make it.
struct ForeignArray {
  std::vector<std::uint8_t> validity;
  std::vector<std::uint8_t> offsets;
  std::string data;
  std::vector<const void*> buffers;
  ArrowSchema schema{};
  ArrowArray array{};

  ForeignArray(const char* format, const Strings& strings, const std::string& bytes_of_nulls = "") {
    const bool wide = format == std::string("U") || format == std::string("Z");
    const auto put_offset = [&] {
      const auto offset = static_cast<std::int64_t>(data.size());
      const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&offset);
      offsets.insert(offsets.end(), bytes, bytes + (wide ? 8 : 4));
    };
    validity.resize((strings.size() + 7) / 8);
    put_offset();
    for (std::size_t i = 0; i < strings.size(); ++i) {
      data += strings[i].value_or(bytes_of_nulls);
      put_offset();
      if (strings[i]) validity[i / 8] |= static_cast<std::uint8_t>(1U << (i % 8));
    }
    buffers = {validity.data(), offsets.data(), data.data()};
    schema.format = format;
    schema.release = [](ArrowSchema* released) { released->release = nullptr; };
    array.length = static_cast<std::int64_t>(strings.size());
    array.null_count = -1;
    array.n_buffers = 3;
    array.buffers = buffers.data();
    array.release = [](ArrowArray* released) { released->release = nullptr; };
  }
};

}  // namespace gsst::library
