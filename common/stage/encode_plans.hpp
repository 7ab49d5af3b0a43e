#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/format/block_format.hpp"
#include "common/format/encoding.hpp"
#include "common/format/stream.hpp"
#include "common/stage/plan.hpp"
#include "common/stage/stage.hpp"

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

/// An input that is encoded at once, in the executor's memory.
struct InputToEncode {
  /// One of EncodePlans::formats().
  format::BlockFormat format;
  std::uint64_t input_bytes;
  /// Uncompressed bytes of every block but the last.
  std::uint64_t block_bytes;
  /// Of the format's codec, and of EncodePlans::options().
  format::CodecOptions options = {};
  ParameterValues parameters = {};
};

/// A phase with this name comes first and fills the state from the input, as Plan::prepare() does where there
/// is none: tables, say.
inline constexpr std::string_view training_phase = "training";

/// Whether the plan of an encoder has such a phase.
inline bool trains_on_executor(const Plan& plan) {
  return std::ranges::any_of(plan.phases(), [](const Phase& phase) { return phase.name == training_phase; });
}

/// What a stage that encodes registers for an executor: what it makes files of, and its plans for a single
/// input.
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

  /// What there is to choose of an input that is encoded at once, besides the options of the format's codec,
  /// named as those are.
  virtual std::span<const std::string_view> options() const { return {}; }

  /// How `input` is encoded, besides its block_bytes and parameters, as numbers with their names in rows.
  /// Throws std::invalid_argument for what the stage does not take.
  virtual std::vector<std::pair<std::string, std::uint64_t>> describe(const InputToEncode& input) const = 0;

  /// The parts of the plan are, in this order,
  ///   input   input    input_bytes bytes, at any address
  ///   output  output   at least the largest file, which starts at the first byte
  ///   state   state    what is trained, and scratch memory beside it
  ///   status  status
  ///   result  result   one word of 8 bytes, set to the number of bytes of the file
  /// Throws as describe() does.
  virtual std::unique_ptr<Plan> plan_of(const InputToEncode& input) const = 0;
};

}  // namespace gsst::stage
