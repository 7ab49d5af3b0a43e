#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace gsst::format {

/// Compressed bytes that break a rule of FORMAT.md. The message names the block and the field.
class FormatError : public std::runtime_error {
public:
  /// `block` counts from 0 and is absent for fields that belong to no block (frame header, index, trailer).
  /// `field` is the field's name in FORMAT.md; `problem` says what is wrong with it.
  FormatError(std::optional<std::uint64_t> block, std::string field, const std::string& problem);

  std::optional<std::uint64_t> block() const { return block_; }
  const std::string& field() const { return field_; }

private:
  std::optional<std::uint64_t> block_;
  std::string field_;
};

}  // namespace gsst::format
