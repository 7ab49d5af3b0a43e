#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "fuzz/block_oracle.hpp"
#include "fuzz/encode_choices.hpp"
#include "fuzz/payload_mutator.hpp"
#include "reference_cpu/codec.hpp"

// The first bytes choose a format, its options and how large blocks are, the rest is the input. It goes
// through the codec and back, and back by every other way that fuzz_decode knows.

namespace {

using gsst::reference::Codec;
using gsst::reference::EncodeSettings;
using Bytes = std::vector<std::uint8_t>;

// A codec may train for each block, which is what takes the time.
constexpr std::size_t most_blocks = 3;
// The same.
constexpr std::size_t most_input_bytes = 8192;
// Bytes of an input that choose: enough for the codec with the most options.
constexpr std::size_t choosing_bytes = 32;

// Numbers from bytes, two each, and zeros when they have been used up.
class Choices {
public:
  explicit Choices(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::uint64_t below(std::uint64_t limit) {
    if (bytes_.size() < 2) return 0;
    const std::uint64_t number = bytes_[0] | std::uint64_t{bytes_[1]} << 8;
    bytes_ = bytes_.subspan(2);
    return number % limit;
  }

private:
  std::span<const std::uint8_t> bytes_;
};

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

EncodeSettings settings_from(Choices& choices, const Codec& codec, std::size_t input_bytes) {
  const std::uint64_t threads = choices.below(16) == 0 ? 2 : 1;
  const std::uint64_t block_bytes =
      input_bytes / most_blocks + 1 + (input_bytes + 1) * choices.below(256) / 256;
  EncodeSettings settings =
      gsst::fuzz::choose_settings(codec, [&](std::uint64_t limit) { return choices.below(limit); });
  settings.block_bytes = std::min(block_bytes, codec.traits().max_block_bytes);
  settings.threads = static_cast<unsigned>(threads);
  return settings;
}

void check_file(const Codec& codec, std::span<const std::uint8_t> input, const EncodeSettings& settings) {
  const auto gives_input = [&](const Bytes& output) { return std::ranges::equal(output, input); };
  Bytes compressed;
  try {
    compressed = gsst::reference::encode_file(codec, input, settings);
  } catch (const std::invalid_argument&) {
    // A file of some formats is one block.
    require(!codec.is_framed() && input.size() > settings.block_bytes, "the codec refuses its input");
    return;
  }
  require(gives_input(gsst::reference::decode_file(codec, compressed, settings.threads)),
          "the codec gives other bytes");
  if (codec.is_framed()) {
    require(gives_input(gsst::fuzz::decode_by_blocks(compressed)), "block by block it gives other bytes");
  }
  const std::optional<Bytes> otherwise =
      gsst::fuzz::mutator_of(codec.traits().format).decode_otherwise(compressed);
  require(!otherwise || gives_input(*otherwise), "another way gives other bytes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < choosing_bytes) return 0;
  Choices choices(std::span(data, choosing_bytes));
  const std::span input(data + choosing_bytes, std::min(size - choosing_bytes, most_input_bytes));
  const std::vector<const Codec*> codecs = gsst::reference::registered_codecs();
  const Codec& codec = *codecs[choices.below(codecs.size())];
  const EncodeSettings settings = settings_from(choices, codec, input.size());
  try {
    codec.check(settings);
  } catch (const std::invalid_argument&) {
    return 0;
  }
  check_file(codec, input, settings);
  return 0;
}
