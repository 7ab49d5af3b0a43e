#include "fuzz/block_oracle.hpp"

#include "common/format/error.hpp"
#include "common/format/formats.hpp"
#include "common/frame/checksum.hpp"

namespace gsst::fuzz {

using format::BlockLayout;
using Bytes = std::vector<std::uint8_t>;

BlockOracle::BlockOracle(const format::FrameHeader& header)
    : header_(header),
      codec_(reference::codec_of(header.format)),
      pass_(format::rules_of(header.format).start_pass()) {}

format::CheckedPayload BlockOracle::check(std::span<const std::uint8_t> payload,
                                          const format::BlockRecord& record, std::uint64_t block) {
  const format::BlockExpectation expected = expectation_of(header_, record);
  if (record.layout != BlockLayout::raw) return pass_->check(payload, expected, block);
  format::check_raw_payload(payload, expected, block);
  return {};
}

Bytes BlockOracle::decode(std::span<const std::uint8_t> payload, const format::BlockRecord& record,
                          const format::CheckedPayload& checked, std::uint64_t block) const {
  if (record.layout != BlockLayout::raw) {
    return codec_.decode_payload(payload, expectation_of(header_, record), checked.part, block);
  }
  const auto bytes = payload.first(record.uncompressed_bytes);
  return {bytes.begin(), bytes.end()};
}

Bytes decode_by_blocks(std::span<const std::uint8_t> frame) {
  const format::FrameView view = format::parse_frame(frame);
  BlockOracle oracle(view.header);
  Bytes output;
  for (std::size_t block = 0; block < view.index.entries.size(); ++block) {
    const format::BlockRecord& record = view.index.entries[block].record;
    const std::span<const std::uint8_t> payload = view.payload(block);
    const Bytes decoded = oracle.decode(payload, record, oracle.check(payload, record, block), block);
    if (format::checksum(record.checksum_kind, decoded) != record.checksum) {
      throw format::FormatError(block, "checksum", "is not that of the decoded bytes");
    }
    output.insert(output.end(), decoded.begin(), decoded.end());
  }
  return output;
}

}  // namespace gsst::fuzz
