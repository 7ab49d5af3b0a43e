#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/format/tile_integer/layouts.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/frame_shape.hpp"
#include "common/stage/kernels_on.hpp"
#include "common/stage/plan.hpp"
#include "common/stage/registry.hpp"
#include "common/stage/run_memory.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/tile_integer/plain_frame.hpp"
#include "stages/suite/stage_case.hpp"
#include "stages/tile_integer/09_queries/questions.hpp"

/// For tests: asks a stage that answers Questions, on any executor.
namespace gsst::tile_integer {

/// How the columns of a query are stored.
enum class Storage {
  plain,
  packed,    // format `for`
  smallest,  // lo_orderdate and lo_custkey format `rfor`, others `for`
};

/// A column of 32-bit numbers without a sign, as the codec of `format` compresses it.
inline std::vector<std::uint8_t> compressed_column(format::BlockFormat format,
                                                   std::span<const std::uint32_t> values,
                                                   std::uint64_t block_bytes) {
  std::vector<std::uint8_t> bytes(values.size_bytes());
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return reference::encode_file(
      reference::codec_of(format), bytes,
      {.block_bytes = block_bytes,
       .options = {{"type", static_cast<std::uint64_t>(format::tile_integer::Type::u32)}}});
}

/// The frame of a column of 32-bit numbers.
inline std::vector<std::uint8_t> column_frame(const std::string& name, std::span<const std::uint32_t> values,
                                              Storage storage, std::uint64_t block_bytes) {
  std::vector<std::uint8_t> bytes(values.size_bytes());
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  if (storage == Storage::plain) return reference::tile_integer::plain_frame(bytes, block_bytes);
  const bool has_runs = name == "lo_orderdate" || name == "lo_custkey";
  const format::BlockFormat format = storage == Storage::smallest && has_runs
                                         ? format::tile_integer::rfor_format
                                         : format::tile_integer::for_format;
  return compressed_column(format, values, block_bytes);
}

struct QueryResult {
  std::vector<std::uint64_t> sums;
  stage::Outcome outcome;
  /// Whether bytes before or after the plan's memory were changed.
  bool has_left_memory = false;
};

/// Memory with noise in it, between guard bytes.
template <typename Buffer>
class GuardedMemory {
public:
  explicit GuardedMemory(std::uint64_t bytes) : bytes_(bytes), buffer_(bytes + 2 * guard_bytes) {
    buffer_.fill(noise);
  }
  stage::Given given() { return {.data = buffer_.data() + guard_bytes, .bytes = bytes_}; }
  std::vector<std::uint8_t> content() const {
    const std::vector<std::uint8_t> all = buffer_.to_host();
    return {all.begin() + guard_bytes, all.end() - guard_bytes};
  }
  bool is_left() const {
    const std::vector<std::uint8_t> all = buffer_.to_host();
    for (std::size_t i = 0; i < guard_bytes; ++i) {
      if (all[i] != noise || all[all.size() - 1 - i] != noise) return true;
    }
    return false;
  }

private:
  static constexpr std::size_t guard_bytes = 64;
  static constexpr std::uint8_t noise = 0xcd;

