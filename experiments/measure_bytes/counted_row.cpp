#include "experiments/measure_bytes/counted_row.hpp"

#include <algorithm>
#include <fstream>
#include <ios>
#include <span>
#include <string>
#include <vector>

#include "common/format/zero_length/zero_length.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/input_file.hpp"
#include "experiments/measure_bytes/byte_counts.hpp"
#include "reference_cpu/zero_length/elements.hpp"

namespace gsst::experiments {
namespace {

namespace zle = format::zero_length;
using reference::zero_length::decode_elements;
using reference::zero_length::DecodedElements;
using reference::zero_length::encode_elements;

std::size_t verified_elements_bytes(std::span<const std::uint8_t> block, std::span<std::uint8_t> elements,
                                    std::uint64_t index) {
  const std::size_t size = encode_elements(block, elements);
  const DecodedElements decoded = decode_elements(elements.first(size), block.size());
  if (decoded.status != zle::Status::decoded || !std::ranges::equal(decoded.bytes, block)) {
    throw MismatchError("block " + std::to_string(index) + ": decoded bytes differ from the input");
  }
  return size;
}

}  // namespace

nlohmann::ordered_json count_file(const std::filesystem::path& input, std::uint64_t block_bytes,
                                  const Dataset& dataset) {
  const std::uint64_t total = input_file_bytes(input);
  std::ifstream file(input, std::ios::binary);
  std::vector<std::uint8_t> block(block_bytes);
  std::vector<std::uint8_t> elements(zle::max_elements_bytes(block_bytes));
  ByteCounts counts;
  std::uint64_t elements_total = 0;
  std::uint64_t blocks = 0;
  for (std::uint64_t offset = 0; offset < total; offset += block_bytes, ++blocks) {
    const std::uint64_t size = std::min(block_bytes, total - offset);
    file.read(reinterpret_cast<char*>(block.data()), static_cast<std::streamsize>(size));
    if (!file) throw InputError("cannot read input " + input.string());
    const std::span<const std::uint8_t> read = std::span(block).first(size);
    counts.add(read);
    elements_total += verified_elements_bytes(read, elements, blocks);
  }
  if (counts.total_bytes() != total || counts.elements_bytes() != elements_total) {
    throw MismatchError(
        "the sizes that follow from the counts are not those of the file and of its elements");
  }
  const std::uint64_t bare_bytes = elements_total + blocks * zle::bare_header_bytes + zle::bare_size_bytes;
  nlohmann::ordered_json row = row_to_json({.stage = "reference_cpu/zero_length",
                                            .variant = "zle_bare",
                                            .parameters = {{"block_bytes", block_bytes}},
                                            .uncompressed_bytes = total,
                                            .compressed_bytes = bare_bytes,
                                            .seconds = {}},
                                           dataset);
  row["operation"] = "encode";
  row["byte_counts"] = counts.bytes;
  row["rarest_byte"] = counts.rarest_byte();
  row["rarest_count"] = counts.bytes[counts.rarest_byte()];
  row["run_counts"] = counts.runs;
  row["longer_runs"] = counts.longer_runs;
  row["saved_by_longer_runs"] = counts.saved_by_longer_runs;
  row["longest_run"] = counts.longest_run;
  return row;
}

}  // namespace gsst::experiments
