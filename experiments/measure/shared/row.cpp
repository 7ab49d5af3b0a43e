#include "experiments/measure/shared/row.hpp"

#include <unistd.h>

#include <fstream>
#include <system_error>

#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

Json seconds_to_json(const SecondsSummary& seconds) {
  return Json{{"median", seconds.median},
              {"min", seconds.min},
              {"max", seconds.max},
              {"stddev", seconds.stddev},
              {"repetitions", seconds.repetitions}};
}

/// Removes a file that was not renamed.
class TemporaryFile {
public:
  explicit TemporaryFile(std::filesystem::path path) : path_(std::move(path)) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

  void write(const std::string& text) const {
    std::ofstream stream(path_, std::ios::binary | std::ios::trunc);
    stream << text;
    stream.close();
    if (!stream) throw InputError("cannot write " + path_.string());
  }

  void rename_to(const std::filesystem::path& path) const {
    std::error_code error;
    std::filesystem::rename(path_, path, error);
    if (error) throw InputError("cannot write " + path.string() + ": " + error.message());
  }

private:
  std::filesystem::path path_;
};

}  // namespace

Json row_to_json(const Row& row, const Dataset& dataset) {
  const double ratio =
      static_cast<double>(row.uncompressed_bytes) / static_cast<double>(row.compressed_bytes);
  Json json{{"stage", row.stage},
            {"variant", row.variant},
            {"operation", "decode"},
            {"parameters", row.parameters},
            {"dataset", dataset.name},
            {"dataset_sha256", dataset.sha256},
            {"uncompressed_bytes", row.uncompressed_bytes},
            {"compressed_bytes", row.compressed_bytes},
            {"ratio", ratio},
            {"seconds", nullptr},
            {"throughput_gb_per_s", nullptr},
            {"streaming_limit_gb_per_s", nullptr},
            {"verified", true}};
  if (row.seconds) {
    json["seconds"] = seconds_to_json(*row.seconds);
    json["throughput_gb_per_s"] = gigabytes_per_second(row.uncompressed_bytes, row.seconds->median);
  }
  return json;
}

void write_rows(std::span<const Row> rows, const Dataset& dataset, const std::filesystem::path& path) {
  Json array = Json::array();
  for (const Row& row : rows) array.push_back(row_to_json(row, dataset));
  std::filesystem::path temporary_path = path;
  temporary_path += ".tmp" + std::to_string(::getpid());
  const TemporaryFile temporary(temporary_path);
  temporary.write(array.dump(2) + "\n");
  temporary.rename_to(path);
}

}  // namespace gsst::experiments
