#include "common/frame/payload_checker.hpp"

#include "common/format/formats.hpp"

namespace gsst::format {

PayloadChecker::PayloadChecker(const FrameHeader& header)
    : header_(header), pass_(rules_of(header.format).start_pass()) {}

CheckedPayload PayloadChecker::check_next(std::span<const std::uint8_t> payload, const BlockRecord& record) {
  const std::uint64_t block = next_block_++;
  const BlockExpectation expected = expectation_of(header_, record);
  if (record.layout != BlockLayout::raw) return pass_->check(payload, expected, block);
  check_raw_payload(payload, expected, block);
  return {};
}

}  // namespace gsst::format
