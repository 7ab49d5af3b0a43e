#pragma once

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "stages/tile_integer/tests/query/ssb_tables.hpp"

namespace gsst::experiments {

/// For tests: a file of tables, as data/ssb.py writes it.
inline std::vector<std::uint8_t> bytes_of_tables(const tile_integer::SsbTables& tables) {
  constexpr std::size_t alignment = 64;
  nlohmann::ordered_json columns = nlohmann::ordered_json::object();
  for (const auto& [name, values] : tables) columns[name] = values.size();
  std::string head = nlohmann::ordered_json{{"columns", columns}}.dump();
  while ((head.size() + 1) % alignment != 0) head += ' ';
  head += '\n';
  std::vector<std::uint8_t> bytes(head.begin(), head.end());
  for (const auto& [name, values] : tables) {
    const std::size_t place = bytes.size();
    bytes.resize((place + values.size() * sizeof(std::uint32_t) + alignment - 1) / alignment * alignment);
    if (!values.empty()) {
      std::memcpy(bytes.data() + place, values.data(), values.size() * sizeof(std::uint32_t));
    }
  }
  return bytes;
}

}  // namespace gsst::experiments
