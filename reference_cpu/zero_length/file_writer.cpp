#include "reference_cpu/zero_length/file_writer.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/part_size.hpp"
#include "common/format/zero_length/dictionary.hpp"
#include "common/format/zero_length/markers.hpp"
#include "common/format/zero_length/zero_length.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "reference_cpu/parallel.hpp"
#include "reference_cpu/zero_length/encoding_room.hpp"

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

  // What put_block() needs besides the bytes: for several threads at the same time.
  virtual std::uint64_t checksum_of(ByteSpan block) const = 0;
  virtual void put_block(ByteSpan block, ByteSpan elements, std::uint64_t checksum) = 0;
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
  Frame(BlockFormat format, const format::WriteFunction& write, format::EncodeTotals& totals,
        const format::EncodeSettings& settings)
      : Container(write, totals) {
    index_.checksum_kind = settings.checksum_kind.value_or(format::ChecksumKind::xxh64);
    put(format::build_frame_header({.format = format,
                                    .block_size = settings.block_bytes,
                                    .split_count = 1,
                                    .checksum_kind = index_.checksum_kind}));
  }

  std::uint64_t checksum_of(ByteSpan block) const override {
    return format::checksum(index_.checksum_kind, block);
  }

  void put_block(ByteSpan block, ByteSpan elements, std::uint64_t checksum) override {
    const bool pays = elements.size() < block.size();
    const ByteSpan payload = pays ? elements : block;
    const format::BlockRecord record = {
        .layout = pays ? format::zero_length::elements_layout : BlockLayout::raw,
        .payload_bytes = static_cast<std::uint32_t>(payload.size()),
        .uncompressed_bytes = static_cast<std::uint32_t>(block.size()),
        .checksum = checksum,
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

  std::uint64_t checksum_of(ByteSpan /*block*/) const override { return 0; }

  void put_block(ByteSpan /*block*/, ByteSpan elements, std::uint64_t /*checksum*/) override {
    std::array<std::uint8_t, format::zero_length::bare_header_bytes> header{};
    format::store_little_endian<8>(header.data(), header.size() + elements.size());
    format::store_little_endian<8>(header.data() + format::zero_length::bare_size_bytes, blocks());
    put(header);
    put(elements);
  }

  void put_end() override { put(std::array<std::uint8_t, format::zero_length::bare_size_bytes>{}); }
};

// Blocks that are read, then encoded at the same time, then written.
class Batch {
public:
  Batch(BlockFormat format, std::uint64_t block_bytes) : format_(format), block_bytes_(block_bytes) {}

  // Makes room for that many blocks. What it held is lost.
  void resize(std::uint64_t blocks) {
    if (blocks == blocks_) return;
    encoded_.reset();
    input_.reset();
    elements_.reset();
    // Not written before they are needed: a block size that is much larger than the input takes no memory.
    encoded_ = std::make_unique_for_overwrite<Encoded[]>(blocks);
    input_ = std::make_unique_for_overwrite<std::uint8_t[]>(blocks * block_bytes_);
    elements_ = std::make_unique_for_overwrite<std::uint8_t[]>(blocks * elements_stride());
    blocks_ = blocks;
  }

  std::uint64_t blocks() const { return blocks_; }

  // Returns whether more may follow.
  bool read(const format::ReadFunction& read) {
    const std::span<std::uint8_t> buffer(input_.get(), blocks_ * block_bytes_);
    input_bytes_ = read(buffer);
    return input_bytes_ == buffer.size();
  }

  void encode(const EncodeElements& encode, const Container& container, unsigned threads) {
    parallel_for(block_count(), threads, [&](std::size_t index) {
      const ByteSpan bytes = block(index);
      encoded_[index] = {.bytes = encode(bytes, {elements_.get() + index * elements_stride(),
                                                 encoding_room(format_, bytes.size())}),
                         .checksum = container.checksum_of(bytes)};
    });
  }

  std::size_t block_count() const { return format::part_size(input_bytes_, block_bytes_); }

  ByteSpan block(std::size_t index) const {
    const std::uint64_t begin = index * block_bytes_;
    return {input_.get() + begin, std::min(block_bytes_, input_bytes_ - begin)};
  }
  ByteSpan elements(std::size_t index) const {
    return {elements_.get() + index * elements_stride(), encoded_[index].bytes};
  }
  std::uint64_t checksum(std::size_t index) const { return encoded_[index].checksum; }

private:
  struct Encoded {
    std::size_t bytes;
    std::uint64_t checksum;
  };

  std::uint64_t elements_stride() const { return encoding_room(format_, block_bytes_); }

  BlockFormat format_;
  std::uint64_t block_bytes_;
  std::uint64_t blocks_ = 0;
  std::unique_ptr<Encoded[]> encoded_;
  std::unique_ptr<std::uint8_t[]> input_;
  std::unique_ptr<std::uint8_t[]> elements_;
  std::uint64_t input_bytes_ = 0;
};

// Of a batch at most. Each thread has four megabytes: with much less, threads that wait for each other, where
// the processors have other work too, would cost more than they save.
std::uint64_t most_blocks_of_batch(BlockFormat format, std::uint64_t block_bytes, unsigned threads,
                                   std::uint64_t memory_bytes) {
  constexpr std::uint64_t bytes_of_thread = std::uint64_t{4} << 20;
  const std::uint64_t wanted = threads * format::part_size(bytes_of_thread, block_bytes);
  return std::clamp<std::uint64_t>(memory_bytes / write_file_memory(format, block_bytes), 1, wanted);
}

void put_blocks(BlockFormat format, Container& container, const format::ReadFunction& read,
                const format::EncodeSettings& settings, std::uint64_t memory_bytes,
                const format::ProgressFunction& progress, const EncodeElements& encode,
                format::EncodeTotals& totals) {
  const unsigned threads = thread_count(settings.threads);
  const std::uint64_t most_blocks = most_blocks_of_batch(format, settings.block_bytes, threads, memory_bytes);
  Batch batch(format, settings.block_bytes);
  for (bool may_follow = true; may_follow;) {
    // Small inputs get small buffers.
    batch.resize(std::min(most_blocks, std::max<std::uint64_t>(threads, 2 * batch.blocks())));
    may_follow = batch.read(read);
    batch.encode(encode, container, threads);
    for (std::size_t index = 0; index < batch.block_count(); ++index) {
      container.put_block(batch.block(index), batch.elements(index), batch.checksum(index));
      totals.input_bytes += batch.block(index).size();
      ++totals.blocks;
    }
    if (progress && batch.block_count() != 0) progress(totals);
  }
  container.put_end();
}

}  // namespace

