#include "experiments/measure_markers/marker_rows.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <ios>
#include <span>
#include <string>
#include <vector>

#include "common/format/zero_length/markers.hpp"
#include "common/frame/frame.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/input_file.hpp"
#include "reference_cpu/zero_length/marked_elements.hpp"

namespace gsst::experiments {
namespace {

namespace zle = format::zero_length;
using reference::zero_length::MarkerChoice;

// What is counted of a file with one choice.
struct Counted {
  MarkerChoice choice;
  std::uint64_t payload_bytes = 0;
  std::uint64_t raw_blocks = 0;
  // In blocks that are not raw.
  std::uint64_t coded_runs = 0;
  std::uint64_t doubled_bytes = 0;
};

// Elements of one byte that are runs of four zeros. A byte after a marker is no element.
std::uint64_t coded_runs_of(std::span<const std::uint8_t> elements, const zle::Markers& markers) {
  if (markers.four_zeros == 0) return 0;
  std::uint64_t runs = 0;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i] == markers.marker) {
      ++i;
    } else if (elements[i] == markers.four_zeros) {
      ++runs;
    }
  }
  return runs;
}

void count_block(std::span<const std::uint8_t> block, std::span<std::uint8_t> buffer, std::uint64_t index,
                 Counted& counted) {
  const zle::Markers markers = reference::zero_length::choose_markers(block, counted.choice);
  const std::span<const std::uint8_t> payload =
      buffer.first(reference::zero_length::encode_marked(block, buffer, markers));
  const reference::zero_length::DecodedElements decoded =
      reference::zero_length::decode_marked(payload, block.size());
  if (decoded.status != zle::Status::decoded || !std::ranges::equal(decoded.bytes, block)) {
    throw MismatchError("block " + std::to_string(index) + ": decoded bytes differ from the input");
  }
  if (payload.size() >= block.size()) {
    counted.payload_bytes += block.size();
    ++counted.raw_blocks;
    return;
  }
  counted.payload_bytes += payload.size();
  counted.coded_runs += coded_runs_of(payload.subspan(zle::markers_bytes), markers);
  counted.doubled_bytes += static_cast<std::uint64_t>(std::ranges::count_if(block, [&](std::uint8_t byte) {
    return byte != 0 && (byte == markers.marker || byte == markers.four_zeros);
  }));
}

std::uint64_t frame_bytes(std::uint64_t payload_bytes, std::uint64_t blocks) {
  const std::uint64_t around_block = format::record_header_bytes + format::index_entry_bytes;
  return format::frame_header_bytes + payload_bytes + blocks * around_block + format::record_header_bytes +
         format::index_totals_bytes + format::frame_trailer_bytes;
}

nlohmann::ordered_json row_of(const Counted& counted, std::uint64_t total, std::uint64_t block_bytes,
                              std::uint64_t blocks, const Dataset& dataset) {
  nlohmann::ordered_json row =
      row_to_json({.stage = "reference_cpu/zero_length",
                   .variant = "zle_markers",
                   .parameters = {{"block_bytes", block_bytes},
                                  {"marker", counted.choice.is_rarest ? "rarest" : "ff"},
                                  {"runs_of_4", counted.choice.has_four_zeros ? "one byte" : "two bytes"}},
                   .uncompressed_bytes = total,
                   .compressed_bytes = frame_bytes(counted.payload_bytes, blocks),
                   .seconds = {}},
                  dataset);
  row["operation"] = "encode";
  row["blocks"] = blocks;
  row["raw_blocks"] = counted.raw_blocks;
  row["coded_runs"] = counted.coded_runs;
  row["doubled_bytes"] = counted.doubled_bytes;
  return row;
}

}  // namespace

nlohmann::ordered_json marker_rows(const std::filesystem::path& input, std::uint64_t block_bytes,
                                   const Dataset& dataset) {
  const std::uint64_t total = input_file_bytes(input);
  std::ifstream file(input, std::ios::binary);
  std::vector<std::uint8_t> block(block_bytes);
  std::vector<std::uint8_t> buffer(zle::max_encoded_bytes(zle::markers_format, block_bytes));
  std::array<Counted, 4> all = {{{.choice = {.is_rarest = false, .has_four_zeros = false}},
                                 {.choice = {.is_rarest = true, .has_four_zeros = false}},
                                 {.choice = {.is_rarest = false, .has_four_zeros = true}},
                                 {.choice = {.is_rarest = true, .has_four_zeros = true}}}};
  std::uint64_t blocks = 0;
  for (std::uint64_t offset = 0; offset < total; offset += block_bytes, ++blocks) {
    const std::uint64_t size = std::min(block_bytes, total - offset);
    file.read(reinterpret_cast<char*>(block.data()), static_cast<std::streamsize>(size));
    if (!file) throw InputError("cannot read input " + input.string());
    for (Counted& counted : all) count_block(std::span(block).first(size), buffer, blocks, counted);
  }
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Counted& counted : all) rows.push_back(row_of(counted, total, block_bytes, blocks, dataset));
  return rows;
}

}  // namespace gsst::experiments
