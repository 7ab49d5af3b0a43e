#include "reference_cpu/stream_codec.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/frame.hpp"
#include "common/format/fsst_file.hpp"
#include "reference_cpu/block_codec.hpp"
#include "reference_cpu/parallel.hpp"

namespace gsst::reference {
namespace {

using format::BlockFormat;
using format::FormatError;

// A block in work takes its input, its codes (twice the input at most) and its output. With 384 MiB for all
// of them a program stays under 512 MiB, except where a single block is larger than that.
constexpr std::uint64_t batch_memory_bytes = std::uint64_t{384} << 20;
constexpr std::uint64_t memory_per_block_byte = 5;
constexpr std::size_t read_piece_bytes = std::size_t{1} << 20;

std::size_t blocks_per_batch(std::uint64_t block_bytes, unsigned threads) {
  const std::uint64_t affordable = batch_memory_bytes / (memory_per_block_byte * block_bytes);
  // Small blocks come several to a thread, so that a batch is worth its start.
  constexpr std::uint64_t least_batch_bytes = std::uint64_t{1} << 20;
  const std::uint64_t wanted = std::max<std::uint64_t>(threads, least_batch_bytes / block_bytes);
  return static_cast<std::size_t>(
      std::clamp<std::uint64_t>(wanted, 1, std::max<std::uint64_t>(affordable, 1)));
}

// Reads what is announced in pieces: a hostile size takes no more memory than there are bytes behind it.
std::vector<std::uint8_t> read_up_to(const ReadFunction& read, std::size_t size) {
  std::vector<std::uint8_t> bytes;
  while (bytes.size() < size) {
    const std::size_t begin = bytes.size();
    const std::size_t piece = std::min(std::max(read_piece_bytes, begin), size - begin);
    bytes.resize(begin + piece);
    const std::size_t got = read(std::span(bytes).subspan(begin));
    if (got < piece) {
      bytes.resize(begin + got);
      break;
    }
  }
  return bytes;
}

// A block on its way through a batch.
struct Job {
  std::vector<std::uint8_t> input;
  format::BlockRecord record{};
  std::vector<std::uint8_t> output;
  // Most that input and output can take.
  std::uint64_t memory_bytes = 0;
  std::exception_ptr failure;
};

// Blocks in parallel where there are several, else the splits of the only one.
template <typename Work>
void work_on_batch(std::vector<Job>& jobs, unsigned threads, const Work& work) {
  const unsigned threads_per_block = jobs.size() == 1 ? threads : 1;
  parallel_for(jobs.size(), threads, [&](std::size_t i) { work(jobs[i], i, threads_per_block); });
}

class Compressor {
public:
  Compressor(const ReadFunction& read, const WriteFunction& write, const CompressOptions& options,
             const ProgressFunction& progress)
      : read_(read),
        write_(write),
        progress_(progress),
        options_(options),
        threads_(thread_count(options.threads)),
        framed_(options.format != BlockFormat::fsst) {}

  StreamTotals run() {
    if (framed_) {
      put(format::build_frame_header({.format = options_.format,
                                      .block_size = options_.block_bytes,
                                      .split_count = split_count(options_)}));
    }
    const std::size_t batch = blocks_per_batch(options_.block_bytes, threads_);
    bool at_end = false;
    while (!at_end) {
      std::vector<Job> jobs = read_batch(batch, at_end);
      if (totals_.blocks == 0 && !jobs.empty()) plan_ = plan_frame(jobs.front().input, options_, threads_);
      work_on_batch(jobs, threads_, [this](Job& job, std::size_t, unsigned threads) {
        CompressedBlock block = compress_block(job.input, options_, threads, plan_);
        job.record = block.record;
        job.output = std::move(block.bytes);
      });
      for (const Job& job : jobs) write_block(job);
      if (progress_) progress_(totals_);
    }
    if (framed_) put(format::build_frame_end(index_));
    if (plan_) totals_.tiles = plan_->choice;
    return totals_;
  }

private:
  std::vector<Job> read_batch(std::size_t batch, bool& at_end) {
    std::vector<Job> jobs;
    while (!at_end && jobs.size() < batch) {
      Job job;
      job.input = read_up_to(read_, options_.block_bytes);
      at_end = job.input.size() < options_.block_bytes;
      totals_.input_bytes += job.input.size();
      if (!job.input.empty()) jobs.push_back(std::move(job));
    }
    return jobs;
  }

