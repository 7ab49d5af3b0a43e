#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "common/format/block_format.hpp"
#include "common/format/encoding.hpp"
#include "common/format/stream.hpp"

namespace gsst::stage {

/// A file that is to be encoded on an executor.
struct FileToEncode {
  /// One of EncodePlans::formats().
  format::BlockFormat format;
  /// The format's codec has checked them.
  format::EncodeSettings settings = {};
  /// Bytes of the executor's memory at most, and no more of host memory.
  std::uint64_t memory_bytes = std::uint64_t{2} << 30;
  /// How the user has the format's codec encode in place of the stage. For messages, after `compress`.
  std::string_view way_to_codec = "with --device cpu";
};

/// What a stage that encodes registers for an executor: what it makes files of. What makes its single plans
/// is its series' own to say, below this.
struct EncodePlans {
  EncodePlans() = default;
  EncodePlans(const EncodePlans&) = delete;
  EncodePlans& operator=(const EncodePlans&) = delete;
  virtual ~EncodePlans() = default;

  /// The formats that it writes, at least one. The same for the object's whole life.
  virtual std::span<const format::BlockFormat> formats() const = 0;

  /// Checks what the format's codec can do and the stage cannot. Throws std::invalid_argument, whose message
  /// names the options as the command does.
  virtual void check(const FileToEncode& file) const = 0;

  /// Encodes the bytes of `read` into one file on the executor, which must be available, and waits for it.
  /// `progress`, if not empty, is called now and then. Throws as check() does, pipeline::MemoryLimitError if
  /// the memory holds no block, and what `read` and `write` throw.
  virtual format::EncodeTotals encode(const FileToEncode& file, const format::ReadFunction& read,
                                      const format::WriteFunction& write,
                                      const format::ProgressFunction& progress) const = 0;
};

}  // namespace gsst::stage
