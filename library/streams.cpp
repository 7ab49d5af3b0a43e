#include "library/streams.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/frame/frame.hpp"
#include "cpu/block_size/block_size_choice.hpp"
#include "cpu/tiles/frame_decoder.hpp"
#include "cpu/tiles/frame_encoder.hpp"
#include "library/compress_plan.hpp"
#include "reference_cpu/stream_codec.hpp"

namespace gsst::library {
namespace {

using format::BlockFormat;
using format::ReadFunction;
using format::StreamTotals;
using format::WriteFunction;

// What encoders of all formats say.
StreamTotals of_any_format(const StreamTotals& totals) {
  return totals;
}

// An input whose first bytes are looked at before they are read.
class StartedInput {
public:
  StartedInput(const ReadFunction& read, std::size_t start_bytes)
      : read_(read), start_(format::read_up_to(read, start_bytes)) {}

  std::span<const std::uint8_t> start() const { return start_; }

  // Reads the input from its start. Refers to this.
  ReadFunction reader() {
    return [this](std::span<std::uint8_t> buffer) {
      const std::size_t from_start = std::min(buffer.size(), start_.size() - given_);
      std::copy_n(start_.begin() + static_cast<std::ptrdiff_t>(given_), from_start, buffer.begin());
      given_ += from_start;
      if (given_ == start_.size()) {
        start_ = {};
        given_ = 0;
      }
      return from_start == buffer.size() ? from_start : from_start + read_(buffer.subspan(from_start));
    };
  }

private:
  const ReadFunction& read_;
  std::vector<std::uint8_t> start_;
  std::size_t given_ = 0;
};

}  // namespace

StreamTotals compress_stream(const ReadFunction& read, const WriteFunction& write,
                             const reference::CompressOptions& options) {
  const CompressPlan checks_options(0, options);
  if (!is_fast_level(options)) return of_any_format(reference::compress_stream(read, write, options));
  format::EncodeSettings settings = encode_settings(options);
  if (settings.block_bytes != fitting_block_bytes) {
    return of_any_format(cpu::tiles::encode_frame(read, write, settings));
  }
  StartedInput input(read, cpu::most_looked_at_bytes);
  settings.block_bytes = cpu::choose_block_size(input.start(), settings).block_bytes;
  return of_any_format(cpu::tiles::encode_frame(input.reader(), write, settings));
}

StreamTotals decompress_stream(const ReadFunction& read, const WriteFunction& write,
                               const DecompressOptions& options) {
  if (!options.verify_checksums) {
    throw std::invalid_argument("options: skip_checksums is 1, expected 0: those of a stream are compared");
  }
  if (options.format == BlockFormat::fsst) {
    return reference::decompress_stream(read, write, {.fsst_file = true, .threads = options.threads});
  }
  StartedInput input(read, format::frame_header_bytes);
  const BlockFormat found = parse_frame_start(input.start()).format;
  check_format(found, options.format);
  if (found == BlockFormat::tiles) {
    return cpu::tiles::decode_frame(input.reader(), write, options.threads);
  }
  return reference::decompress_stream(input.reader(), write, {.threads = options.threads});
}

}  // namespace gsst::library
