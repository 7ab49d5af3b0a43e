#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/zero_length/zero_length.hpp"
#include "common/frame/frame.hpp"
#include "common/pipeline/memory_limit.hpp"
#include "stages/zero_length/encode/block_numbers.hpp"
#include "stages/zero_length/encode/kernel_encode_runner.hpp"

namespace gsst::zero_length {
namespace {

// Bytes of a piece at most, but of one that is a single block. Pieces are read, copied, encoded and copied
// back one after the other: launches take a millisecond of the ten or more that reading one takes.
constexpr std::uint64_t most_bytes_of_piece = std::uint64_t{64} << 20;

// Writes one file out of the files of its pieces.
class FileJoiner {
public:
  explicit FileJoiner(const format::WriteFunction& write) : write_(write) {}
  FileJoiner(const FileJoiner&) = delete;
  FileJoiner& operator=(const FileJoiner&) = delete;
  virtual ~FileJoiner() = default;

  // The file of `input_bytes` bytes, which may be changed.
  void append(std::span<std::uint8_t> file, std::uint64_t input_bytes) {
    totals_.blocks += append_blocks(file);
    totals_.input_bytes += input_bytes;
  }
  virtual void finish() = 0;

  const format::EncodeTotals& totals() const { return totals_; }

protected:
  // Returns their number.
  virtual std::uint64_t append_blocks(std::span<std::uint8_t> file) = 0;

  void put(std::span<const std::uint8_t> bytes) {
    write_(bytes);
    totals_.output_bytes += bytes.size();
  }

private:
  const format::WriteFunction& write_;
  format::EncodeTotals totals_;
};

class FrameOfPieces final : public FileJoiner {
public:
  using FileJoiner::FileJoiner;

  void finish() override { put(format::build_frame_end(index_)); }

private:
  // Their records are those of the whole frame, the index is not.
  std::uint64_t append_blocks(std::span<std::uint8_t> file) override {
    const format::FrameView frame = format::parse_frame(file);
    const std::vector<format::IndexEntry>& entries = frame.index.entries;
    if (entries.size() > format::max_block_count - index_.entries.size()) {
      throw std::length_error("a frame holds at most " + std::to_string(format::max_block_count) +
                              " blocks; use a larger block size");
    }
    const std::size_t begin = has_header_ ? format::frame_header_bytes : 0;
    has_header_ = true;
    index_.checksum_kind = frame.header.checksum_kind;
    for (const format::IndexEntry& entry : entries) format::append_block(index_, entry.record);
    put(file.subspan(begin, frame.index_offset() - format::record_header_bytes - begin));
    return entries.size();
  }

  format::FrameIndex index_;
  bool has_header_ = false;
};

class BareFileOfPieces final : public FileJoiner {
public:
  using FileJoiner::FileJoiner;

  void finish() override { put(std::array<std::uint8_t, format::zero_length::bare_size_bytes>{}); }

private:
  // A piece counts its blocks from 0, and ends with a guard block.
  std::uint64_t append_blocks(std::span<std::uint8_t> file) override {
    const std::span<std::uint8_t> of_piece = file.first(file.size() - format::zero_length::bare_size_bytes);
    const std::uint64_t blocks = number_blocks(of_piece, totals().blocks);
    put(of_piece);
    return blocks;
  }
};

std::unique_ptr<FileJoiner> make_joiner(format::BlockFormat format, const format::WriteFunction& write) {
  if (format == format::zero_length::frame_format) return std::make_unique<FrameOfPieces>(write);
  return std::make_unique<BareFileOfPieces>(write);
}

}  // namespace

format::EncodeTotals KernelEncodePlans::encode(const stage::FileToEncode& file,
                                               const format::ReadFunction& read,
                                               const format::WriteFunction& write,
                                               const format::ProgressFunction& progress) const {
  check(file);
  const std::uint64_t block_bytes = file.settings.block_bytes;
  const auto shape_of = [&](std::uint64_t bytes) {
    return stage::InputToEncode{.format = file.format, .input_bytes = bytes, .block_bytes = block_bytes};
  };
  const auto memory_of = [&](std::uint64_t bytes) {
    return KernelEncodeRunner::memory_bytes(*this, shape_of(bytes));
  };
  // Bytes of every piece but the last. Where the memory holds no block it may hold a short input.
  std::uint64_t most_bytes = std::min(block_bytes, file.memory_bytes);
  if (memory_of(block_bytes) <= file.memory_bytes) {
    std::uint64_t fitting = 1;
    std::uint64_t too_many = std::max<std::uint64_t>(most_bytes_of_piece / block_bytes, 1) + 1;
    while (fitting + 1 < too_many) {
      const std::uint64_t middle = fitting + (too_many - fitting) / 2;
      (memory_of(middle * block_bytes) <= file.memory_bytes ? fitting : too_many) = middle;
    }
    most_bytes = fitting * block_bytes;
  }
  KernelEncodeRunner runner(*this);
  const std::unique_ptr<FileJoiner> joiner = make_joiner(file.format, write);
  bool is_full = true;
  std::vector<std::uint8_t> piece = format::read_up_to(read, most_bytes);
  do {
    is_full = piece.size() == most_bytes;
    if (memory_of(piece.size()) > file.memory_bytes) {
      throw pipeline::MemoryLimitError(file.memory_bytes, memory_of(is_full ? block_bytes : piece.size()));
    }
    joiner->append(runner.run(piece, shape_of(piece.size())).file, piece.size());
    if (progress) progress(joiner->totals());
    // Into the same memory: fresh pages cost more than what is done with their bytes.
    if (is_full) piece.resize(read(piece));
  } while (is_full && !piece.empty());
  joiner->finish();
  format::EncodeTotals totals = joiner->totals();
  totals.how = "runs of zeros, ";
  return totals;
}

}  // namespace gsst::zero_length
