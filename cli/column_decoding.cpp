#include "cli/column_decoding.hpp"

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/command_error.hpp"
#include "cli/list_text.hpp"
#include "cli/mapped_file.hpp"
#include "cli/stage_choice.hpp"
#include "common/columns/column_files.hpp"

namespace gsst::cli {
namespace {

// The kind that the file is.
const columns::ColumnFiles& column_files_of(std::span<const std::uint8_t> file, const std::string& name) {
  const columns::ColumnFiles* const found = columns::find_column_files(file);
  if (found != nullptr) return *found;
  std::vector<std::string> kinds;
  for (const columns::ColumnFiles& files : columns::registered_column_files()) kinds.emplace_back(files.name);
  if (kinds.empty()) {
    throw CommandError(ExitCode::usage,
                       "--column: this build reads no files of columns; its configuration "
                       "says which package is missing");
  }
  throw CommandError(ExitCode::invalid_input,
                     name + ": is no file of columns; those of " + list_text(kinds, "and") + " are read");
}

}  // namespace

Summary decode_column(const Options& options, const InputFile& input, const format::WriteFunction& write) {
  const auto start = std::chrono::steady_clock::now();
  const MappedFile file(input, "what is read first is at its end");
  const columns::ColumnFiles& files = column_files_of(file.bytes(), input.name());
  columns::ColumnTotals totals;
  try {
    totals = files.decode(file.bytes(),
                          {.column = *options.column,
                           .null_value = options.null_value,
                           .executor = executor_of(options.device),
                           .memory_bytes = options.stage_memory_bytes},
                          write);
  } catch (const std::invalid_argument& error) {
    throw CommandError(ExitCode::usage, input.name() + ": " + error.what());
  } catch (const std::exception&) {
    // What another process has done to the file is no damage of its own.
    file.check_unchanged();
    throw;
  }
  file.check_unchanged();
  return {.operation = options.operation,
          .input = input.name(),
          .output = {},
          .format = files.name,
          .how = "column " + *options.column + ", " + std::to_string(totals.rows) + " rows, " +
                 std::to_string(totals.nulls) + " nulls, on " +
                 std::string(stage::executor_name(executor_of(options.device))) + ", " +
                 (totals.remark.empty() ? "" : totals.remark + ", "),
          .numbers = {{"rows", totals.rows}, {"nulls", totals.nulls}},
          .blocks = totals.chunks,
          .uncompressed_bytes = totals.output_bytes,
          .compressed_bytes = totals.compressed_bytes,
          .seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
}

void check_column_is_chosen(std::span<const std::uint8_t> start, const std::string& name) {
  const columns::ColumnFiles* const found = columns::find_column_files(start);
  if (found == nullptr) return;
  throw CommandError(ExitCode::usage, name + ": is a file of columns, of " + std::string(found->name) +
                                          "; --column names the one to decode");
}

}  // namespace gsst::cli
