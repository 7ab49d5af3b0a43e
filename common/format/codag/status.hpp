#pragma once

#include <cstdint>

#include "common/format/block_status.hpp"
#include "common/format/host_device.hpp"

/// What a decoder of the formats of run lengths says of a stream that breaks a rule (FORMAT.md,
/// section 13.2).
namespace gsst::format::codag {

/// The first mistake of a stream, in the order in which a decoder meets them. The numbers are in status
/// words.
enum class Problem : std::uint8_t {
  none = 0,
  too_few_values = 1,      ///< the stream ends before the block's last value; at the stream's end
  too_many_values = 2,     ///< a run has more values than the block has left; at the run
  cut_run = 3,             ///< the stream ends within a run; at the run
  overlong_varint = 4,     ///< a varint of more than 64 bits; at its run
  width_out_of_range = 5,  ///< widths of patches that no number has; at the run
  patch_out_of_range = 6,  ///< a patch of a value that the run does not have; at the run
  bytes_left = 7,          ///< bytes follow the last value; at the first of them
};

/// Largest place that a status word can say; later ones are taken for it.
inline constexpr std::uint32_t last_byte_of_status = 0xffffff;

/// The word that a decoder leaves for a block: the problem, and above it the byte of the payload where it is.
GSST_HOST_DEVICE constexpr std::uint32_t status_of(Problem problem, std::uint64_t byte) {
  const auto place = static_cast<std::uint32_t>(byte < last_byte_of_status ? byte : last_byte_of_status);
  return place << 8 | static_cast<std::uint32_t>(problem);
}

/// The problem in a status word.
GSST_HOST_DEVICE constexpr Problem problem_of(std::uint32_t status) {
  return static_cast<Problem>(status & 0xff);
}

/// The place in a status word.
GSST_HOST_DEVICE constexpr std::uint32_t byte_of(std::uint32_t status) {
  return status >> 8;
}

/// Field and problem for people; `byte` counts from the payload's first.
StatusText describe_problem(Problem problem, std::uint64_t byte);

/// What `status`, a word other than 0, says: a problem, or that the checksum is wrong.
StatusText describe_stream_status(std::uint32_t status);

}  // namespace gsst::format::codag
