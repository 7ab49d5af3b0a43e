#include "experiments/measure_chunks/chunk_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <ios>
#include <optional>
#include <span>
#include <vector>

#include "common/format/codag/codag.hpp"
#include "common/format/formats.hpp"
#include "common/frame/frame.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/input_file.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/parallel.hpp"
#include "reference_cpu/tile_integer/type_option.hpp"

namespace gsst::experiments {
namespace {

using ChunkBytes = std::vector<std::uint8_t>;
using ChunkSpan = std::span<const std::uint8_t>;

// The codec would store chunks of bytes raw that take more than they are. The same values with more bytes
// have the same encoding and are not stored raw.
template <typename Narrow, typename Wide>
ChunkBytes widened_to(ChunkSpan chunk) {
  ChunkBytes wide(chunk.size() * sizeof(Wide));
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    const Wide value = static_cast<Narrow>(chunk[i]);
    std::memcpy(wide.data() + i * sizeof(Wide), &value, sizeof(Wide));
  }
  return wide;
}

ChunkBytes values_of(ChunkSpan chunk, const std::string& type) {
  if (type == "i8") return widened_to<std::int8_t, std::int32_t>(chunk);
  if (type == "u8") return widened_to<std::uint8_t, std::uint32_t>(chunk);
  return {chunk.begin(), chunk.end()};
}

// What is encoded in place of values of `type`.
std::string coded_type(const std::string& type) {
  if (type == "i8") return "i32";
  return type == "u8" ? "u32" : type;
}

std::optional<std::uint64_t> number_of_type(const std::string& type) {
  const auto& names = reference::tile_integer::type_names;
  const auto found = std::ranges::find(names, coded_type(type));
  if (found == names.end()) return std::nullopt;
  return static_cast<std::uint64_t>(found - names.begin());
}

// Runs and lists of a stream of orc_rle_v1, which must be right.
std::uint64_t symbols_of(ChunkSpan stream) {
  std::uint64_t symbols = 0;
  for (std::size_t at = 0; at < stream.size(); ++symbols) {
    const std::uint8_t first = stream[at++];
    const bool is_run = first < format::codag::first_list_byte;
    // The difference of a run's values.
    if (is_run) ++at;
    for (std::size_t varints = is_run ? 1 : std::size_t{256} - first; varints != 0; ++at) {
      if (stream[at] < 128) --varints;
    }
  }
  return symbols;
}

// The paper's of zlib (Section V-B).
constexpr unsigned level_of_paper = 9;

// What chunks have in all.
struct Counts {
  std::uint64_t compressed_bytes = 0;
  std::uint64_t values = 0;
  std::uint64_t symbols = 0;
};

// Encodes chunks. Threads may share one.
class ChunkCounter {
public:
  explicit ChunkCounter(const ChunkCoding& coding) : coding_(coding) {
    const std::optional<format::BlockFormat> found = format::block_format_from_name(coding.format);
    if (!found) throw InputError("--format: there is no format '" + coding.format + "'");
    codec_ = &reference::codec_of(*found);
    settings_.threads = 1;
    if (has_levels()) settings_.level = level_of_paper;
    if (!codec_->has_option("type")) return;
    const std::optional<std::uint64_t> type = number_of_type(coding.type);
    if (!type) throw InputError("--type: there is no type '" + coding.type + "'");
    settings_.options = {{"type", *type}};
    value_bytes_ = format::codag::shape_of(static_cast<format::codag::Type>(*type)).value_bytes;
  }

