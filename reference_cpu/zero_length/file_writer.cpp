#include "reference_cpu/zero_length/file_writer.hpp"

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/zero_length/zero_length.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"

namespace gsst::reference::zero_length {
namespace {

using format::BlockFormat;
using format::BlockLayout;
using ByteSpan = std::span<const std::uint8_t>;

// What stands around the blocks of either form.
class Container {
public:
  Container(const format::WriteFunction& write, format::EncodeTotals& totals)
      : write_(write), totals_(totals) {}
  Container(const Container&) = delete;
  Container& operator=(const Container&) = delete;
  virtual ~Container() = default;

  virtual void put_block(ByteSpan block, ByteSpan elements) = 0;
  virtual void put_end() = 0;

protected:
  void put(ByteSpan bytes) {
    write_(bytes);
    totals_.output_bytes += bytes.size();
  }

  std::uint64_t blocks() const { return totals_.blocks; }

private:
  const format::WriteFunction& write_;
  format::EncodeTotals& totals_;
};

class Frame final : public Container {
public:
  Frame(const format::WriteFunction& write, format::EncodeTotals& totals,
        const format::EncodeSettings& settings)
      : Container(write, totals) {
    index_.checksum_kind = settings.checksum_kind.value_or(format::ChecksumKind::xxh64);
    put(format::build_frame_header({.format = format::zero_length::frame_format,
                                    .block_size = settings.block_bytes,
                                    .split_count = 1,
                                    .checksum_kind = index_.checksum_kind}));
  }

  void put_block(ByteSpan block, ByteSpan elements) override {
    const bool pays = elements.size() < block.size();
    const ByteSpan payload = pays ? elements : block;
    const format::BlockRecord record = {
        .layout = pays ? format::zero_length::elements_layout : BlockLayout::raw,
        .payload_bytes = static_cast<std::uint32_t>(payload.size()),
        .uncompressed_bytes = static_cast<std::uint32_t>(block.size()),
        .checksum = format::checksum(index_.checksum_kind, block),
        .checksum_kind = index_.checksum_kind};
    format::append_block(index_, record);
    put(format::build_block_record(record));
    put(payload);
  }

  void put_end() override { put(format::build_frame_end(index_)); }

private:
  format::FrameIndex index_;
};

class Bare final : public Container {
public:
  using Container::Container;

  void put_block(ByteSpan /*block*/, ByteSpan elements) override {
    std::array<std::uint8_t, format::zero_length::bare_header_bytes> header{};
    format::store_little_endian<8>(header.data(), header.size() + elements.size());
    format::store_little_endian<8>(header.data() + format::zero_length::bare_size_bytes, blocks());
    put(header);
    put(elements);
  }

  void put_end() override { put(std::array<std::uint8_t, format::zero_length::bare_size_bytes>{}); }
};

void put_blocks(Container& container, const format::ReadFunction& read,
                const format::EncodeSettings& settings, const format::ProgressFunction& progress,
                const EncodeElements& encode, format::EncodeTotals& totals) {
  std::vector<std::uint8_t> elements;
  for (bool at_end = false; !at_end;) {
    const std::vector<std::uint8_t> block = format::read_up_to(read, settings.block_bytes);
    at_end = block.size() < settings.block_bytes;
    if (block.empty()) break;
    elements.resize(format::zero_length::max_elements_bytes(block.size()));
    const std::size_t bytes = encode(block, elements);
    container.put_block(block, std::span(elements).first(bytes));
    totals.input_bytes += block.size();
    ++totals.blocks;
    if (progress) progress(totals);
  }
  container.put_end();
}

}  // namespace

format::EncodeTotals write_file(BlockFormat format, const format::ReadFunction& read,
                                const format::WriteFunction& write, const format::EncodeSettings& settings,
                                const format::ProgressFunction& progress, const EncodeElements& encode) {
  if (settings.block_bytes < 1 || settings.block_bytes > format::max_block_bytes) {
    throw std::invalid_argument("a block has 1 to " + std::to_string(format::max_block_bytes) +
                                " bytes, not " + std::to_string(settings.block_bytes));
  }
  format::EncodeTotals totals;
  totals.how = "runs of zeros, ";
  if (format == format::zero_length::frame_format) {
    Frame frame(write, totals, settings);
    put_blocks(frame, read, settings, progress, encode, totals);
  } else if (format == format::zero_length::bare_format) {
    Bare bare(write, totals);
    put_blocks(bare, read, settings, progress, encode, totals);
  } else {
    throw std::invalid_argument("zero-length coding has no format of number " +
                                std::to_string(static_cast<unsigned>(format)));
  }
  return totals;
}

std::uint64_t write_file_memory(std::uint64_t block_bytes) {
  return block_bytes + format::zero_length::max_elements_bytes(block_bytes);
}

}  // namespace gsst::reference::zero_length
