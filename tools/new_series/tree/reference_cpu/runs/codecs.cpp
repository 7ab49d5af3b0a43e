#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/runs/runs.hpp"
#include "common/frame/frame.hpp"
#include "common/frame/frame_reader.hpp"
#include "common/frame/payload_checker.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::reference {
namespace {

using RunsBytes = std::vector<std::uint8_t>;

constexpr std::array<CodecOption, 1> options_of_runs = {
    {{.name = "longest-run",
      .help = "Most bytes of a run, 1 to 255 (default); for runs",
      .least = 1,
      .most = format::longest_run}}};

RunsBytes encode_runs(std::span<const std::uint8_t> block, std::uint64_t most) {
  RunsBytes payload;
  for (std::size_t i = 0; i < block.size();) {
    const std::uint8_t byte = block[i];
    std::uint8_t count = 0;
    for (; i < block.size() && block[i] == byte && count < most; ++i) ++count;
    payload.insert(payload.end(), {count, byte});
  }
  return payload;
}

// Throws FormatError unless the runs give `uncompressed_bytes` bytes.
RunsBytes decode_runs(std::span<const std::uint8_t> payload, std::uint32_t uncompressed_bytes,
                      std::uint64_t block) {
  RunsBytes output;
  for (std::size_t i = 0; i + format::run_bytes <= payload.size(); i += format::run_bytes) {
    if (payload[i] > uncompressed_bytes - output.size()) {
      throw format::FormatError(block, "runs", "give more bytes than the block has");
    }
    output.insert(output.end(), payload[i], payload[i + 1]);
  }
  if (output.size() < uncompressed_bytes) {
    throw format::FormatError(block, "runs", "give fewer bytes than the block has");
  }
  return output;
}

// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns it by a pointer to its base.
class RunsCodec final : public Codec {
public:
  constexpr RunsCodec()
      : Codec({.format = format::runs_format, .suffix = ".gsst", .options = options_of_runs}) {}

  void check(const EncodeSettings& /*settings*/) const override {}

  EncodeTotals encode(const format::ReadFunction& read, const format::WriteFunction& write,
                      const EncodeSettings& settings,
                      const format::ProgressFunction& progress) const override {
    const auto chosen = settings.options.find("longest-run");
    const std::uint64_t most = chosen == settings.options.end() ? format::longest_run : chosen->second;
    const format::ChecksumKind checksum_kind = settings.checksum_kind.value_or(format::ChecksumKind::xxh64);
    EncodeTotals totals;
    totals.how = "runs of at most " + std::to_string(most) + " bytes, ";
    totals.numbers = {{"longest_run", most}};
    const auto put = [&](std::span<const std::uint8_t> bytes) {
      write(bytes);
      totals.output_bytes += bytes.size();
    };
    put(format::build_frame_header({.format = traits().format,
                                    .block_size = settings.block_bytes,
                                    .split_count = 1,
                                    .checksum_kind = checksum_kind}));
    format::FrameIndex index;
    index.checksum_kind = checksum_kind;
    for (RunsBytes block = format::read_up_to(read, settings.block_bytes); !block.empty();
         block = format::read_up_to(read, settings.block_bytes)) {
      RunsBytes payload = encode_runs(block, most);
      format::BlockLayout layout = format::runs_layout;
      if (payload.size() >= block.size()) {
        payload = block;
        layout = format::BlockLayout::raw;
      }
      const format::BlockRecord record = {.layout = layout,
                                          .payload_bytes = static_cast<std::uint32_t>(payload.size()),
                                          .uncompressed_bytes = static_cast<std::uint32_t>(block.size()),
                                          .checksum = format::checksum(checksum_kind, block),
                                          .checksum_kind = checksum_kind};
      format::append_block(index, record);
      put(format::build_block_record(record));
      put(payload);
      totals.input_bytes += block.size();
      ++totals.blocks;
      if (progress) progress(totals);
    }
    put(format::build_frame_end(index));
    return totals;
  }

  format::StreamTotals decode(const format::ReadFunction& read, const format::WriteFunction& write,
                              unsigned /*threads*/, const format::ProgressFunction& progress) const override {
    format::FrameReader frame(read);
    format::PayloadChecker payloads(frame.header());
    format::StreamTotals totals;
    while (const auto record = frame.next_record()) {
      RunsBytes output = frame.read_payload();
      payloads.check_next(output, *record);
      if (record->layout != format::BlockLayout::raw) {
        output = decode_runs(output, record->uncompressed_bytes, totals.blocks);
      }
      if (format::checksum(record->checksum_kind, output) != record->checksum) {
        throw format::FormatError(totals.blocks, "checksum", "is not that of the bytes");
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

  RunsBytes decode_payload(std::span<const std::uint8_t> payload, const format::BlockExpectation& expected,
                           const format::PayloadPart& /*part*/, std::uint64_t block) const override {
    return decode_runs(payload, expected.uncompressed_bytes, block);
  }

  FileListing list(std::span<const std::uint8_t> file) const override {
    return list_frame(format::parse_frame(file));
  }
};

constexpr RunsCodec runs_codec;
constexpr std::array<const Codec*, 1> runs_codecs = {&runs_codec};

}  // namespace

std::span<const Codec* const> codecs_of_runs() {
  return runs_codecs;
}

}  // namespace gsst::reference
