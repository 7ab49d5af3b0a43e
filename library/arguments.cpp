#include "library/arguments.hpp"

#include <functional>
#include <string>

#include "library/failure.hpp"
#include "library/options.hpp"

namespace gsst::library {

void check_not_null(const void* pointer, const char* name) {
  if (pointer == nullptr) throw ApiError(GSST_ERROR_NULL_POINTER, std::string(name) + " is null");
}

void check_size(const char* name, std::uint64_t found, std::uint64_t planned) {
  if (found == planned) return;
  throw ApiError(GSST_ERROR_INVALID_ARGUMENT, std::string(name) + " is " + std::to_string(found) +
                                                  ", the plan is for " + std::to_string(planned));
}

std::span<const std::uint8_t> input_span(const void* bytes, std::size_t size, const char* name) {
  if (size != 0) check_not_null(bytes, name);
  return {static_cast<const std::uint8_t*>(bytes), size};
}

std::span<std::uint8_t> output_span(void* bytes, std::size_t size, std::uint64_t least_size) {
  if (size < least_size) {
    throw ApiError(GSST_ERROR_OUTPUT_TOO_SMALL, "the output has " + std::to_string(size) +
                                                    " bytes, the plan needs " + std::to_string(least_size));
  }
  if (least_size != 0) check_not_null(bytes, "output");
  return {static_cast<std::uint8_t*>(bytes), least_size};
}

void check_no_overlap(std::span<const std::uint8_t> input, const char* name,
                      std::span<const std::uint8_t> output, const char* output_name) {
  if (input.empty() || output.empty()) return;
  // The order of pointers into different arrays is std::less's alone.
  const std::less<> is_before;
  if (is_before(input.data(), output.data() + output.size()) &&
      is_before(output.data(), input.data() + input.size())) {
    throw ApiError(GSST_ERROR_OVERLAP, std::string(name) + " and " + output_name + " share bytes");
  }
}

gsst_frame_info frame_info(const FrameSummary& summary) {
  return {.struct_bytes = 0,
          .reserved = 0,
          .compressed_bytes = summary.compressed_bytes,
          .uncompressed_bytes = summary.uncompressed_bytes,
          .block_count = summary.block_count,
          .block_bytes = summary.block_bytes,
          .splits = summary.split_count,
          .format = static_cast<std::uint32_t>(api_format(summary.format))};
}

gsst_block_info block_info(const BlockPlace& place) {
  return {.struct_bytes = 0,
          .layout = static_cast<std::uint32_t>(place.layout),
          .compressed_offset = place.compressed_offset,
          .compressed_bytes = place.compressed_bytes,
          .uncompressed_offset = place.uncompressed_offset,
          .uncompressed_bytes = place.uncompressed_bytes};
}

gsst_read_info read_info(const ReadCount& count) {
  return {
      .struct_bytes = 0, .reserved = 0, .blocks = count.blocks, .parts = count.parts, .bytes = count.bytes};
}

}  // namespace gsst::library
