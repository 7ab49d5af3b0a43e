#include "data/shared/file_options.hpp"

#include "data/shared/write_parts.hpp"

namespace gsst::data {
namespace {

constexpr unsigned most_threads = 4096;

}  // namespace

void add_file_options(CLI::App& command, FileOptions& options) {
  command.add_option("--output", options.output, "File to write, in the place of one that is there")
      ->required();
  command
      .add_option("--first-bytes", options.first_bytes,
                  "Only the first bytes of the data; no others are made")
      ->check(CLI::Range(std::uint64_t{1}, most_file_bytes));
  command.add_option("--threads", options.threads, "Threads; without it one for each processor")
      ->check(CLI::Range(1U, most_threads));
}

void write_file(const Parts& parts, const FileOptions& options) {
  write_parts(parts, options.first_bytes == 0 ? parts.bytes : options.first_bytes, options.threads,
              options.output);
}

}  // namespace gsst::data
