#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>

#include "stages/codag/orc/orc_file.hpp"
#include "stages/codag/orc/orc_values.hpp"

// Any bytes as an ORC file: each column gives values or an OrcError.
// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace orc = gsst::codag::orc;
  const std::span<const std::uint8_t> file(data, size);
  // Names of columns in the golden files.
  for (const char* name :
       {"c", "bool_or_null", "tiny", "small_or_null", "int", "big_or_null", "date", "word"}) {
    try {
      const orc::OrcColumn column = orc::read_orc_column(file, name);
      // More take a fuzzer's time and memory.
      constexpr std::uint64_t most_rows = 1 << 18;
      if (column.rows > most_rows) continue;
      orc::decode_orc_column(file, column, 0, [](std::span<const std::uint8_t>) {});
    } catch (const orc::OrcError&) {
      continue;
    }
  }
  return 0;
}
