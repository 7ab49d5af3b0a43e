#include "common/format/codag/rle_rules.hpp"

#include <string>

#include "common/format/codag/status.hpp"
#include "common/format/error.hpp"

namespace gsst::format::codag {
namespace {

// No block needs anything of an earlier one, so a pass keeps nothing.
class IntegerRlePass final : public PayloadPass {
public:
  CheckedPayload check(std::span<const std::uint8_t> payload, const BlockExpectation& expected,
                       std::uint64_t block) override {
    const Type type = checked_type(payload, expected.uncompressed_bytes, block);
    return {.traits = tile_integer::trait_of(type), .holder = block, .part = nullptr};
  }
};

// Nothing of a stream can be checked without reading it.
class ByteRlePass final : public PayloadPass {
public:
  CheckedPayload check(std::span<const std::uint8_t> /*payload*/, const BlockExpectation& /*expected*/,
                       std::uint64_t /*block*/) override {
    return {};
  }
};

}  // namespace

Type checked_type(std::span<const std::uint8_t> payload, std::uint32_t uncompressed_bytes,
                  std::uint64_t block) {
  if (payload.size() < stream_offset) {
    throw FormatError(block, "payload bytes", "are 0, which is too few for the type");
  }
  if (payload[type_offset] >= type_count) {
    throw FormatError(block, "type",
                      "is " + std::to_string(payload[type_offset]) + ", expected at most " +
                          std::to_string(type_count - 1));
  }
  const auto type = static_cast<Type>(payload[type_offset]);
  if (payload.size() < stream_offset + uncompressed_bytes % shape_of(type).value_bytes) {
    throw FormatError(block, "payload bytes",
                      "are " + std::to_string(payload.size()) + ", which is too few for the rest");
  }
  return type;
}

std::uint64_t IntegerRleRules::max_payload_bytes(std::uint32_t /*split_count*/,
                                                 std::uint64_t uncompressed_bytes) const {
  // The most values are bytes.
  return stream_offset + runs_.least_values_bytes * uncompressed_bytes;
}

std::uint64_t IntegerRleRules::usual_payload_bytes(std::uint32_t /*split_count*/,
                                                   std::uint64_t uncompressed_bytes) const {
  return uncompressed_bytes;
}

std::unique_ptr<PayloadPass> IntegerRleRules::start_pass() const {
  return std::make_unique<IntegerRlePass>();
}

StatusText IntegerRleRules::describe(std::uint32_t status) const {
  return describe_stream_status(status);
}

std::uint64_t ByteRleRules::max_payload_bytes(std::uint32_t /*split_count*/,
                                              std::uint64_t uncompressed_bytes) const {
  return bytes_of_byte_run * uncompressed_bytes;
}

std::uint64_t ByteRleRules::usual_payload_bytes(std::uint32_t /*split_count*/,
                                                std::uint64_t uncompressed_bytes) const {
  return uncompressed_bytes;
}

std::unique_ptr<PayloadPass> ByteRleRules::start_pass() const {
  return std::make_unique<ByteRlePass>();
}

StatusText ByteRleRules::describe(std::uint32_t status) const {
  return describe_stream_status(status);
}

}  // namespace gsst::format::codag