  Counts counts_of(ChunkSpan chunk, std::uint64_t number) const {
    const ChunkBytes values =
        is_of_integers() ? values_of(chunk, coding_.type) : ChunkBytes(chunk.begin(), chunk.end());
    if (values.size() % value_bytes_ != 0) throw InputError("the file does not end with a whole value");
    reference::EncodeSettings settings = settings_;
    settings.block_bytes = values.size();
    const ChunkBytes file = reference::encode_file(*codec_, values, settings);
    if (reference::decode_file(*codec_, file, settings.threads) != values) {
      throw MismatchError("chunk " + std::to_string(number) + ": decoded bytes differ from the input");
    }
    const format::FrameView frame = format::parse_frame(file);
    if (frame.index.entries.front().record.layout == format::BlockLayout::raw) {
      throw InputError("chunk " + std::to_string(number) + " is stored raw");
    }
    const ChunkSpan stream = frame.payload(0).subspan(is_of_integers() ? format::codag::stream_offset : 0);
    return {.compressed_bytes = stream.size(),
            .values = values.size() / value_bytes_,
            .symbols = coding_.format == "orc_rle_v1" ? symbols_of(stream) : 0};
  }

  bool has_levels() const { return codec_->traits().max_level >= level_of_paper; }
  bool is_of_integers() const { return !settings_.options.empty(); }

private:
  ChunkCoding coding_;
  const reference::Codec* codec_ = nullptr;
  reference::EncodeSettings settings_;
  std::uint32_t value_bytes_ = 1;
};

// Bytes of a file that are in memory at once.
constexpr std::uint64_t batch_bytes = std::uint64_t{128} << 20;

// Deflate at level 9 takes minutes for a column of 1 GiB on one processor: all work on a batch of chunks.
Counts counts_of_file(const std::filesystem::path& input, std::uint64_t total, const ChunkCounter& counter,
                      std::uint64_t chunk_bytes) {
  std::ifstream file(input, std::ios::binary);
  ChunkBytes batch(std::min(total, std::max(chunk_bytes, batch_bytes / chunk_bytes * chunk_bytes)));
  Counts sum;
  for (std::uint64_t offset = 0; offset < total; offset += batch.size()) {
    batch.resize(std::min<std::uint64_t>(batch.size(), total - offset));
    file.read(reinterpret_cast<char*>(batch.data()), static_cast<std::streamsize>(batch.size()));
    if (!file) throw InputError("cannot read input " + input.string());
    std::vector<Counts> each((batch.size() + chunk_bytes - 1) / chunk_bytes);
    reference::parallel_for(each.size(), reference::thread_count(0), [&](std::size_t i) {
      const std::uint64_t begin = i * chunk_bytes;
      const ChunkSpan rest = ChunkSpan(batch).subspan(begin);
      each[i] =
          counter.counts_of(rest.first(std::min(chunk_bytes, rest.size())), (offset + begin) / chunk_bytes);
    });
    for (const Counts& counts : each) {
      sum.compressed_bytes += counts.compressed_bytes;
      sum.values += counts.values;
      sum.symbols += counts.symbols;
    }
  }
  return sum;
}

}  // namespace

nlohmann::ordered_json chunk_rows(const std::filesystem::path& input, const ChunkCoding& coding,
                                  const Dataset& dataset) {
  const ChunkCounter counter(coding);
  const std::uint64_t total = input_file_bytes(input);
  const Counts counts = counts_of_file(input, total, counter, coding.chunk_bytes);
  nlohmann::ordered_json parameters = {{"block_bytes", coding.chunk_bytes}};
  if (counter.is_of_integers()) parameters["type"] = coding.type;
  if (counter.has_levels()) parameters["level"] = level_of_paper;
  nlohmann::ordered_json row = row_to_json({.stage = "reference_cpu/codag",
                                            .variant = coding.format,
                                            .parameters = parameters,
                                            .uncompressed_bytes = total,
                                            .compressed_bytes = counts.compressed_bytes,
                                            .seconds = {}},
                                           dataset);
  row["operation"] = "encode";
  row["chunks"] = (total + coding.chunk_bytes - 1) / coding.chunk_bytes;
  if (counts.symbols != 0) {
    row["values"] = counts.values;
    row["symbols"] = counts.symbols;
  }
  return nlohmann::ordered_json::array({row});
}

}  // namespace gsst::experiments
