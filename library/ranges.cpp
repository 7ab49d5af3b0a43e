#include "library/ranges.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "library/failure.hpp"

namespace gsst::library {
namespace {

// Written so that no sum can exceed 64 bits.
bool lies_in(std::uint64_t offset, std::uint64_t bytes, std::uint64_t size) {
  return offset <= size && bytes <= size - offset;
}

std::string describe(std::size_t number, std::uint64_t bytes, std::uint64_t offset) {
  return "range " + std::to_string(number) + ": " + std::to_string(bytes) + " bytes at " +
         std::to_string(offset);
}

// Ranges that go one after another to the output.
bool are_in_order(std::span<const gsst_range> ranges) {
  std::uint64_t end = 0;
  for (const gsst_range& range : ranges) {
    if (range.bytes != 0 && range.output_offset < end) return false;
    end = std::max(end, range.output_offset + range.bytes);
  }
  return true;
}

void check_no_shared_output(std::span<const gsst_range> ranges) {
  if (are_in_order(ranges)) return;
  std::vector<std::size_t> in_order;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].bytes != 0) in_order.push_back(i);
  }
  std::ranges::sort(in_order, {}, [&](std::size_t i) { return ranges[i].output_offset; });
  for (std::size_t i = 1; i < in_order.size(); ++i) {
    const gsst_range& before = ranges[in_order[i - 1]];
    if (before.output_offset + before.bytes <= ranges[in_order[i]].output_offset) continue;
    throw ApiError(GSST_ERROR_OVERLAP, "ranges " + std::to_string(in_order[i - 1]) + " and " +
                                           std::to_string(in_order[i]) + " share bytes of the output");
  }
}

}  // namespace

void check_ranges(std::span<const gsst_range> ranges, std::uint64_t uncompressed_bytes,
                  std::uint64_t output_bytes) {
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const gsst_range& range = ranges[i];
    if (!lies_in(range.offset, range.bytes, uncompressed_bytes)) {
      throw ApiError(GSST_ERROR_INVALID_ARGUMENT, describe(i, range.bytes, range.offset) +
                                                      " of the frame, which holds " +
                                                      std::to_string(uncompressed_bytes));
    }
    if (!lies_in(range.output_offset, range.bytes, output_bytes)) {
      throw ApiError(GSST_ERROR_OUTPUT_TOO_SMALL, describe(i, range.bytes, range.output_offset) +
                                                      " of the output, which has " +
                                                      std::to_string(output_bytes));
    }
  }
  check_no_shared_output(ranges);
}

std::vector<RangePiece> cut_ranges(std::span<const gsst_range> ranges, const Units& units) {
  std::vector<RangePiece> pieces;
  for (gsst_range rest : ranges) {
    while (rest.bytes != 0) {
      const std::uint64_t unit = units.find(rest.offset);
      const UnitPlace place = units.place(unit);
      const std::uint64_t begin = rest.offset - place.offset;
      if (begin >= place.bytes) throw std::logic_error("a unit was found that does not hold the byte");
      const std::uint64_t bytes = std::min(rest.bytes, place.bytes - begin);
      pieces.push_back(
          {.unit = unit, .range = {.offset = begin, .bytes = bytes, .output_offset = rest.output_offset}});
      rest = {.offset = rest.offset + bytes,
              .bytes = rest.bytes - bytes,
              .output_offset = rest.output_offset + bytes};
    }
  }
  std::ranges::stable_sort(pieces, {}, &RangePiece::unit);
  return pieces;
}

std::vector<std::span<const RangePiece>> group_by_unit(std::span<const RangePiece> pieces) {
  std::vector<std::span<const RangePiece>> groups;
  while (!pieces.empty()) {
    const auto end = std::ranges::find_if(
        pieces, [&](const RangePiece& piece) { return piece.unit != pieces.front().unit; });
    const auto size = static_cast<std::size_t>(end - pieces.begin());
    groups.push_back(pieces.first(size));
    pieces = pieces.subspan(size);
  }
  return groups;
}

}  // namespace gsst::library
