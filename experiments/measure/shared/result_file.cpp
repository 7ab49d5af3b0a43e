#include "experiments/measure/shared/result_file.hpp"

#include <unistd.h>

#include <fstream>
#include <system_error>

#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {

using Json = nlohmann::ordered_json;

Json environment_to_json(const Environment& environment) {
  return {
      {"gpu", environment.gpu},           {"driver", environment.driver}, {"cuda", environment.cuda},
      {"clocks", environment.clocks},     {"ecc", environment.ecc},       {"cpu", environment.cpu},
      {"compiler", environment.compiler}, {"flags", environment.flags},   {"commit", environment.commit},
      {"dirty", environment.dirty},       {"date", environment.date},     {"command", environment.command}};
}

Json make_result(const std::string& target, const Environment& environment, const std::string& sources_digest,
                 const std::vector<Json>& rows) {
  return {{"schema", 1},
          {"target", target},
          {"environment", environment_to_json(environment)},
          {"sources_digest", sources_digest},
          {"rows", rows}};
}

void write_document(const Json& document, const std::filesystem::path& path) {
  std::filesystem::path temporary = path;
  temporary += ".tmp" + std::to_string(::getpid());
  std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
  file << document.dump(1) << "\n";
  file.close();
  std::error_code error;
  if (file) std::filesystem::rename(temporary, path, error);
  if (!file || error) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw InputError("cannot write " + path.string() + (error ? ": " + error.message() : ""));
  }
}

}  // namespace gsst::experiments
