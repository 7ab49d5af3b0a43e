#include "experiments/measure_files/orc_input.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "common/format/stream.hpp"
#include "experiments/measure/shared/error.hpp"
#include "stages/codag/orc/orc_file.hpp"
#include "stages/codag/orc/orc_values.hpp"

namespace gsst::experiments {
namespace {

using codag::orc::OrcCoding;
using codag::orc::OrcColumn;
using codag::orc::OrcStripe;

// As data/orc_files.py names it.
constexpr const char* measured_orc_column = "c";

void check_orc_column(const OrcColumn& column) {
  const std::string place = std::string("column '") + measured_orc_column + "' ";
  if (column.rows == 0) throw InputError(place + "has no rows");
  if (column.values == codag::orc::OrcValues::indices) throw InputError(place + "is not of numbers");
  const OrcCoding coding = column.stripes.front().coding;
  for (const OrcStripe& stripe : column.stripes) {
    if (stripe.present) throw InputError(place + "may have nulls");
    if (stripe.coding != coding) throw InputError(place + "has stripes of several codings");
  }
}

const char* name_of_coding(OrcCoding coding) {
  if (coding == OrcCoding::bytes) return "bytes";
  return coding == OrcCoding::run_lengths_v1 ? "v1" : "v2";
}

}  // namespace

bool is_orc_file(std::span<const std::uint8_t> file) {
  return file.size() >= codag::orc::orc_magic.size() &&
         std::equal(codag::orc::orc_magic.begin(), codag::orc::orc_magic.end(), file.begin());
}

OrcInput read_orc_input(std::span<const std::uint8_t> file) {
  OrcColumn column = codag::orc::read_orc_column(file, measured_orc_column);
  check_orc_column(column);
  std::vector<std::uint8_t> values;
  codag::orc::decode_orc_column(file, column, std::nullopt, format::writer_to(values));
  return {.column = std::move(column), .values = std::move(values)};
}

nlohmann::ordered_json orc_in_rows(const OrcColumn& column) {
  std::uint64_t groups = 0;
  std::uint64_t most_rows = 0;
  for (const OrcStripe& stripe : column.stripes) {
    // Without an index the stripe is one.
    groups += std::max<std::uint64_t>(stripe.row_groups.size(), 1);
    if (stripe.row_groups.empty()) most_rows = std::max(most_rows, stripe.rows);
    for (const auto& group : stripe.row_groups) most_rows = std::max(most_rows, group.rows);
  }
  return {{"compression", column.compression == codag::orc::OrcCompression::zlib ? "zlib" : "none"},
          {"coding", name_of_coding(column.stripes.front().coding)},
          {"stripes", column.stripes.size()},
          {"row_groups", groups},
          {"row_group_rows", most_rows}};
}

}  // namespace gsst::experiments
