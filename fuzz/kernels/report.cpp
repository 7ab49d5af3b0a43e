#include "fuzz/kernels/report.hpp"

#include <algorithm>
#include <fstream>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <span>
#include <sstream>
#include <string_view>
#include <vector>

#include "common/format/formats.hpp"

namespace gsst::fuzz {
namespace {

using nlohmann::ordered_json;

// Blocks of a failed batch that are written alone.
constexpr std::size_t most_blocks_alone = 8;

std::uint64_t reached(const StageCounts& counts) {
  return counts.inputs - counts.refused_by_plan;
}

StageCounts total_of(const RunResult& result) {
  StageCounts total;
  for (const auto& [id, counts] : result.counts) total += counts;
  return total;
}

std::string format_of(const std::string& stage) {
  return std::string(
      format::block_format_name(stage::find_stage(stage, stage::Operation::decode)->description.format));
}

ordered_json as_json(const StageCounts& counts) {
  return {{"launches", counts.launches},
          {"inputs", counts.inputs},
          {"refused_by_plan", counts.refused_by_plan},
          {"decoded_alike", counts.outcomes.decoded_alike},
          {"refused_alike", counts.outcomes.refused_alike}};
}

void write_row(std::ostream& text, std::string_view name, const StageCounts& counts) {
  text << std::left << std::setw(24) << name << std::right << std::setw(9) << counts.launches << std::setw(12)
       << counts.inputs << std::setw(17) << counts.refused_by_plan << std::setw(15)
       << counts.outcomes.decoded_alike << std::setw(15) << counts.outcomes.refused_alike << "\n";
}

ordered_json ranges_as_json(const RangeCounts& counts) {
  return {{"frames", counts.frames},
          {"frames_refused_by_plan", counts.frames_refused_by_plan},
          {"ranges", counts.ranges},
          {"refused_as_outside", counts.refused_as_outside},
          {"decoded_alike", counts.decoded_alike},
          {"refused_alike", counts.refused_alike}};
}

void write_ranges_row(std::ostream& text, std::string_view format, const RangeCounts& counts) {
  text << "ranges of " << std::left << std::setw(14) << format << std::right << std::setw(9) << counts.frames
       << std::setw(12) << counts.ranges << std::setw(17) << counts.refused_as_outside << std::setw(15)
       << counts.decoded_alike << std::setw(15) << counts.refused_alike << "\n";
}

ordered_json device_frames_as_json(const DeviceFrameCounts& counts) {
  return {{"frames", counts.frames},
          {"frames_refused_alike", counts.frames_refused_alike},
          {"decoded_alike", counts.decoded_alike},
          {"wrong_checksums", counts.wrong_checksums},
          {"refused_alike", counts.refused_alike}};
}

void write_device_frames_row(std::ostream& text, std::string_view format, const DeviceFrameCounts& counts) {
  text << "frames of " << std::left << std::setw(14) << format << std::right << std::setw(9) << counts.frames
       << std::setw(12) << counts.frames_refused_alike << std::setw(17) << counts.wrong_checksums
       << std::setw(15) << counts.decoded_alike << std::setw(15) << counts.refused_alike << "\n";
}

void write_file(const std::filesystem::path& path, std::span<const std::uint8_t> bytes) {
  std::ofstream file;
  file.exceptions(std::ios::failbit | std::ios::badbit);
  file.open(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.close();
}

}  // namespace

std::string counts_as_text(const RunResult& result) {
  std::ostringstream text;
  text << "stage                    launches      inputs  refused by plan  decoded alike  refused alike\n";
  for (const auto& [id, counts] : result.counts) write_row(text, id, counts);
  const StageCounts total = total_of(result);
  write_row(text, "all", total);
  const auto percent = 100 * static_cast<double>(reached(total)) /
                       static_cast<double>(std::max<std::uint64_t>(total.inputs, 1));
  text << std::fixed << std::setprecision(1) << percent << " % of the inputs reached a kernel\n";
  for (const auto& [id, formats] : result.ranges) {
    text << std::left << std::setw(24) << id
         << "   frames      ranges          outside  decoded alike  refused alike\n";
    for (const auto& [format, counts] : formats) write_ranges_row(text, format, counts);
  }
  if (result.device_frames.empty()) return text.str();
  text << "device memory              frames     refused  wrong checksums  decoded alike  refused alike\n";
  for (const auto& [format, counts] : result.device_frames) write_device_frames_row(text, format, counts);
  return text.str();
}

void write_counts(const std::filesystem::path& path, const RunOptions& options, const RunResult& result,
                  const std::string& commit) {
  std::map<std::string, StageCounts> formats;
  ordered_json stages = ordered_json::object();
  for (const auto& [id, counts] : result.counts) {
    stages[id] = as_json(counts);
    formats[format_of(id)] += counts;
  }
  ordered_json document = {{"schema", 1},
                           {"device", executor_name(options.executor)},
                           {"commit", commit},
                           {"seed", options.seed},
                           {"first_batch", options.first_batch},
                           {"inputs_of_a_batch", options.batch_inputs},
                           {"failed_batches", result.failures.size()},
                           {"total", as_json(total_of(result))},
                           {"formats", ordered_json::object()},
                           {"stages", stages},
                           {"range_stages", ordered_json::array()},
                           {"ranges", ordered_json::object()},
                           {"device_frames", ordered_json::object()}};
  std::map<std::string, RangeCounts> ranges;
  for (const auto& [id, of_stage] : result.ranges) {
    document["range_stages"].push_back(id);
    for (const auto& [format, counts] : of_stage) ranges[format] += counts;
  }
  for (const auto& [format, counts] : ranges) document["ranges"][format] = ranges_as_json(counts);
  for (const auto& [format, counts] : result.device_frames) {
    document["device_frames"][format] = device_frames_as_json(counts);
  }
  for (const auto& [name, counts] : formats) document["formats"][name] = as_json(counts);
  const std::string text = document.dump(1) + "\n";
  write_file(path, std::vector<std::uint8_t>(text.begin(), text.end()));
}

std::string write_failure(const Failure& failure, const RunOptions& options,
                          const std::filesystem::path& folder) {
  std::string name =
      failure.stage + "_seed" + std::to_string(options.seed) + "_batch" + std::to_string(failure.batch);
  std::ranges::replace(name, '/', '_');
  const bool is_of_stage = std::ranges::any_of(stage::operations, [&](stage::Operation operation) {
    return stage::find_stage(failure.stage, operation) != nullptr;
  });
  const std::string again = "gsst_fuzz_kernels --device " + std::string(executor_name(options.executor)) +
                            (is_of_stage ? " --stage " + failure.stage : "");
  std::ostringstream text;
  const std::filesystem::path whole = folder / (name + ".gsst");
  write_file(whole, failure.frame);
  text << failure.stage << ": batch " << failure.batch << " of seed " << options.seed << ", "
       << failure.findings.size() << " finding(s)\n"
       << "  its frame again: " << again << " --replay " << whole.string() << "\n"
       << "  in the same places of memory, with the same --stage and --format: gsst_fuzz_kernels --device "
       << executor_name(options.executor) << " --seed " << options.seed << " --first-batch " << failure.batch
       << " --batch " << options.batch_inputs << " --inputs 1\n";
  std::size_t blocks = 0;
  for (const Finding& finding : failure.findings) {
    if (!finding.block) {
      text << "  " << finding.what << "\n";
      continue;
    }
    if (++blocks > most_blocks_alone) continue;
    const std::filesystem::path alone = folder / (name + "_block" + std::to_string(*finding.block) + ".gsst");
    write_file(alone, frame_of_one_block(failure.frame, *finding.block));
    text << "  block " << *finding.block << ": " << finding.what << "\n"
         << "  alone: " << again << " --replay " << alone.string() << "\n";
  }
  return text.str();
}

}  // namespace gsst::fuzz
