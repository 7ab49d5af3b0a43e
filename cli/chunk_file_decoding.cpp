#include "cli/chunk_file_decoding.hpp"

#include <exception>

#include "cli/mapped_file.hpp"
#include "cli/stage_choice.hpp"

namespace gsst::cli {

const chunk_files::ChunkFiles* chunk_files_for(const Options& options, format::BlockFormat block_format) {
  return options.device == Device::cpu ? nullptr : chunk_files::find_chunk_files(block_format);
}

chunk_files::ChunkTotals decode_chunk_file(const Options& options, const InputFile& input,
                                           const chunk_files::ChunkFiles& files,
                                           const format::WriteFunction& write,
                                           const format::ProgressFunction& progress) {
  const stage::RegisteredStage& chosen =
      choose_decoder(options, input.name(), files.chunk_format, files.format);
  const MappedFile file(input, "a stage looks for its parts all over it");
  try {
    chunk_files::ChunkTotals totals =
        files.decode(file.bytes(),
                     {.stage = &chosen,
                      .executor = executor_of(options.device),
                      .parameters = decoder_parameters(options, chosen.description),
                      .memory_bytes = stage_memory_bytes(options)},
                     write, progress);
    file.check_unchanged();
    return totals;
  } catch (const std::exception&) {
    // What another process has done to the file is no damage of its own.
    file.check_unchanged();
    throw;
  }
}

}  // namespace gsst::cli
