#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>

#include "common/format/error.hpp"
#include "common/format/gsst/block.hpp"
#include "common/frame/frame.hpp"
#include "common/frame/frame_check.hpp"
#include "library/failure.hpp"
#include "library/frame_refusal.hpp"
#include "library/gpu_decompress_plan.hpp"

/// For tests: what the host's plan says of a frame, and whether the check in an executor's memory says it
/// too.
namespace gsst::library {

/// Where a frame was refused.
struct Refusal {
  std::optional<std::uint64_t> block;
  std::string field;
};

/// Nothing if the host's plan for `executor` accepts the frame.
inline std::optional<Refusal> refusal_of_host(stage::Executor executor, std::span<const std::uint8_t> frame) {
  try {
    const GpuDecompressPlan plan(executor, frame, {});
    return std::nullopt;
  } catch (const WrongFormat&) {
    return Refusal{.block = std::nullopt, .field = "magic"};
  } catch (const format::FormatError& error) {
    return Refusal{.block = error.block(), .field = error.field()};
  }
}

/// Of the frame, else of its first block that was refused; nothing if none was.
inline std::optional<Refusal> refusal_of_device(const frame::FrameResult& result,
                                                std::span<const std::uint32_t> status) {
  if (result.problem != frame::FrameProblem::none) {
    const std::uint64_t block = result.problem_block;
    return Refusal{.block = block == 0 ? std::nullopt : std::optional(block - 1),
                   .field = field_of(result.problem)};
  }
  for (std::size_t block = 0; block < status.size(); ++block) {
    if ((status[block] & 0xff) != frame::refused_block_status) continue;
    return Refusal{.block = block, .field = field_of(frame::problem_of_refused_block(status[block]))};
  }
  return std::nullopt;
}

/// Empty if both refuse for the same field, or neither does. A field of several numbers has its number behind
/// the name on the host; the host names no block where the record in front of one says that it is the
/// index's.
inline std::string difference(const std::optional<Refusal>& host, const std::optional<Refusal>& device) {
  if (!host && !device) return "";
  if (!device) return "the host refuses " + host->field;
  if (!host) return "the device refuses " + device->field;
  const bool same_block = !host->block || host->block == device->block;
  const std::string rest = host->field.substr(std::min(host->field.size(), device->field.size()));
  if (same_block && host->field.starts_with(device->field) &&
      rest.find_first_not_of(" 0123456789") == std::string::npos) {
    return "";
  }
  return "the host refuses " + host->field + ", the device " + device->field +
         (same_block ? "" : " in another block");
}

/// The number at `offset` of the frame, if it is there and within its limits.
template <typename Value>
Value stored_number(std::span<const std::uint8_t> frame, std::size_t offset, Value least, Value most,
                    Value otherwise) {
  Value value = otherwise;
  if (frame.size() >= offset + sizeof value) std::memcpy(&value, frame.data() + offset, sizeof value);
  return value < least || value > most ? otherwise : value;
}

/// Bounds that do not matter, of a frame that may be refused: what it says of itself, where a frame can say
/// that, and `most_output` at most.
inline frame::FrameBounds bounds_said_by(std::span<const std::uint8_t> frame, std::uint64_t most_output) {
  constexpr std::uint64_t empty_index_bytes = format::record_header_bytes + format::index_totals_bytes;
  const auto format = static_cast<format::BlockFormat>(stored_number<std::uint16_t>(frame, 10, 1, 4, 2));
  const std::uint32_t most_splits = format::has_splits(format) ? format::max_split_count : 1;
  const auto from_end = [&](std::size_t bytes) { return std::max(frame.size(), bytes) - bytes; };
  const auto index_bytes =
      stored_number<std::uint64_t>(frame, from_end(16), empty_index_bytes, frame.size(), empty_index_bytes);
  return {.format = format,
          .split_count = stored_number<std::uint32_t>(frame, 24, 1, most_splits, 1),
          .frame_bytes = std::max<std::uint64_t>(frame.size(), 1),
          .output_bytes = stored_number<std::uint64_t>(frame, from_end(32), 0, most_output, most_output),
          .block_bytes = stored_number<std::uint64_t>(frame, 16, 1, format::max_block_bytes, 1),
          .block_count = (index_bytes - empty_index_bytes) / format::index_entry_bytes + 1};
}

}  // namespace gsst::library
