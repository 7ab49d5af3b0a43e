#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace gsst::experiments {

/// A file of tables, as data/ssb.py writes it: a first line of JSON with the number of values of each column,
/// then the columns, little-endian numbers of 32 bits.
class TablesFile {
public:
  /// `bytes` are the whole file, which outlives the object, at an address that divides by 4. Throws
  /// InputError where they are no such file.
  explicit TablesFile(std::span<const std::uint8_t> bytes);

  /// The values of a column. Throws InputError where the file has none of this name.
  std::span<const std::uint32_t> column(std::string_view name) const;

private:
  std::map<std::string, std::span<const std::uint32_t>, std::less<>> columns_;
};

}  // namespace gsst::experiments
