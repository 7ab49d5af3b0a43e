#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace gsst::experiments {

/// A library refused to compress or to decompress.
class CodecError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// One compressor at one level. Both functions take the whole data in one call and use one thread to
/// decompress.
struct Codec {
  /// As in a row: `peer/zstd`.
  std::string stage;
  /// As in a row: `level 3`.
  std::string variant;
  /// The level or what stands for it, the library's version, and the checksum that decompression verifies.
  nlohmann::ordered_json parameters;
  /// The compressed form of `input`. Throws CodecError, also for an input larger than the library takes.
  std::function<std::vector<std::uint8_t>(std::span<const std::uint8_t> input)> compress;
  /// Decompresses into `output`, which has exactly the uncompressed size. Throws CodecError if `compressed`
  /// is malformed or has another size; a codec of this project throws its own errors.
  std::function<void(std::span<const std::uint8_t> compressed, std::span<std::uint8_t> output)> decompress;
};

/// This project's decoders: `reference_cpu/readable` and `reference_cpu/fast`.
std::vector<Codec> reference_codecs();

}  // namespace gsst::experiments
