#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "common/format/gsst/symbol_table.hpp"
#include "common/format/gsst/tiles.hpp"
#include "common/stage/registry.hpp"
#include "common/stage/run_decode.hpp"
#include "stages/gsst/encode/encode_plans.hpp"
#include "stages/gsst/encode/encode_runner.hpp"

namespace gsst::stage {

/// One encoding with a runner of its own. Throws as EncodeRunner::run() does, and std::invalid_argument if
/// this program cannot run `stage` on `executor` here.
inline EncodeResult run_encode_subject(const RegisteredStage& stage, Executor executor,
                                       std::span<const std::uint8_t> input, const EncodeSubject& subject,
                                       const EncodeBuffers& buffers = {}) {
  check_runs_here(stage, executor);
  return std::move(EncodeRunner(gsst_encode_plans(stage, executor)).run(input, subject, buffers));
}

/// The tables are trained where `tables` is empty. Throws as run_encode_subject() does.
inline EncodeResult run_encode(const RegisteredStage& stage, Executor executor,
                               std::span<const std::uint8_t> input, const EncodeSettings& settings,
                               std::span<const format::SymbolTable> tables = {},
                               const EncodeBuffers& buffers = {}) {
  EncodeSubject subject = {.settings = settings};
  if (!tables.empty()) subject.tables = std::vector<format::SymbolTable>(tables.begin(), tables.end());
  return run_encode_subject(stage, executor, input, subject, buffers);
}

/// With a table of tiles. Throws as run_encode_subject() does.
inline EncodeResult run_encode_tiles(const RegisteredStage& stage, Executor executor,
                                     std::span<const std::uint8_t> input, const EncodeSettings& settings,
                                     const format::TileTable& table, const EncodeBuffers& buffers = {}) {
  return run_encode_subject(stage, executor, input, {.settings = settings, .tables = table}, buffers);
}

}  // namespace gsst::stage
