#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/format/block_format.hpp"

namespace gsst::fuzz {

/// A run of a stream of series codag.
struct RunOfPayload {
  /// Its bytes in the payload, from `begin` to before `end`.
  std::size_t begin;
  std::size_t end;
  std::uint32_t values;
};

/// The bytes of a value of a payload; 0 if it does not say a type that there is.
std::uint32_t value_bytes_of(format::BlockFormat format, std::span<const std::uint8_t> payload);

/// The runs of a payload of a format of run lengths that end before its last `rest_bytes` bytes, as far as
/// they can be told: a reader that meets no rule.
std::vector<RunOfPayload> runs_of_payload(format::BlockFormat format, std::span<const std::uint8_t> payload,
                                          std::size_t rest_bytes);

}  // namespace gsst::fuzz