  void write_block(const Job& job) {
    if (framed_) {
      append_to_index(index_, job.record);
      put(format::build_block_record(job.record));
    }
    put(job.output);
    ++totals_.blocks;
  }

  void put(std::span<const std::uint8_t> bytes) {
    write_(bytes);
    totals_.output_bytes += bytes.size();
  }

  const ReadFunction& read_;
  const WriteFunction& write_;
  const ProgressFunction& progress_;
  CompressOptions options_;
  unsigned threads_;
  bool framed_;
  std::optional<TilePlan> plan_;
  format::FrameIndex index_;
  StreamTotals totals_;
};

// What both kinds of input share: batches of blocks that are read one after the other, decoded in parallel
// and written in order up to the first that fails.
class Decompressor {
public:
  Decompressor(const ReadFunction& read, const WriteFunction& write, const ProgressFunction& progress,
               unsigned threads)
      : read_(read), write_(write), progress_(progress), threads_(thread_count(threads)) {}

  StreamTotals run_frame() {
    const std::vector<std::uint8_t> header_bytes = take(format::frame_header_bytes);
    header_ = format::parse_frame_header(header_bytes);
    run_batches(
        blocks_per_batch(header_.block_size, threads_), [this](Job& job) { return read_frame_block(job); },
        [this](Job& job, std::uint64_t block, unsigned threads) { decode_frame_block(job, block, threads); });
    return totals_;
  }

  StreamTotals run_fsst() {
    run_batches(
        blocks_per_batch(format::max_fsst_block_bytes, threads_),
        [this](Job& job) { return read_fsst_block(job); },
        [](Job& job, std::uint64_t block, unsigned) {
          job.output = decode_fsst_block(format::parse_fsst_block(job.input, block), block);
        });
    return totals_;
  }

private:
  template <typename ReadBlock, typename DecodeBlock>
  void run_batches(std::size_t batch, const ReadBlock& read_block, const DecodeBlock& decode_block) {
    bool more = true;
    std::exception_ptr read_failure;
    while (more) {
      std::vector<Job> jobs;
      std::uint64_t memory_bytes = 0;
      // Blocks in front of a damaged place are still decoded and written before the error is thrown.
      try {
        while (more && jobs.size() < batch && memory_bytes < batch_memory_bytes) {
          Job job;
          more = read_block(job);
          memory_bytes += job.memory_bytes;
          if (more) jobs.push_back(std::move(job));
        }
      } catch (const FormatError&) {
        read_failure = std::current_exception();
        more = false;
      }
      const std::uint64_t first_block = totals_.blocks;
      work_on_batch(jobs, threads_, [&](Job& job, std::size_t i, unsigned threads) {
        try {
          decode_block(job, first_block + i, threads);
        } catch (...) {
          job.failure = std::current_exception();
        }
      });
      for (const Job& job : jobs) {
        if (job.failure) std::rethrow_exception(job.failure);
        write_(job.output);
        totals_.output_bytes += job.output.size();
        ++totals_.blocks;
      }
      if (read_failure) std::rethrow_exception(read_failure);
      if (progress_) progress_(totals_);
    }
  }

  // Reads the next record. Returns false after the index, with all of the frame's end checked.
  bool read_frame_block(Job& job) {
    const std::uint64_t block = index_.entries.size();
    const std::vector<std::uint8_t> record_bytes = take(format::record_header_bytes);
    const format::RecordHeader record = format::parse_record_header(record_bytes, header_, block);
    if (record.kind == format::RecordKind::index) {
      finish_frame(record);
      return false;
    }
    if (!index_.entries.empty() && index_.entries.back().record.uncompressed_bytes != header_.block_size) {
      throw FormatError(block - 1, "uncompressed bytes",
                        "is " + std::to_string(index_.entries.back().record.uncompressed_bytes) +
                            ", expected the block size of " + std::to_string(header_.block_size) +
                            ": more blocks follow");
    }
    format::append_block(index_, record.fields);
    job.record = record.fields;
    job.memory_bytes = std::uint64_t{record.fields.payload_bytes} + record.fields.uncompressed_bytes;
    job.input = take(record.fields.payload_bytes);
    if (job.input.size() != record.fields.payload_bytes) {
      throw FormatError(block, "payload bytes",
                        "truncated: is " + std::to_string(record.fields.payload_bytes) + ", only " +
                            std::to_string(job.input.size()) + " bytes are left");
    }
    return true;
  }

