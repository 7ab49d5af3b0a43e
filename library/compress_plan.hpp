#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/format/encoding.hpp"
#include "reference_cpu/compress_block.hpp"

namespace gsst::library {

/// Most bytes of an input; keeps every size that is computed from it below 2^64.
inline constexpr std::uint64_t max_input_bytes = std::uint64_t{1} << 56;

/// Of reference::CompressOptions: the size of blocks that fits what the input holds. Only where
/// is_fast_level().
inline constexpr std::uint64_t fitting_block_bytes = 0;

/// The options of format tiles as the encoder of files takes them.
format::EncodeSettings encode_settings(const reference::CompressOptions& options);

/// Whether cpu::tiles::encode_frame() compresses what the options ask for.
bool is_fast_level(const reference::CompressOptions& options);

/// Compresses inputs of one size into memory of the caller.
class CompressPlan {
public:
  /// Throws std::invalid_argument for options out of range and for an input that takes more blocks than a
  /// frame holds. options.threads is the number of threads, not 0.
  CompressPlan(std::uint64_t input_bytes, const reference::CompressOptions& options);

  std::uint64_t input_bytes() const { return input_bytes_; }
  /// Most bytes of the compressed input.
  std::uint64_t output_bytes() const { return output_bytes_; }

  /// Compresses `input`, of input_bytes() bytes, to the start of `output`, of output_bytes() bytes at least,
  /// and returns the bytes written.
  std::size_t execute(std::span<const std::uint8_t> input, std::span<std::uint8_t> output) const;

private:
  std::uint64_t input_bytes_;
  reference::CompressOptions options_;
  std::uint64_t output_bytes_ = 0;
};

}  // namespace gsst::library
