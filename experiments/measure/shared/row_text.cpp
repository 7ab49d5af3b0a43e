#include "experiments/measure/shared/row_text.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace gsst::experiments {
namespace {

// What a line says in its own words, or not at all.
constexpr std::array<std::string_view, 8> left_out = {"stage",    "variant",           "operation",
                                                      "dataset",  "dataset_sha256",    "throughput_gb_per_s",
                                                      "verified", "uncompressed_bytes"};

}  // namespace

std::string row_text(const nlohmann::ordered_json& row) {
  std::string text = row.at("stage").get<std::string>();
  if (row.at("variant") != "") text += " " + row["variant"].get<std::string>();
  text += " " + row.at("parameters").dump();
  const char* before = ": ";
  const auto add = [&](const std::string& said) {
    text += before + said;
    before = ", ";
  };
  if (!row.at("throughput_gb_per_s").is_null()) add(row["throughput_gb_per_s"].dump() + " GB/s");
  for (const auto& [key, value] : row.items()) {
    if (std::ranges::find(left_out, key) != left_out.end() || value.is_structured() || value.is_null())
      continue;
    add(key + " " + (value.is_string() ? value.get<std::string>() : value.dump()));
  }
  return text;
}

}  // namespace gsst::experiments
