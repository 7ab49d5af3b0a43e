#include "stages/codag/gzip/gzip_decoding.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "common/format/block_format.hpp"
#include "common/format/error.hpp"
#include "reference_cpu/codag/gzip_file.hpp"
#include "stages/codag/gzip/gzip_batch.hpp"
#include "stages/codag/gzip/gzip_members.hpp"

namespace gsst::codag::gzip {
namespace {

std::string members_text(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " member" : " members");
}

class GzipFileDecoder {
public:
  GzipFileDecoder(std::span<const std::uint8_t> file, const chunk_files::ChunkRequest& request,
                  const format::WriteFunction& write, const format::ProgressFunction& progress)
      : file_(file), request_(request), write_(write), progress_(progress), slot_(request) {}

  chunk_files::ChunkTotals run() {
    while (!is_at_end()) {
      const GzipBatch batch = next_batch();
      if (!batch.members.empty()) decode(batch);
      if (reason_.empty()) continue;
      decode_rest();
      break;
    }
    // With the padding.
    totals_.input_bytes = file_.size();
    return {.stream = totals_,
            .blocks_of_stage = sized_ + found_,
            .how = text(),
            .numbers = {{"members_with_size", sized_},
                        {"members_found", found_},
                        {"members_cut", cut_},
                        {"members_by_zlib", totals_.blocks - sized_ - found_}}};
  }

private:
  // The next byte that is not decoded.
  std::uint64_t offset() const { return totals_.input_bytes; }

  // Bytes 0 after a member are padding.
  bool is_at_end() const {
    if (totals_.blocks == 0) return false;
    const auto begin = file_.begin() + static_cast<std::ptrdiff_t>(offset());
    const auto other = std::find_if(begin, file_.end(), [](std::uint8_t byte) { return byte != 0; });
    if (other == begin || other == file_.end()) return other == file_.end();
    throw format::FormatError(
        totals_.blocks, "padding",
        "is followed by other bytes, at byte " + std::to_string(other - file_.begin()) + " of the file");
  }

  // None where zlib is to go on; then there is a reason.
  GzipBatch next_batch() {
    constexpr std::size_t most_members = std::size_t{1} << 20;
    GzipBatch batch;
    std::uint64_t end = offset();
    while (batch.members.size() < most_members) {
      const std::optional<GzipMember> member = find_member(file_, end);
      if (!member) break;
      batch.members.push_back(*member);
      batch.output_bytes += member->output_bytes;
      const bool is_too_large =
          batch.memory_bytes() > request_.memory_bytes || member->output_bytes > format::max_block_bytes;
      if (is_too_large || (batch.members.size() > 1 && batch.output_bytes > gzip_batch_bytes)) {
        batch.members.pop_back();
        batch.output_bytes -= member->output_bytes;
        if (batch.members.empty()) reason_ = "it needs more memory than is allowed, or is above 1 GiB";
        return batch;
      }
      end = member->end;
    }
    if (batch.members.empty())
      reason_ = "no header without damage, or no whole member of a possible size, was found there";
    return batch;
  }

  void decode(const GzipBatch& batch) {
    const BatchDecoder decoder = decoder_for(batch, request_);
    const std::optional<GzipProblem> problem = slot_.run(file_, batch, decoder);
    const std::size_t right = problem ? problem->member : batch.members.size();
    std::uint64_t output_bytes = 0;
    for (const GzipMember& member : std::span(batch.members).first(right)) {
      output_bytes += member.output_bytes;
      if (decoder.cuts_members && member.stream_bytes() >= large_member_bytes) {
        ++cut_;
        cutting_stage_ = decoder.stage->description.id;
      } else {
        largest_of_a_chunk_ = std::max<std::uint64_t>(largest_of_a_chunk_, member.output_bytes);
      }
      ++(member.is_sized ? sized_ : found_);
      totals_.input_bytes = member.end;
    }
    totals_.blocks += right;
    totals_.output_bytes += output_bytes;
    write_(slot_.output().first(output_bytes));
    if (progress_) progress_(totals_);
    if (!problem) return;
    if (batch.members[right].is_sized) {
      throw format::FormatError(totals_.blocks, problem->field, problem->problem);
    }
    reason_ = "its end, or its size, is not where it seemed to be, or it is damaged";
  }

  void decode_rest() {
    const format::StreamTotals before = totals_;
    const auto sum = [&](const format::StreamTotals& rest) {
      return format::StreamTotals{.input_bytes = before.input_bytes + rest.input_bytes,
                                  .output_bytes = before.output_bytes + rest.output_bytes,
                                  .blocks = before.blocks + rest.blocks};
    };
    const format::ProgressFunction update = [&](const format::StreamTotals& rest) {
      if (progress_) progress_(sum(rest));
    };
    totals_ =
        sum(reference::codag::decode_gzip(format::reader_of(file_.subspan(offset())), write_, {}, update,
                                          {.members = before.blocks, .bytes = before.input_bytes}));
    rest_ = "from member " + std::to_string(before.blocks) + " on decoded by zlib, since " + reason_ + ", ";
  }

  std::string text() const {
    std::string said;
    if (sized_ != 0) said += members_text(sized_) + " with a stated size, ";
    if (found_ != 0)
      said += members_text(found_) + (found_ == 1 ? " found by its header, " : " found by their headers, ");
    constexpr std::uint64_t much_for_a_warp = std::uint64_t{1} << 20;
    if (cut_ != 0) {
      said += members_text(cut_) + " of " + std::to_string(large_member_bytes) +
              " compressed bytes or more in pieces, by stage " + cutting_stage_ + ", ";
    }
    if (largest_of_a_chunk_ > much_for_a_warp) {
      said += "a member of " + std::to_string(largest_of_a_chunk_) + " bytes in one chunk, which is slow, ";
    }
    if (!said.empty()) {
      said += "CRC-32 checked on " + std::string(stage::executor_name(request_.executor)) + ", ";
    }
    return said + rest_;
  }

  std::span<const std::uint8_t> file_;
  const chunk_files::ChunkRequest& request_;
  const format::WriteFunction& write_;
  const format::ProgressFunction& progress_;
  GzipBatchSlot slot_;
  format::StreamTotals totals_;
  // Members that the stage has decoded.
  std::uint64_t sized_ = 0;
  std::uint64_t found_ = 0;
  // Of these, those that many warps have decoded, by which stage, and bytes of the largest other one.
  std::uint64_t cut_ = 0;
  std::string cutting_stage_;
  std::uint64_t largest_of_a_chunk_ = 0;
  // Why zlib goes on, if it does.
  std::string reason_;
  std::string rest_;
};

}  // namespace

chunk_files::ChunkTotals decode_gzip_file(std::span<const std::uint8_t> file,
                                          const chunk_files::ChunkRequest& request,
                                          const format::WriteFunction& write,
                                          const format::ProgressFunction& progress) {
  return GzipFileDecoder(file, request, write, progress).run();
}

}  // namespace gsst::codag::gzip
