#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/format/block_header.hpp"
#include "common/stage/frame_on_device.hpp"

/// What a stage is to the rest of the repository: a description and what runs it on each executor. A stage
/// registers itself from its own folder (registry.hpp); nothing else names it.
namespace gsst::stage {

/// Where a stage's kernel runs.
enum class Executor {
  simt,  ///< on the CPU, one fiber per CUDA thread (common/simt)
  gpu,
};

/// What a stage does. The values are positions in `operations`.
enum class Operation { decode, encode };

/// Every operation.
inline constexpr std::array operations = {Operation::decode, Operation::encode};

/// Something that an experiment can vary. Only the listed values are accepted: those of compile-time
/// parameters are the ones that the kernel was instantiated for.
struct Parameter {
  std::string name;
  std::string description;
  std::vector<std::int64_t> values;
  std::int64_t default_value;
  bool compile_time;
};

/// Values by parameter name; a name that is absent has its default value.
using ParameterValues = std::map<std::string, std::int64_t>;

/// Bytes of scratch memory that decoding `frame` needs.
using ScratchFunction = std::size_t (*)(const FrameOnDevice& frame);

struct Description {
  /// `series/number_idea`, the stage's folder under stages/.
  std::string id;
  /// The stage that this one changes; empty for the first.
  std::string base;
  std::string title;
  /// The section of the paper.
  std::string section;
  format::BlockFormat format;
  Operation operation;
  /// 10 * major + minor.
  int minimum_compute_capability;
  std::vector<Parameter> parameters;
  /// Nullptr: none.
  ScratchFunction scratch_bytes = nullptr;
};

/// One decoding, in memory of the caller: device memory for Executor::gpu, host memory for Executor::simt.
struct DecodeRequest {
  /// The frame, which a DecodePlan has accepted, and where its output goes.
  FrameOnDevice frame;
  /// frame.uncompressed_bytes bytes.
  std::uint8_t* output;
  /// frame.block_count words, set to BlockStatus values: the highest problem met in each block,
  /// for format tiles strip_status() of the first strip with one.
  std::uint32_t* status;
  /// As many bytes as Description::scratch_bytes says, aligned to 8; what they hold does not matter.
  void* scratch;
  ParameterValues parameters;
  /// A cudaStream_t; nullptr for the default stream and for Executor::simt.
  void* stream;
};

/// Enqueues the decoding of `request` on its stream: allocates nothing, synchronises nothing. Throws
/// std::invalid_argument if the stage cannot run with these parameters or this frame.
using DecodeFunction = void (*)(const DecodeRequest& request);

/// How an input is cut by the encoder.
struct BlocksAndSplits {
  std::uint32_t blocks;
  /// Of each block.
  std::uint32_t splits;
};

/// How an input should be cut for a stage to decode it fast on the executor's current device with
/// `parameters`.
using RecommendFunction = BlocksAndSplits (*)(const ParameterValues& parameters);

/// Bytes of scratch memory that `stage` needs to decode `frame`.
std::size_t scratch_bytes(const Description& stage, const FrameOnDevice& frame);

/// The value of `name` in `values`, or its default. Throws std::invalid_argument naming stage and parameter
/// if the stage has no such parameter or the value is not one of its list.
std::int64_t parameter_value(const Description& stage, const ParameterValues& values,
                             const std::string& name);

/// Checks that every name and value in `values` is one of the stage's. Throws std::invalid_argument.
void check_parameters(const Description& stage, const ParameterValues& values);

}  // namespace gsst::stage
