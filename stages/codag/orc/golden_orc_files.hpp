#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference_cpu/test_inputs.hpp"

/// For tests: the files of data/golden/codag/orc/, which pyarrow has written, and the list of what it reads
/// in them.
namespace gsst::codag::orc {

inline const std::string orc_golden_folder = "data/golden/codag/orc/";

/// The entries of all files.
inline nlohmann::json listed_orc_files() {
  std::ifstream file(orc_golden_folder + "golden.json");
  if (!file) throw std::runtime_error(orc_golden_folder + "golden.json: cannot be read");
  return nlohmann::json::parse(file);
}

/// The bytes of a file of the folder.
inline std::vector<std::uint8_t> bytes_of_orc_file(const std::string& name) {
  return reference::test::read_file(orc_golden_folder + name);
}

}  // namespace gsst::codag::orc
