#include "fuzz/kernels/batch.hpp"

#include <algorithm>
#include <utility>

#include "common/format/error.hpp"
#include "common/format/formats.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "common/stage/frame_shape.hpp"
#include "fuzz/block_oracle.hpp"
#include "fuzz/payload_mutator.hpp"

namespace gsst::fuzz {
namespace {

using format::BlockLayout;
using format::FormatError;
using Bytes = std::vector<std::uint8_t>;
using Output = std::optional<Bytes>;

// Blocks that a batch's others are made from.
constexpr std::size_t seed_count = 24;

void append(Bytes& to, std::span<const std::uint8_t> bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

// `output`, where there is one, gives the checksum.
format::BlockRecord record_of(const format::FrameHeader& header, BlockLayout layout,
                              std::size_t payload_bytes, const Output& output) {
  return {.layout = layout,
          .payload_bytes = static_cast<std::uint32_t>(payload_bytes),
          .uncompressed_bytes = static_cast<std::uint32_t>(header.block_size),
          .checksum = output ? format::checksum(header.checksum_kind, *output) : 0,
          .checksum_kind = header.checksum_kind};
}

// Puts a frame together, block by block.
class FrameWriter {
public:
  explicit FrameWriter(const format::FrameHeader& header) {
    append(frame_, format::build_frame_header(header));
    index_.checksum_kind = header.checksum_kind;
  }

  void add(const format::BlockRecord& record, std::span<const std::uint8_t> payload) {
    append(frame_, format::build_block_record(record));
    append(frame_, payload);
    format::append_block(index_, record);
  }

  Bytes finish() && {
    append(frame_, format::build_frame_end(index_));
    return std::move(frame_);
  }

private:
  Bytes frame_;
  format::FrameIndex index_;
};

Output output_or_refusal(const BlockOracle& oracle, std::span<const std::uint8_t> payload,
                         const format::BlockRecord& record, const format::CheckedPayload& checked,
                         std::uint64_t block) {
  try {
    return oracle.decode(payload, record, checked, block);
  } catch (const FormatError&) {
    return std::nullopt;
  }
}

// The blocks of a batch that the plan has accepted so far.
class BatchMaker {
public:
  explicit BatchMaker(const format::FrameHeader& header) : header_(header), oracle_(header) {}

  std::span<const Block> blocks() const { return blocks_; }

  // Whether the plan accepts the block as the next of the frame. If so, it is added.
  bool add(Block block) {
    const std::uint64_t number = blocks_.size();
    const format::BlockRecord record = record_of(header_, block.layout, block.bytes.size(), std::nullopt);
    try {
      format::parse_record_header(format::build_block_record(record), header_, number);
      const format::CheckedPayload checked = oracle_.check(block.bytes, record, number);
      outputs_.push_back(output_or_refusal(oracle_, block.bytes, record, checked, number));
    } catch (const FormatError&) {
      return false;
    }
    blocks_.push_back(std::move(block));
    return true;
  }

  void finish(Batch& batch) && {
    FrameWriter frame(header_);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      frame.add(record_of(header_, blocks_[i].layout, blocks_[i].bytes.size(), outputs_[i]),
                blocks_[i].bytes);
    }
    batch.frame = std::move(frame).finish();
    batch.expected = {.format = header_.format,
                      .block_bytes = std::vector<std::uint32_t>(
                          blocks_.size(), static_cast<std::uint32_t>(header_.block_size)),
                      .outputs = std::move(outputs_)};
  }

private:
  format::FrameHeader header_;
  BlockOracle oracle_;
  std::vector<Block> blocks_;
  std::vector<Output> outputs_;
};

}  // namespace

Batch make_batch(format::BlockFormat format, std::uint32_t inputs, Random& random) {
  const PayloadMutator& mutator = mutator_of(format);
  const Seeds seeds = mutator.make_seeds(reference::codec_of(format), seed_count, random);
  Batch batch;
  BatchMaker maker(seeds.header);
  for (; batch.inputs < inputs; ++batch.inputs) {
    Block block = mutator.change(seeds, random);
    std::optional<Block> sharing = mutator.with_earlier_part(block, maker.blocks(), seeds.header, random);
    if (!maker.add(sharing ? *std::move(sharing) : std::move(block))) ++batch.refused_by_plan;
  }
  std::move(maker).finish(batch);
  return batch;
}

Expectation ask_oracle(std::span<const std::uint8_t> frame) {
  const format::FrameView view = format::parse_frame(frame);
  BlockOracle oracle(view.header);
  Expectation expected{.format = view.header.format, .block_bytes = {}, .outputs = {}};
  for (std::size_t block = 0; block < view.index.entries.size(); ++block) {
    const format::BlockRecord& record = view.index.entries[block].record;
    const std::span<const std::uint8_t> payload = view.payload(block);
    const format::CheckedPayload checked = oracle.check(payload, record, block);
    expected.block_bytes.push_back(record.uncompressed_bytes);
    expected.outputs.push_back(output_or_refusal(oracle, payload, record, checked, block));
  }
  return expected;
}

std::vector<std::uint8_t> frame_of_one_block(std::span<const std::uint8_t> frame, std::size_t block) {
  const format::FrameView view = format::parse_frame(frame);
  BlockOracle oracle(view.header);
  // The block that holds what each is decoded with, mostly itself.
  std::vector<std::size_t> holders;
  for (std::size_t number = 0; number <= block; ++number) {
    const format::CheckedPayload checked =
        oracle.check(view.payload(number), view.index.entries[number].record, number);
    holders.push_back(checked.part ? static_cast<std::size_t>(checked.holder) : number);
  }
  std::vector<bool> is_kept(block + 1);
  std::size_t first = block;
  for (is_kept[first] = true; holders[first] != first; is_kept[first] = true) first = holders[first];
  FrameWriter writer(view.header);
  const Bytes zeros(format::raw_payload_bytes(view.header.format, view.header.block_size));
  const Output decoded = Bytes(view.header.block_size);
  for (std::size_t number = first; number <= block; ++number) {
    if (is_kept[number]) {
      writer.add(view.index.entries[number].record, view.payload(number));
    } else {
      writer.add(record_of(view.header, BlockLayout::raw, zeros.size(), decoded), zeros);
    }
  }
  return std::move(writer).finish();
}

}  // namespace gsst::fuzz
