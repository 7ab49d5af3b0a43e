#include "experiments/measure_cpu_stages/file_tool.hpp"

#include "common/format/zero_length/zero_length.hpp"
#include "common/stage/encode_plans.hpp"
#include "common/stage/registry.hpp"
#include "experiments/measure/shared/error.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::experiments {
namespace {

constexpr std::uint64_t block_bytes = std::uint64_t{1} << 20;
constexpr format::BlockFormat bare_format = format::zero_length::bare_format;

}  // namespace

FileTool stage_tool(const std::string& id) {
  const stage::RegisteredStage* const stage = stage::find_stage(id, stage::Operation::encode);
  if (stage == nullptr || !stage->encode.contains(stage::Executor::cpu)) {
    throw InputError("there is no tool and no stage '" + id + "' that encodes on executor cpu");
  }
  const stage::EncodePlans* const plans = stage->encode.at(stage::Executor::cpu);
  return {
      .name = id,
      .stage = id,
      .variant = std::string(reference::codec_of(bare_format).name()),
      .compress =
          [plans](const auto& read, const auto& write, unsigned threads) {
            plans->encode({.format = bare_format,
                           .settings = {.block_bytes = block_bytes, .threads = threads},
                           // Two batches of a block for each thread, and what their elements may take.
                           .memory_bytes = std::uint64_t{8} * threads * block_bytes},
                          read, write, {});
          },
      .decompress = [](const auto& read,
                       const auto& write) { reference::codec_of(bare_format).decode(read, write, 1, {}); }};
}

FileTool file_tool_named(const std::string& name) {
#if defined(GSST_HAS_ZLIB)
  if (name == "gzip") return gzip_tool();
#endif
#if defined(GSST_HAS_BZIP2)
  if (name == "bzip2") return bzip2_tool();
  if (name == "pbzip2") return pbzip2_tool();
#endif
  return stage_tool(name);
}

std::vector<std::string> missing_file_tools() {
  std::vector<std::string> missing;
#if !defined(GSST_HAS_ZLIB)
  missing.emplace_back("gzip");
#endif
#if !defined(GSST_HAS_BZIP2)
  missing.emplace_back("bzip2");
  missing.emplace_back("pbzip2");
#endif
  return missing;
}

}  // namespace gsst::experiments
