#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "fuzz/kernels/fuzz_run.hpp"

/// What a run has counted and found, for people and for programs.
namespace gsst::fuzz {

/// The counts by stage and in total as lines of text.
std::string counts_as_text(const RunResult& result);

/// Writes a JSON document with the options, `commit`, the counts by stage, by format and in total, and how
/// many batches failed. Throws std::ios_base::failure.
void write_counts(const std::filesystem::path& path, const RunOptions& options, const RunResult& result,
                  const std::string& commit);

/// Writes the frame of the failed batch and of each of its first wrong blocks to `folder`, and says what is
/// wrong and how to run it again. Throws std::ios_base::failure.
std::string write_failure(const Failure& failure, const RunOptions& options,
                          const std::filesystem::path& folder);

}  // namespace gsst::fuzz
