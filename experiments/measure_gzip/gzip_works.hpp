#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/plan.hpp"
#include "experiments/measure/shared/points.hpp"
#include "stages/codag/gzip/checksum_plan.hpp"
#include "stages/codag/gzip/gzip_batch.hpp"

namespace gsst::experiments {

/// What is done with all members of a file. Of the checks alone, output and checksums are there.
enum class GzipWork : std::uint8_t { decode, crc32, adler32, decode_and_crc32, decode_and_adler32 };
inline constexpr std::array gzip_works = {GzipWork::decode, GzipWork::crc32, GzipWork::adler32,
                                          GzipWork::decode_and_crc32, GzipWork::decode_and_adler32};

/// The key `work` of rows.
const char* name_of(GzipWork work);

/// A file of BGZF in host memory.
struct GzipFileOfWorks {
  std::vector<std::uint8_t> file;
  codag::gzip::GzipBatch members;
  /// The same members with the Adler-32 of what they decode to, which is that of zlib, for the CRC-32.
  codag::gzip::GzipBatch members_with_adler32;
};

/// Encodes `text` with a member for each block of `input`. Throws MismatchError, std::invalid_argument.
GzipFileOfWorks make_gzip_file_of_works(const Input& input, std::span<const std::uint8_t> text);

/// The works on an executor, in memory of the caller's.
class GzipWorks {
public:
  /// All in the executor's memory. The works write output and status, and read the rest.
  struct Memory {
    /// file_bytes() and both indices.
    stage::Given file;
    stage::Given index;
    stage::Given index_with_adler32;
    stage::Given output;
    /// A word for each member, which is 0 where all is right.
    stage::Given status;
    stage::Given scratch;
    stage::Given checksum_scratch;
    stage::Given crc32_state;
    stage::Given adler32_state;
  };

  /// `input` must outlive the object. Throws std::logic_error if this program has no kernels for `executor`.
  GzipWorks(stage::Executor executor, const Point& point, const GzipFileOfWorks& input);

  const stage::FrameOnDevice& shape() const { return shape_; }
  /// Bytes of memory that nothing is copied to.
  std::uint64_t status_bytes() const;
  std::uint64_t scratch_bytes() const;
  std::uint64_t checksum_scratch_bytes() const;
  std::uint64_t state_bytes(codag::gzip::StreamChecksum checksum) const;
  /// What is to be copied to it.
  std::vector<std::uint8_t> file_bytes() const;
  std::vector<std::uint8_t> index(codag::gzip::StreamChecksum checksum) const;

  /// Enqueues copies of what the checks need, on the default stream. Is called once, before enqueue().
  void prepare(const Memory& memory) const;
  /// Enqueues a work on the default stream.
  void enqueue(GzipWork work, const Memory& memory) const;

private:
  const stage::Plan& plan_of(codag::gzip::StreamChecksum checksum) const;

  const GzipFileOfWorks& input_;
  stage::FrameOnDevice shape_;
  std::unique_ptr<stage::Plan> decoding_;
  std::unique_ptr<stage::Plan> crc32_;
  std::unique_ptr<stage::Plan> adler32_;
};

}  // namespace gsst::experiments
