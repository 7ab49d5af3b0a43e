#include "experiments/measure_cpu/studied_works.hpp"

#include <iostream>

#include "experiments/measure/shared/partial_rows.hpp"
#include "experiments/measure/shared/result_file.hpp"
#include "experiments/measure/shared/row_text.hpp"

namespace gsst::experiments {

using Json = nlohmann::ordered_json;

void measure_works(std::span<const StudiedWork> works, const Json& settings,
                   const std::filesystem::path& output) {
  std::cerr << "points: " << works.size() << std::endl;
  PartialRows kept(output);
  Json all = Json::array();
  for (const StudiedWork& work : works) {
    const Json key = {{"work", work.key}, {"settings", settings}};
    if (kept.find(key) == nullptr) {
      kept.append(key, work.measure());
      for (const Json& row : *kept.find(key)) std::cerr << row_text(row) << std::endl;
    }
    for (const Json& row : *kept.find(key)) all.push_back(row);
  }
  write_document(all, output);
  kept.remove();
}

}  // namespace gsst::experiments
