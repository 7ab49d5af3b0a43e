#include "common/format/payload_rules.hpp"

#include "common/format/field_checks.hpp"
#include "common/format/formats.hpp"
#include "common/frame/index_entry.hpp"

namespace gsst::format {

std::uint64_t padded_payload_bytes(std::uint64_t bytes, std::uint32_t alignment) {
  const std::uint64_t with_record = record_header_bytes + bytes;
  return (with_record + alignment - 1) / alignment * alignment - record_header_bytes;
}

std::uint64_t raw_payload_bytes(BlockFormat format, std::uint64_t uncompressed_bytes) {
  return padded_payload_bytes(uncompressed_bytes, rules_of(format).limits().payload_alignment);
}

void check_raw_payload(std::span<const std::uint8_t> payload, const BlockExpectation& expected,
                       std::optional<std::uint64_t> block) {
  check_equal(payload.size(), raw_payload_bytes(expected.format, expected.uncompressed_bytes),
              "raw block size", "its record", block);
  check_zero(payload.subspan(expected.uncompressed_bytes), "padding", block);
}

}  // namespace gsst::format
