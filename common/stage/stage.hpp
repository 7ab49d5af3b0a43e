#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/format/block_format.hpp"

/// What a stage is to the rest of the repository: a description, and what makes its plans on each executor
/// (plans_of_stage.hpp). A stage registers itself from its own folder (registry.hpp); nothing else names it.
namespace gsst::stage {

/// Where a stage runs.
enum class Executor {
  cpu,   // code of the host's own, without a kernel
  simt,  // the kernel on the CPU, one fiber per CUDA thread (common/simt)
  gpu,
};

/// Every executor.
inline constexpr std::array executors = {Executor::cpu, Executor::simt, Executor::gpu};

/// The name in messages, in lists of stages and in defaults.txt: the enumerator's.
std::string_view executor_name(Executor executor);

/// What a stage does. The values are positions in `operations`.
enum class Operation { decode, encode, ranges, query };

/// Every operation.
inline constexpr std::array operations = {Operation::decode, Operation::encode, Operation::ranges,
                                          Operation::query};

/// The name in lists of stages and in defaults.txt: the enumerator's.
std::string_view operation_name(Operation operation);

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
};

/// How an input is cut by the encoder.
struct BlocksAndSplits {
  std::uint32_t blocks;
  /// Of each block.
  std::uint32_t splits;
};

/// How an input should be cut for a stage to decode it fast on the executor's current device with
/// `parameters`.
using RecommendFunction = BlocksAndSplits (*)(const ParameterValues& parameters);

/// The value of `name` in `values`, or its default. Throws std::invalid_argument naming stage and parameter
/// if the stage has no such parameter or the value is not one of its list.
std::int64_t parameter_value(const Description& stage, const ParameterValues& values,
                             const std::string& name);

/// Checks that every name and value in `values` is one of the stage's. Throws std::invalid_argument.
void check_parameters(const Description& stage, const ParameterValues& values);

}  // namespace gsst::stage
