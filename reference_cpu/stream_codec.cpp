#include "reference_cpu/stream_codec.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/gsst/block.hpp"
#include "common/format/gsst/fsst_file.hpp"
#include "common/format/gsst/shared_tables.hpp"
#include "common/format/part_size.hpp"
#include "common/frame/frame.hpp"
#include "common/frame/frame_reader.hpp"
#include "reference_cpu/block_codec.hpp"
#include "reference_cpu/parallel.hpp"
#include "reference_cpu/table_sharing.hpp"

namespace gsst::reference {
namespace {

using format::BlockFormat;
using format::FormatError;
using format::read_up_to;

// A block in work takes its input, its codes (twice the input at most) and its output. With 384 MiB for all
// of them a program stays under 512 MiB, except where a single block is larger than that.
constexpr std::uint64_t batch_memory_bytes = std::uint64_t{384} << 20;
constexpr std::uint64_t memory_per_block_byte = 5;

std::size_t blocks_per_batch(std::uint64_t block_bytes, unsigned threads) {
  const std::uint64_t affordable = batch_memory_bytes / (memory_per_block_byte * block_bytes);
  // Small blocks come several to a thread, so that a batch is worth its start.
  constexpr std::uint64_t least_batch_bytes = std::uint64_t{1} << 20;
  const std::uint64_t wanted = std::max<std::uint64_t>(threads, least_batch_bytes / block_bytes);
  return static_cast<std::size_t>(
      std::clamp<std::uint64_t>(wanted, 1, std::max<std::uint64_t>(affordable, 1)));
}

// A block on its way through a batch.
struct Job {
  std::vector<std::uint8_t> input;
  // Compression: what is written.
  CompressedBlock block;
  // Decompression: what stood in front of the input, and what is written.
  format::BlockRecord record{};
  std::vector<std::uint8_t> output;
  // Format tiles: what holds the block's table.
  format::TableBlock table;
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
        framed_(options.format != BlockFormat::fsst) {
    index_.checksum_kind = options.checksum_kind;
  }

  CompressTotals run() {
    if (framed_) {
      put(format::build_frame_header({.format = options_.format,
                                      .block_size = options_.block_bytes,
                                      .split_count = split_count(options_),
                                      .checksum_kind = options_.checksum_kind}));
    }
    const std::size_t batch =
        std::max<std::size_t>(blocks_per_batch(options_.block_bytes, threads_),
                              format::part_size(planned_bytes(options_), options_.block_bytes));
    bool at_end = false;
    while (!at_end) {
      std::vector<Job> jobs = read_batch(batch, at_end);
      if (totals_.blocks == 0 && !jobs.empty()) plan_ = plan_frame(start_of(jobs), options_, threads_);
      work_on_batch(jobs, threads_, [this](Job& job, std::size_t, unsigned threads) {
        job.block = compress_block(job.input, options_, threads, plan_);
      });
      for (Job& job : jobs) write_block(job);
      if (progress_) progress_(totals_);
    }
    if (framed_) put(format::build_frame_end(index_));
    if (plan_) totals_.tiles = plan_->choice;
    totals_.tables = sharing_.tables();
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

  // The planned bytes of the frame; the first batch has them all.
  std::vector<std::uint8_t> start_of(const std::vector<Job>& jobs) const {
    std::vector<std::uint8_t> start;
    const std::uint64_t wanted = planned_bytes(options_);
    for (const Job& job : jobs) {
      const std::size_t count = std::min<std::size_t>(job.input.size(), wanted - start.size());
      start.insert(start.end(), job.input.begin(), job.input.begin() + static_cast<std::ptrdiff_t>(count));
    }
    return start;
  }

  void write_block(Job& job) {
    if (options_.format == BlockFormat::tiles) {
      sharing_.finish(job.block, job.input, job.input.size() < options_.block_bytes);
    }
    if (framed_) {
      append_to_index(index_, job.block.record);
      put(format::build_block_record(job.block.record));
    }
    put(job.block.bytes);
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
  TableSharing sharing_;
  format::FrameIndex index_;
  CompressTotals totals_;
};

// What both kinds of input share: batches of blocks that are read one after the other, decoded in parallel
// and written in order up to the first that fails.
class Decompressor {
public:
  Decompressor(const ReadFunction& read, const WriteFunction& write, const ProgressFunction& progress,
               unsigned threads)
      : read_(read), write_(write), progress_(progress), threads_(thread_count(threads)) {}

  StreamTotals run_frame() {
    format::FrameReader frame(read_);
    run_batches(
        blocks_per_batch(frame.header().block_size, threads_),
        [&](Job& job) {
          const bool more = read_frame_block(frame, job);
          totals_.input_bytes = frame.bytes_read();
          return more;
        },
        [&](Job& job, std::uint64_t block, unsigned threads) {
          decode_frame_block(frame.header(), job, block, threads);
        });
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

  // Reads the next block. Returns false at the frame's end.
  bool read_frame_block(format::FrameReader& frame, Job& job) {
    const std::optional<format::BlockRecord> record = frame.next_record();
    if (!record) return false;
    job.record = *record;
    job.memory_bytes = std::uint64_t{record->payload_bytes} + record->uncompressed_bytes;
    job.input = frame.read_payload();
    // Blocks that share tables are looked at in order.
    if (frame.header().format == BlockFormat::tiles) {
      const std::uint64_t block = frame.block_count() - 1;
      job.table = tables_.table_of(parse_frame_block(frame.header(), job, block), block);
    }
    return true;
  }

  static format::BlockView parse_frame_block(const format::FrameHeader& header, const Job& job,
                                             std::uint64_t block) {
    return format::parse_block(job.input,
                               {.format = header.format,
                                .layout = job.record.layout,
                                .uncompressed_bytes = job.record.uncompressed_bytes,
                                .split_count = header.split_count},
                               block);
  }

  static void decode_frame_block(const format::FrameHeader& header, Job& job, std::uint64_t block,
                                 unsigned threads) {
    const format::BlockView view = parse_frame_block(header, job, block);
    job.output.resize(view.uncompressed_bytes);
    decode_block(view, job.output, block, threads,
                 job.table ? std::span(*job.table) : std::span<const std::uint8_t>());
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
  std::uint64_t blocks_read_ = 0;
  format::TableWindow tables_;
  StreamTotals totals_;
};

}  // namespace

CompressTotals compress_stream(const ReadFunction& read, const WriteFunction& write,
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
