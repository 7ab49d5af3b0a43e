#include "stages/codag/gzip/zlib_decoding.hpp"

#include <optional>
#include <string>

#include "common/format/block_format.hpp"
#include "common/format/bytes.hpp"
#include "common/format/codag/deflate.hpp"
#include "common/format/codag/deflate_rules.hpp"
#include "common/format/codag/zlib_header.hpp"
#include "common/format/error.hpp"
#include "reference_cpu/codag/zlib_file.hpp"
#include "stages/codag/gzip/deflate_size.hpp"
#include "stages/codag/gzip/gzip_batch.hpp"

namespace gsst::codag::gzip {
namespace {

using format::codag::DeflateStatus;
using format::codag::zlib_header_bytes;
using format::codag::zlib_trailer_bytes;

// What is wrong with the stream, by the word that counting it has left.
format::FormatError error_of_stream(std::uint32_t status) {
  if (format::codag::deflate_status_of(status) == DeflateStatus::bytes_after_end) {
    return {0, "stream", "is followed by other bytes than its Adler-32, the last 4 of the file"};
  }
  const format::StatusText text = format::codag::rules_of_deflate.describe(status);
  return {0, text.field,
          text.problem + ", which begins at byte " + std::to_string(zlib_header_bytes) + " of the file"};
}

// The stream as a batch of one member.
GzipBatch batch_of_stream(std::span<const std::uint8_t> file, std::uint32_t output_bytes) {
  const std::uint8_t* const trailer = file.data() + file.size() - zlib_trailer_bytes;
  return {.checksum = StreamChecksum::adler32,
          .members = {{.offset = 0,
                       .stream_offset = zlib_header_bytes,
                       .end = file.size(),
                       .checksum = static_cast<std::uint32_t>(format::load_big_endian<4>(trailer)),
                       .output_bytes = output_bytes,
                       .is_sized = true,
                       .trailer_bytes = zlib_trailer_bytes}},
          .output_bytes = output_bytes};
}

class ZlibFileDecoder {
public:
  ZlibFileDecoder(std::span<const std::uint8_t> file, const chunk_files::ChunkRequest& request,
                  const format::WriteFunction& write, const format::ProgressFunction& progress)
      : file_(file), request_(request), write_(write), progress_(progress) {}

  chunk_files::ChunkTotals run() const {
    format::codag::check_zlib_header(file_);
    if (file_.size() < zlib_header_bytes + zlib_trailer_bytes) {
      throw format::FormatError(0, "stream",
                                "is cut short, at byte " + std::to_string(file_.size()) + " of the file");
    }
    constexpr const char* too_much_memory = "it needs more memory than is allowed";
    constexpr const char* too_large = "it decodes to more than 1 GiB, or has more bytes than stages take";
    if (batch_of_stream(file_, 0).memory_bytes() > request_.memory_bytes) return by_zlib(too_much_memory);
    const auto stream =
        file_.subspan(zlib_header_bytes, file_.size() - zlib_header_bytes - zlib_trailer_bytes);
    if (stream.size() > format::codag::max_deflate_bytes(format::max_block_bytes)) return by_zlib(too_large);
    const DeflateSize size = size_of_deflate(request_.executor, stream, format::max_block_bytes);
    if (format::codag::deflate_status_of(size.status) == DeflateStatus::output_too_long) {
      return by_zlib(too_large);
    }
    if (size.status != 0) throw error_of_stream(size.status);
    // Empty sections may make a stream of any length.
    if (stream.size() > format::codag::max_deflate_bytes(size.output_bytes)) return by_zlib(too_large);
    const GzipBatch batch = batch_of_stream(file_, size.output_bytes);
    if (batch.memory_bytes() > request_.memory_bytes) return by_zlib(too_much_memory);
    return by_stage(batch);
  }

private:
  chunk_files::ChunkTotals by_stage(const GzipBatch& batch) const {
    GzipBatchSlot slot(request_);
    const BatchDecoder decoder = decoder_for(batch, request_);
    if (const std::optional<GzipProblem> problem = slot.run(file_, batch, decoder)) {
      throw format::FormatError(0, problem->field, problem->problem);
    }
    write_(slot.output().first(batch.output_bytes));
    const format::StreamTotals totals = {
        .input_bytes = file_.size(), .output_bytes = batch.output_bytes, .blocks = 1};
    if (progress_) progress_(totals);
    return {.stream = totals,
            .blocks_of_stage = 1,
            .how = (decoder.cuts_members ? "one stream, decoded in pieces by " + decoder.stage->description.id
                                         : "one stream, which is one chunk and slow") +
                   ", its bytes counted before by one warp, " + name_of(batch.checksum) + " checked on " +
                   std::string(stage::executor_name(request_.executor)) + ", ",
            .numbers = {{"streams_by_zlib", 0}}};
  }

  chunk_files::ChunkTotals by_zlib(const std::string& reason) const {
    return {.stream = reference::codag::decode_zlib(format::reader_of(file_), write_, progress_),
            .how = "decoded by zlib, since " + reason + ", ",
            .numbers = {{"streams_by_zlib", 1}}};
  }

  std::span<const std::uint8_t> file_;
  const chunk_files::ChunkRequest& request_;
  const format::WriteFunction& write_;
  const format::ProgressFunction& progress_;
};

}  // namespace

chunk_files::ChunkTotals decode_zlib_file(std::span<const std::uint8_t> file,
                                          const chunk_files::ChunkRequest& request,
                                          const format::WriteFunction& write,
                                          const format::ProgressFunction& progress) {
  return ZlibFileDecoder(file, request, write, progress).run();
}

}  // namespace gsst::codag::gzip