format::EncodeTotals write_file(BlockFormat format, const format::ReadFunction& read,
                                const format::WriteFunction& write, const format::EncodeSettings& settings,
                                const format::ProgressFunction& progress, const EncodeElements& encode,
                                std::uint64_t memory_bytes) {
  if (settings.block_bytes < 1 || settings.block_bytes > format::max_block_bytes) {
    throw std::invalid_argument("a block has 1 to " + std::to_string(format::max_block_bytes) +
                                " bytes, not " + std::to_string(settings.block_bytes));
  }
  format::EncodeTotals totals;
  totals.how = format == format::zero_length::dictionary_format ? "repeated floats, " : "runs of zeros, ";
  if (format == format::zero_length::frame_format || format == format::zero_length::markers_format ||
      format == format::zero_length::dictionary_format) {
    Frame frame(format, write, totals, settings);
    put_blocks(format, frame, read, settings, memory_bytes, progress, encode, totals);
  } else if (format == format::zero_length::bare_format) {
    Bare bare(write, totals);
    put_blocks(format, bare, read, settings, memory_bytes, progress, encode, totals);
  } else {
    throw std::invalid_argument("zero-length coding has no format of number " +
                                std::to_string(static_cast<unsigned>(format)));
  }
  return totals;
}

std::uint64_t write_file_memory(BlockFormat format, std::uint64_t block_bytes) {
  return block_bytes + encoding_room(format, block_bytes);
}

}  // namespace gsst::reference::zero_length
