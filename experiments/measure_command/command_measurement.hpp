#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "common/stage/stage.hpp"
#include "experiments/measure/shared/points.hpp"
#include "experiments/measure/shared/row.hpp"

namespace gsst::experiments {

/// What a measurement needs of the machine.
struct CommandTools {
  /// The command gsst.
  std::filesystem::path command;
  /// Where files are: in memory, so that no disk is measured.
  std::filesystem::path folder;
  /// That of `--device` beside the CPU: gpu, or simt where times mean nothing.
  stage::Executor executor;
  /// Devices of that executor that the command finds here.
  std::size_t devices = 1;
  /// What the environment variable CUDA_VISIBLE_DEVICES calls the first of them.
  std::string first_device = "0";
  /// Calls `work` and says at what clocks it ran (summarize_samples()).
  std::function<nlohmann::ordered_json(const std::function<void()>& work)> clocks_during;
};

/// Measures the command gsst on files, as its users run it.
class CommandMeasurement {
public:
  /// Writes `text`, which must outlive the object, to a file in the folder. Throws InputError if the folder
  /// lacks room, std::system_error.
  CommandMeasurement(std::span<const std::uint8_t> text, Dataset dataset, unsigned repetitions,
                     const CommandTools& tools);
  CommandMeasurement(const CommandMeasurement&) = delete;
  CommandMeasurement& operator=(const CommandMeasurement&) = delete;
  /// Removes all files.
  ~CommandMeasurement();

  /// A row for each way to run the command, on the executor and with `--device cpu`, named by `variant`. For
  /// a stage that encodes: compressing to a file in memory. For one that decodes: what the default encoder of
  /// its format made on the executor is tested, and decompressed to a file in memory, to a pipe that this
  /// process reads, and to /dev/null. Files have the point's format, options and bytes of a block. Where
  /// there are several devices, the command decompresses with the first alone, and then with all.
  ///
  /// Repetitions of all ways run in random order, next to files that are decompressed with copies of the text
  /// by cp. Where a round takes long, there are fewer, at least three. A new file is written each time. What
  /// the command writes to a file or a pipe is compared before and after the timing, byte for byte.
  ///
  /// A row has the keys of the result contract, `device`, `end_to_end` (true), `clocks`, but for the CPU
  /// `devices`, the number that the command finds, `cp_seconds` where text is decompressed, and
  /// `link_gb_per_s`: copies from page-locked host memory to the executor's (`up`) and back (`down`). Throws
  /// InputError where the command fails, MismatchError, std::system_error, cuda::CudaError.
  std::vector<nlohmann::ordered_json> measure(const Point& point);

private:
  struct Way;

  std::vector<std::string> gsst(const std::string& device, std::vector<std::string> arguments) const;
  std::vector<std::string> with_one_device(std::vector<std::string> command) const;
  std::vector<Way> ways_to_decode_on(const std::string& device) const;
  std::vector<Way> ways_to_encode(const Point& point) const;
  std::vector<Way> ways_to_decode() const;
  std::vector<std::string> compress(const Point& point, const std::string& device,
                                    const std::filesystem::path& output) const;
  void compare_with_text(const std::filesystem::path& file, const std::string& way) const;
  void verify(const Way& way) const;
  void verify_all(std::span<const Way> ways) const;
  std::filesystem::path text_file() const { return folder_ / "text"; }
  std::filesystem::path compressed_file() const { return folder_ / "text.gsst"; }
  std::filesystem::path output_file() const { return folder_ / "output"; }

  std::span<const std::uint8_t> text_;
  Dataset dataset_;
  unsigned repetitions_;
  const CommandTools& tools_;
  // A new one in that of the tools.
  std::filesystem::path folder_;
  nlohmann::ordered_json link_;
};

}  // namespace gsst::experiments
