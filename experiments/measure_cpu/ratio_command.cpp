#include "experiments/measure_cpu/ratio_command.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>

#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/input_file.hpp"
#include "reference_cpu/stream_codec.hpp"

namespace gsst::experiments {
namespace {

/// A file without a name, which goes away with the object or with the program.
class UnnamedFile {
public:
  UnnamedFile() : file_(std::tmpfile(), &std::fclose) {
    if (!file_) throw InputError("cannot make a temporary file for the compressed bytes");
  }

  void append(std::span<const std::uint8_t> bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size())
      throw InputError("cannot write the compressed bytes to a temporary file");
  }

  /// The next read() starts at the first byte.
  void rewind() {
    if (std::fflush(file_.get()) != 0 || std::fseek(file_.get(), 0, SEEK_SET) != 0)
      throw InputError("cannot write the compressed bytes to a temporary file");
  }

  std::size_t read(std::span<std::uint8_t> buffer) {
    return std::fread(buffer.data(), 1, buffer.size(), file_.get());
  }

private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

/// Reads a file from its first byte on.
class InputStream {
public:
  explicit InputStream(const std::filesystem::path& path) : stream_(path, std::ios::binary) {
    if (!stream_) throw InputError("cannot read input " + path.string());
  }

  std::size_t read(std::span<std::uint8_t> buffer) {
    stream_.read(reinterpret_cast<char*>(buffer.data()), static_cast<std::streamsize>(buffer.size()));
    return static_cast<std::size_t>(stream_.gcount());
  }

private:
  std::ifstream stream_;
};

/// Throws MismatchError unless the bytes given one after the other are those of the file at `path`.
class InputComparison {
public:
  InputComparison(const std::filesystem::path& path, std::string what)
      : input_(path), what_(std::move(what)) {}

  void compare_next(std::span<const std::uint8_t> decoded) {
    expected_.resize(decoded.size());
    const std::size_t available = input_.read(expected_);
    if (available < decoded.size() || !std::equal(decoded.begin(), decoded.end(), expected_.begin()))
      throw MismatchError(what_ + ": decoded bytes from " + std::to_string(position_) +
                          " on differ from the input");
    position_ += decoded.size();
  }

  void finish() {
    std::uint8_t byte = 0;
    if (input_.read({&byte, 1}) != 0)
      throw MismatchError(what_ + ": only the first " + std::to_string(position_) +
                          " bytes of the input were decoded");
  }

private:
  InputStream input_;
  std::string what_;
  std::uint64_t position_ = 0;
  std::vector<std::uint8_t> expected_;
};

Row measure_pair(const std::filesystem::path& path, std::uint64_t block_bytes, std::uint32_t splits) {
  InputStream input(path);
  UnnamedFile compressed;
  std::uint64_t compressed_bytes = 0;
  const reference::CompressTotals totals = reference::compress_stream(
      [&](std::span<std::uint8_t> buffer) { return input.read(buffer); },
      [&](std::span<const std::uint8_t> bytes) {
        compressed_bytes += bytes.size();
        compressed.append(bytes);
      },
      {.format = format::BlockFormat::splits, .block_bytes = block_bytes, .split_count = splits});

  compressed.rewind();
  InputComparison comparison(
      path, "blocks of " + std::to_string(block_bytes) + " bytes, " + std::to_string(splits) + " splits");
  reference::decompress_stream([&](std::span<std::uint8_t> buffer) { return compressed.read(buffer); },
                               [&](std::span<const std::uint8_t> bytes) { comparison.compare_next(bytes); },
                               {});
  comparison.finish();

  return {.stage = "reference_cpu/fast",
          .variant = "splits",
          .parameters = {{"block_bytes", block_bytes}, {"splits", splits}, {"blocks", totals.blocks}},
          .uncompressed_bytes = totals.input_bytes,
          .compressed_bytes = compressed_bytes,
          .seconds = {}};
}

}  // namespace

std::vector<StudiedWork> ratio_works(const RatioOptions& options, const Dataset& dataset) {
  const std::uint64_t input_bytes = input_file_bytes(options.input);
  const std::uint64_t largest = *std::max_element(options.block_bytes.begin(), options.block_bytes.end());
  if (largest > input_bytes)
    throw InputError("--block-bytes " + std::to_string(largest) + ": the input has only " +
                     std::to_string(input_bytes) + " bytes, not one whole block");
  std::vector<StudiedWork> works;
  for (const std::uint64_t block_bytes : options.block_bytes) {
    for (const std::uint32_t splits : options.splits) {
      works.push_back(
          {.key = {{"block_bytes", block_bytes}, {"splits", splits}}, .measure = [=, input = options.input] {
             return std::vector{row_to_json(measure_pair(input, block_bytes, splits), dataset)};
           }});
    }
  }
  return works;
}

}  // namespace gsst::experiments
