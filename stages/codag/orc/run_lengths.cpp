#include "stages/codag/orc/run_lengths.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string_view>

#include "common/format/bytes.hpp"
#include "common/format/codag/codag.hpp"
#include "common/format/formats.hpp"
#include "common/format/payload_rules.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::codag::orc {
namespace {

// Most values of a run, which has a byte or more.
constexpr std::uint64_t most_values_of_byte = 512;

// The bytes of `count` values of `value_bytes` bytes each. To the oracle a stream is the payload of a block.
std::vector<std::uint8_t> decoded(format::BlockFormat block_format, std::span<const std::uint8_t> payload,
                                  std::uint64_t count, std::uint32_t value_bytes, const std::string& place) {
  // Before memory is taken for values that no such stream has.
  if (count / most_values_of_byte > payload.size()) {
    throw OrcError(place, std::to_string(payload.size()) + " bytes are too few for " + std::to_string(count) +
                              " values");
  }
  if (count > std::numeric_limits<std::uint32_t>::max() / value_bytes) {
    throw OrcError(place, std::to_string(count) + " values are more than are decoded of a stripe");
  }
  const format::BlockExpectation expected = {
      .format = block_format,
      .layout = format::codag::coded_layout,
      .uncompressed_bytes = static_cast<std::uint32_t>(count * value_bytes),
      .split_count = 1};
  try {
    return reference::codec_of(block_format).decode_payload(payload, expected, {}, 0);
  } catch (const format::FormatError& error) {
    std::string_view message = error.what();
    constexpr std::string_view prefix = "block 0: ";
    if (message.starts_with(prefix)) message.remove_prefix(prefix.size());
    throw OrcError(place, "as a payload of format " + std::string(format::block_format_name(block_format)) +
                              ": " + std::string(message));
  }
}

}  // namespace

std::vector<std::int64_t> byte_values(std::span<const std::uint8_t> stream, std::uint64_t count,
                                      const std::string& place) {
  if (count == 0 && stream.empty()) return {};
  const std::vector<std::uint8_t> bytes = decoded(format::codag::byte_rle_format, stream, count, 1, place);
  return {bytes.begin(), bytes.end()};
}

std::vector<std::int64_t> integer_values(std::span<const std::uint8_t> stream, OrcCoding coding,
                                         bool is_signed, std::uint64_t count, const std::string& place) {
  if (count == 0 && stream.empty()) return {};
  const format::BlockFormat block_format = coding == OrcCoding::run_lengths_v1
                                               ? format::codag::orc_rle_v1_format
                                               : format::codag::orc_rle_v2_format;
  const format::codag::Type type = is_signed ? format::codag::Type::i64 : format::codag::Type::u64;
  std::vector<std::uint8_t> payload = {static_cast<std::uint8_t>(type)};
  payload.insert(payload.end(), stream.begin(), stream.end());
  const std::vector<std::uint8_t> bytes = decoded(block_format, payload, count, sizeof(std::int64_t), place);
  std::vector<std::int64_t> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<std::int64_t>(format::load_little_endian<8>(&bytes[i * sizeof(std::int64_t)]));
  }
  return values;
}

}  // namespace gsst::codag::orc