  void finish_frame(const format::RecordHeader& record) {
    // One entry more than blocks is enough to see that the index is wrong, whatever size it claims.
    const std::size_t most_bytes =
        (index_.entries.size() + 1) * format::index_entry_bytes + format::index_totals_bytes;
    const std::vector<std::uint8_t> payload =
        take(std::min<std::size_t>(record.fields.payload_bytes, most_bytes));
    check_index(format::parse_index(payload, record, header_));
    const std::vector<std::uint8_t> trailer = take(format::frame_trailer_bytes);
    const std::uint64_t index_bytes = format::record_header_bytes + payload.size();
    format::check_trailer(trailer, totals_.input_bytes, index_bytes);
    if (!take(1).empty()) throw FormatError(std::nullopt, "trailer", "bytes follow the end of the frame");
  }

  void check_index(const format::FrameIndex& stored) const {
    if (stored.entries.size() != index_.entries.size()) {
      throw FormatError(std::nullopt, "index block count",
                        "is " + std::to_string(stored.entries.size()) + ", the frame has " +
                            std::to_string(index_.entries.size()) + " blocks");
    }
    for (std::size_t block = 0; block < stored.entries.size(); ++block) {
      if (stored.entries[block] == index_.entries[block]) continue;
      throw FormatError(block, "index entry", "differs from the record in front of the block");
    }
  }

  void decode_frame_block(Job& job, std::uint64_t block, unsigned threads) const {
    const format::BlockView view = format::parse_block(job.input,
                                                       {.format = header_.format,
                                                        .layout = job.record.layout,
                                                        .uncompressed_bytes = job.record.uncompressed_bytes,
                                                        .split_count = header_.split_count},
                                                       block);
    job.output.resize(view.uncompressed_bytes);
    decode_block(view, job.output, block, threads);
    check_checksum(job.output, job.record, block);
  }

  bool read_fsst_block(Job& job) {
    const std::uint64_t block = blocks_read_++;
    job.input = take(format::fsst_length_bytes);
    if (job.input.empty()) return false;
    const std::size_t length = format::parse_fsst_block_length(job.input, block);
    const std::vector<std::uint8_t> rest = take(length - format::fsst_length_bytes);
    job.input.insert(job.input.end(), rest.begin(), rest.end());
    job.memory_bytes = (1 + format::max_symbol_length) * std::uint64_t{length};
    return true;
  }

  std::vector<std::uint8_t> take(std::size_t size) {
    std::vector<std::uint8_t> bytes = read_up_to(read_, size);
    totals_.input_bytes += bytes.size();
    return bytes;
  }

  const ReadFunction& read_;
  const WriteFunction& write_;
  const ProgressFunction& progress_;
  unsigned threads_;
  format::FrameHeader header_{};
  format::FrameIndex index_;
  std::uint64_t blocks_read_ = 0;
  StreamTotals totals_;
};

}  // namespace

StreamTotals compress_stream(const ReadFunction& read, const WriteFunction& write,
                             const CompressOptions& options, const ProgressFunction& progress) {
  check_options(options);
  return Compressor(read, write, options, progress).run();
}

StreamTotals decompress_stream(const ReadFunction& read, const WriteFunction& write,
                               const DecompressOptions& options, const ProgressFunction& progress) {
  Decompressor decompressor(read, write, progress, options.threads);
  return options.fsst_file ? decompressor.run_fsst() : decompressor.run_frame();
}

}  // namespace gsst::reference
