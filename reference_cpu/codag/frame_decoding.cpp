#include "reference_cpu/codag/frame_decoding.hpp"

#include "common/format/error.hpp"
#include "common/frame/frame_reader.hpp"
#include "common/frame/payload_checker.hpp"

namespace gsst::reference::codag {

format::StreamTotals decode_frame(const format::ReadFunction& read, const format::WriteFunction& write,
                                  const format::ProgressFunction& progress, const DecodePayload& decode) {
  format::FrameReader frame(read);
  format::PayloadChecker payloads(frame.header());
  format::StreamTotals totals;
  while (const auto record = frame.next_record()) {
    std::vector<std::uint8_t> output = frame.read_payload();
    payloads.check_next(output, *record);
    if (record->layout != format::BlockLayout::raw) {
      output = decode(output, record->uncompressed_bytes, totals.blocks);
    }
    if (format::checksum(record->checksum_kind, output) != record->checksum) {
      throw format::FormatError(totals.blocks, "checksum", "is not that of the decoded bytes");
    }
    write(output);
    totals.output_bytes += output.size();
    totals.input_bytes = frame.bytes_read();
    ++totals.blocks;
    if (progress) progress(totals);
  }
  totals.input_bytes = frame.bytes_read();
  return totals;
}

}  // namespace gsst::reference::codag