  std::uint64_t bytes_;
  Buffer buffer_;
};

/// Runs `plan` for frames at addresses that are `shift` above a multiple of 16.
template <typename Buffer>
QueryResult run_query_in(const stage::Plan& plan, stage::Executor executor,
                         const std::vector<std::vector<std::uint8_t>>& frames, std::size_t shift) {
  std::vector<Buffer> inputs;
  inputs.reserve(frames.size());
  std::vector<stage::Given> given;
  for (const std::vector<std::uint8_t>& frame : frames) {
    inputs.emplace_back(stage::shifted(frame, shift));
    given.push_back(stage::to_read(inputs.back().data() + shift, frame.size()));
  }
  std::vector<GuardedMemory<Buffer>> memory;
  memory.reserve(plan.parts().size());
  for (const stage::Part& part : plan.parts().subspan(frames.size())) {
    memory.emplace_back(part.bytes);
    given.push_back(memory.back().given());
  }
  plan.prepare(given, nullptr);
  stage::enqueue_all(plan, given, nullptr);
  stage::wait_for(executor);
  const std::vector<std::uint8_t> answer = memory.at(0).content();
  const std::vector<std::uint8_t> result = memory.at(1).content();
  const std::vector<std::uint8_t> status = memory.at(4).content();
  QueryResult found = {
      .sums = std::vector<std::uint64_t>(answer.size() / sizeof(std::uint64_t)),
      .outcome = plan.check(std::as_bytes(std::span(status)), std::as_bytes(std::span(result)), 0)};
  if (!answer.empty()) std::memcpy(found.sums.data(), answer.data(), answer.size());
  for (const GuardedMemory<Buffer>& part : memory) found.has_left_memory |= part.is_left();
  return found;
}

/// The plan of stage `id` for an answer of `output_bytes` bytes about `frames`. Throws as QueryPlans::make()
/// does.
inline std::unique_ptr<stage::Plan> query_plan(const std::string& id, stage::Executor executor,
                                               const std::string& question, std::uint64_t output_bytes,
                                               const std::vector<std::vector<std::uint8_t>>& frames,
                                               const stage::ParameterValues& parameters = {}) {
  stage::QuerySubject subject = {
      .frames = {}, .question = question, .output_bytes = output_bytes, .parameters = parameters};
  for (const std::vector<std::uint8_t>& frame : frames) subject.frames.push_back(stage::frame_shape(frame));
  return stage::find_stage(id, stage::Operation::query)->query.at(executor).make(subject);
}

/// Runs `plan` on `executor` for frames at addresses that are `shift` above a multiple of 16.
inline QueryResult run_plan(const stage::Plan& plan, stage::Executor executor,
                            const std::vector<std::vector<std::uint8_t>>& frames, std::size_t shift = 0) {
#if GSST_WITH_CUDA
  if (executor == stage::Executor::gpu) {
    return run_query_in<cuda::DeviceBuffer>(plan, executor, frames, shift);
  }
#endif
  return run_query_in<stage::HostBuffer>(plan, executor, frames, shift);
}

/// The format of the columns that a stage answers questions about.
inline format::BlockFormat format_of(const stage::StageCase& stage_case) {
  return stage::find_stage(stage_case.stage, stage::Operation::query)->description.format;
}

/// Whether a stage sums columns, instead of answering Questions.
inline bool sums_columns(const stage::StageCase& stage_case) {
  const std::vector<std::uint8_t> no_values = compressed_column(format_of(stage_case), {}, 1024);
  try {
    query_plan(stage_case.stage, stage_case.executor, "sum", sizeof(std::uint64_t), {no_values});
  } catch (const std::invalid_argument&) {
    return false;
  }
  return true;
}

/// The cases of all stages that answer questions about columns of these formats: those that sum columns, or
/// the others.
inline std::vector<stage::StageCase> query_cases_of(std::initializer_list<format::BlockFormat> formats,
                                                    bool sum_columns) {
  std::vector<stage::StageCase> cases;
  for (const format::BlockFormat format : formats) {
    for (const stage::StageCase& one : stage::stage_cases(stage::Operation::query, format)) {
      cases.push_back(one);
    }
  }
  std::erase_if(cases, [&](const auto& one) { return sums_columns(one) != sum_columns; });
  return cases;
}

/// The cases of all stages that sum columns, of any format; or of those that answer every question.
inline std::vector<stage::StageCase> query_cases(bool sum_columns) {
  using namespace format::tile_integer;
  return sum_columns ? query_cases_of({for_format, ifor_format, vfor_format, ofor_format}, true)
                     : query_cases_of({for_format}, false);
}

/// The answer of stage `id` about frames in the order that Questions::columns() says. Throws as
/// QueryPlans::make() does.
inline QueryResult run_query(const std::string& id, stage::Executor executor, const std::string& question,
                             const std::vector<std::vector<std::uint8_t>>& frames, std::size_t shift = 0,
                             const stage::ParameterValues& parameters = {}) {
  const Questions& questions = stage::KernelsOn<Questions>::get(executor);
  const std::unique_ptr<stage::Plan> plan = query_plan(
      id, executor, question, questions.groups(question) * sizeof(std::uint64_t), frames, parameters);
  return run_plan(*plan, executor, frames, shift);
}

}  // namespace gsst::tile_integer
