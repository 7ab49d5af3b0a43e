#include "cli/summary.hpp"

#include <nlohmann/json.hpp>

#include "cli/quantity_text.hpp"

namespace gsst::cli {
namespace {

std::string bytes_change(const Summary& summary) {
  const std::string uncompressed = std::to_string(summary.uncompressed_bytes);
  const std::string compressed = std::to_string(summary.compressed_bytes);
  if (summary.operation == Operation::compress) {
    return uncompressed + " -> " + compressed + " bytes, ratio " +
           ratio_text(summary.uncompressed_bytes, summary.compressed_bytes);
  }
  return compressed + " -> " + uncompressed + " bytes";
}

const char* name_in_report(Operation operation) {
  switch (operation) {
    case Operation::compress:
      return "compress";
    case Operation::decompress:
      return "decompress";
    default:
      return "test";
  }
}

}  // namespace

std::string summary_text(const Summary& summary, bool verbose) {
  std::string text = summary.input;
  if (!summary.output.empty()) text += " -> " + summary.output;
  text += summary.operation == Operation::test ? ": intact, " : ": ";
  text += bytes_change(summary);
  if (!verbose) return text;
  text += "; format " + std::string(summary.format) + ", ";
  if (!summary.stage.empty()) text += "stage " + summary.stage + ", ";
  text += summary.how;
  text += std::to_string(summary.blocks) + (summary.blocks == 1 ? " block" : " blocks");
  if (summary.block_bytes) text += " of at most " + std::to_string(*summary.block_bytes) + " bytes";
  text += ", " + byte_text(static_cast<double>(summary.uncompressed_bytes) / summary.seconds) + "/s";
  return text;
}

nlohmann::ordered_json summary_json(const Summary& summary) {
  nlohmann::ordered_json json = {{"operation", name_in_report(summary.operation)},
                                 {"input", summary.input},
                                 {"output", summary.output.empty() ? nlohmann::ordered_json(nullptr)
                                                                   : nlohmann::ordered_json(summary.output)},
                                 {"format", summary.format},
                                 {"blocks", summary.blocks},
                                 {"uncompressed_bytes", summary.uncompressed_bytes},
                                 {"compressed_bytes", summary.compressed_bytes},
                                 {"ratio", ratio_json(summary.uncompressed_bytes, summary.compressed_bytes)},
                                 {"seconds", summary.seconds}};
  for (const auto& [name, number] : summary.numbers) json[name] = number;
  return json;
}

nlohmann::ordered_json ratio_json(std::uint64_t uncompressed_bytes, std::uint64_t compressed_bytes) {
  if (compressed_bytes == 0) return nullptr;
  return static_cast<double>(uncompressed_bytes) / static_cast<double>(compressed_bytes);
}

std::string json_text(const nlohmann::ordered_json& value) {
  return value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace gsst::cli
