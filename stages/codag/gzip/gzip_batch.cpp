#include "stages/codag/gzip/gzip_batch.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "common/format/codag/deflate_rules.hpp"
#include "common/frame/frame_fields.hpp"
#include "common/pipeline/memory_limit.hpp"
#include "common/stage/block_statuses.hpp"
#include "common/stage/default_stages.hpp"
#include "stages/codag/gzip/checksum_check.hpp"

namespace gsst::codag::gzip {
namespace {

using pipeline::Buffer;
using stage::Given;
using stage::Role;

// Kernels may read that far past the end of a stream, as in a frame.
constexpr std::array<std::uint8_t, format::min_bytes_after_block> bytes_after_end{};

// What each member has besides its bytes: an entry of the index, a status, and a first piece and a term of
// the checksum.
constexpr std::uint64_t bytes_of_member =
    format::index_entry_bytes + 2 * sizeof(std::uint32_t) + sizeof(ChecksumPiece) + sizeof(std::uint32_t);

void make_room(Buffer& buffer, stage::Executor executor, std::uint64_t bytes) {
  if (bytes <= buffer.size()) return;
  // The old one goes first.
  buffer = Buffer::on_device(executor, 0);
  buffer = Buffer::on_device(executor, bytes);
}

void make_room_on_host(Buffer& buffer, stage::Executor executor, std::uint64_t bytes) {
  if (bytes <= buffer.size()) return;
  buffer = Buffer::pageable(0);
  // To lock pages takes longer than they save where there are so many.
  buffer = bytes <= pipeline::most_pinned_bytes ? Buffer::on_host(executor, bytes) : Buffer::pageable(bytes);
}

Given all_of(const Buffer& buffer) {
  return {.data = buffer.data(), .bytes = buffer.size()};
}

std::unique_ptr<stage::Plan> make_decoding(const GzipBatch& batch, const BatchDecoder& decoder,
                                           stage::Executor executor) {
  return decoder.stage->decode.at(executor).make(
      {.frame = shape_of_batch(batch), .index_is_apart = true, .parameters = decoder.parameters});
}

GzipProblem problem_of_member(const GzipBatch& batch, std::size_t number, std::uint32_t status) {
  const GzipMember& member = batch.members[number];
  if (status == static_cast<std::uint32_t>(format::BlockStatus::wrong_checksum)) {
    return {.member = number,
            .field = name_of(batch.checksum),
            .problem = "is not that of the decompressed bytes, at byte " +
                       std::to_string(member.end - member.trailer_bytes) + " of the file"};
  }
  const format::StatusText text = format::codag::rules_of_deflate.describe(status);
  return {.member = number,
          .field = text.field,
          .problem = text.problem + ", which begins at byte " + std::to_string(member.stream_offset) +
                     " of the file"};
}

}  // namespace

stage::FrameOnDevice shape_of_batch(const GzipBatch& batch) {
  stage::FrameOnDevice frame{};
  frame.frame_bytes = batch.end() - batch.begin() + bytes_after_end.size();
  frame.uncompressed_bytes = batch.output_bytes;
  frame.block_count = static_cast<std::uint32_t>(batch.members.size());
  frame.split_count = 1;
  frame.format = format::codag::deflate_format;
  return frame;
}

std::vector<std::uint8_t> build_member_index(const GzipBatch& batch) {
  std::vector<std::uint8_t> bytes(batch.members.size() * format::index_entry_bytes);
  std::uint64_t output_offset = 0;
  std::uint8_t* to = bytes.data();
  for (const GzipMember& member : batch.members) {
    format::write_index_entry(to,
                              {.payload_offset = member.stream_offset - batch.begin(),
                               .uncompressed_offset = output_offset,
                               .record = {.layout = format::codag::coded_layout,
                                          .payload_bytes = static_cast<std::uint32_t>(member.stream_bytes()),
                                          .uncompressed_bytes = member.output_bytes,
                                          .checksum = member.checksum}});
    output_offset += member.output_bytes;
    to += format::index_entry_bytes;
  }
  return bytes;
}

std::vector<std::uint32_t> output_sizes(const GzipBatch& batch) {
  std::vector<std::uint32_t> sizes;
  sizes.reserve(batch.members.size());
  for (const GzipMember& member : batch.members) sizes.push_back(member.output_bytes);
  return sizes;
}

BatchDecoder decoder_for(const GzipBatch& batch, const chunk_files::ChunkRequest& request) {
  BatchDecoder decoder = {.stage = request.stage, .parameters = request.parameters, .cuts_members = false};
  const auto is_large = [](const GzipMember& member) { return member.stream_bytes() >= large_member_bytes; };
  const stage::RegisteredStage* const cutting =
      stage::find_stage("codag/10_one_member", stage::Operation::decode);
  if (cutting == nullptr || !cutting->decode.contains(request.executor) ||
      std::ranges::none_of(batch.members, is_large) ||
      request.stage !=
          stage::default_stage(format::codag::deflate_format, stage::Operation::decode, request.executor)) {
    return decoder;
  }
  // The largest part of the output that may be decoded together: fewer launches.
  for (const std::int64_t batch_bytes : {1 << 29, 1 << 27, 1 << 18}) {
    BatchDecoder candidate = {
        .stage = cutting, .parameters = {{"batch_bytes", batch_bytes}}, .cuts_members = true};
    const std::uint64_t scratch_bytes =
        bytes_of(*make_decoding(batch, candidate, request.executor), Role::scratch);
    if (batch.memory_bytes() + scratch_bytes <= request.memory_bytes) return candidate;
  }
  return decoder;
}

std::uint64_t GzipBatch::memory_bytes() const {
  return end() - begin() + bytes_after_end.size() + output_bytes + members.size() * bytes_of_member +
         output_bytes / checksum_piece_bytes * (sizeof(ChecksumPiece) + sizeof(std::uint32_t)) +
         sizeof(Crc32Tables);
}

GzipBatchSlot::GzipBatchSlot(const chunk_files::ChunkRequest& request)
    : request_(request),
      input_(Buffer::on_device(request.executor, 0)),
      index_(input_),
      output_(input_),
      scratch_(input_),
      status_(input_),
      checksum_state_(input_),
      checksum_scratch_(input_),
      output_on_host_(Buffer::pageable(0)),
      status_on_host_(output_on_host_),
      queue_(request.executor) {}

std::optional<GzipProblem> GzipBatchSlot::run(std::span<const std::uint8_t> file, const GzipBatch& batch,
                                              const BatchDecoder& decoder) {
  const stage::Executor executor = request_.executor;
  const std::span<const std::uint8_t> input = file.subspan(batch.begin(), batch.end() - batch.begin());
  const std::uint64_t status_bytes = batch.members.size() * sizeof(std::uint32_t);
  index_on_host_ = build_member_index(batch);
  const stage::FrameOnDevice frame = shape_of_batch(batch);
  const std::unique_ptr<stage::Plan> decoding = make_decoding(batch, decoder, executor);
  const std::unique_ptr<stage::Plan> checking =
      make_checksum_plan(batch.checksum, executor, output_sizes(batch));

  make_room(input_, executor, frame.frame_bytes);
  make_room(index_, executor, index_on_host_.size());
  make_room(output_, executor, batch.output_bytes);
  // Not kept for a batch that needs less: what is admitted counts the scratch memory of its own decoder.
  const std::uint64_t scratch_bytes = bytes_of(*decoding, Role::scratch);
  if (scratch_.size() > scratch_bytes) scratch_ = Buffer::on_device(executor, 0);
  make_room(scratch_, executor, scratch_bytes);
  make_room(status_, executor, status_bytes);
  make_room(checksum_state_, executor, bytes_of(*checking, Role::state));
  make_room(checksum_scratch_, executor, bytes_of(*checking, Role::scratch));
  make_room_on_host(output_on_host_, executor, batch.output_bytes);
  make_room_on_host(status_on_host_, executor, status_bytes);

  queue_.copy(input_.data(), input);
  queue_.copy(input_.data() + input.size(), bytes_after_end);
  queue_.copy(index_.data(), index_on_host_);
  enqueue_all(*decoding,
              std::array{all_of(input_), all_of(output_), all_of(scratch_), all_of(status_), all_of(index_)},
              queue_.stream());
  const std::array checked = {all_of(output_), all_of(checksum_state_), all_of(checksum_scratch_),
                              all_of(status_), all_of(index_)};
  checking->prepare(checked, queue_.stream());
  enqueue_all(*checking, checked, queue_.stream());
  queue_.copy(status_on_host_.data(), status_.bytes().first(status_bytes));
  queue_.copy(output_on_host_.data(), output_.bytes().first(batch.output_bytes));
  queue_.wait();

  for (std::size_t member = 0; member < batch.members.size(); ++member) {
    std::uint32_t status = 0;
    std::memcpy(&status, status_on_host_.data() + member * sizeof status, sizeof status);
    if (status != 0) return problem_of_member(batch, member, status);
  }
  return std::nullopt;
}

}  // namespace gsst::codag::gzip
