#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/chunk_files/chunk_files.hpp"
#include "common/pipeline/buffer.hpp"
#include "common/pipeline/queue.hpp"
#include "common/stage/frame_on_device.hpp"
#include "stages/codag/gzip/checksum_plan.hpp"
#include "stages/codag/gzip/gzip_members.hpp"

namespace gsst::codag::gzip {

/// Members of a file that are decoded together; they follow each other.
struct GzipBatch {
  /// Of each member.
  StreamChecksum checksum = StreamChecksum::crc32;
  std::vector<GzipMember> members = {};
  std::uint64_t output_bytes = 0;

  /// Where the bytes begin and end that the executor gets.
  std::uint64_t begin() const { return members.front().stream_offset; }
  std::uint64_t end() const { return members.back().end; }
  /// Of the executor's memory, besides what a stage has for scratch.
  std::uint64_t memory_bytes() const;
};

/// The plan's frame of a batch, whose index is apart: its bytes are those of the file from begin() to end(),
/// and bytes 0, which kernels may read past the end of a stream.
stage::FrameOnDevice shape_of_batch(const GzipBatch& batch);

/// Its index: the members as blocks, with their checksums.
std::vector<std::uint8_t> build_member_index(const GzipBatch& batch);

/// What each member decodes to, in bytes.
std::vector<std::uint32_t> output_sizes(const GzipBatch& batch);

/// Compressed bytes from which on a member is worth many warps.
inline constexpr std::uint64_t large_member_bytes = std::uint64_t{1} << 18;

/// What decodes a batch.
struct BatchDecoder {
  const stage::RegisteredStage* stage;
  stage::ParameterValues parameters;
  /// Whether many warps decode each large member.
  bool cuts_members;
};

/// The stage of `request`; where that is the default one, and a member is large, the stage that cuts members
/// in pieces, if this program has it for the executor and it needs no more memory than `request` allows.
BatchDecoder decoder_for(const GzipBatch& batch, const chunk_files::ChunkRequest& request);

/// What is wrong with a member of a batch.
struct GzipProblem {
  std::size_t member;
  std::string field;
  std::string problem;
};

/// Memory and a queue for a batch at a time on its way through the executor.
class GzipBatchSlot {
public:
  /// `request` must outlive the slot. Throws cuda::CudaError.
  explicit GzipBatchSlot(const chunk_files::ChunkRequest& request);

  /// Decodes a batch of at least one member of `file`, which is host memory, and waits for it. Returns the
  /// first problem. Throws cuda::CudaError, std::bad_alloc.
  std::optional<GzipProblem> run(std::span<const std::uint8_t> file, const GzipBatch& batch,
                                 const BatchDecoder& decoder);

  /// What the last batch has decoded to, in host memory: right up to the member with a problem.
  std::span<const std::uint8_t> output() const { return output_on_host_.bytes(); }

private:
  const chunk_files::ChunkRequest& request_;
  pipeline::Buffer input_;
  pipeline::Buffer index_;
  pipeline::Buffer output_;
  pipeline::Buffer scratch_;
  pipeline::Buffer status_;
  pipeline::Buffer checksum_state_;
  pipeline::Buffer checksum_scratch_;
  pipeline::Buffer output_on_host_;
  pipeline::Buffer status_on_host_;
  std::vector<std::uint8_t> index_on_host_;
  // Last: it waits for its work before the memory goes.
  pipeline::Queue queue_;
};

}  // namespace gsst::codag::gzip
