#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <vector>

#include "common/format/error.hpp"
#include "common/frame/frame.hpp"
#include "fuzz/block_oracle.hpp"
#include "fuzz/frame_mutator.hpp"
#include "fuzz/payload_mutator.hpp"
#include "reference_cpu/codec.hpp"

// Arbitrary bytes into the decoders of their format: they may only accept or throw a FormatError, and must
// agree. A frame goes through its codec, block by block through the format's rules, and through what else its
// series has; a file of a format without frames through the codec and the latter. The first byte tells a
// frame (the first byte of its magic) from such a file, so that golden files are seeds as they are.

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using gsst::format::FormatError;
using gsst::fuzz::mutator_of;
using gsst::reference::Codec;
using Bytes = std::vector<std::uint8_t>;
using Output = std::optional<Bytes>;

bool is_frame(std::span<const std::uint8_t> input) {
  return !input.empty() && input[0] == gsst::format::frame_magic[0];
}

// Codecs without frames that may take `file`: those whose files begin like it, and those whose files begin
// with anything.
std::vector<const Codec*> codecs_of_file(std::span<const std::uint8_t> file) {
  std::vector<const Codec*> codecs = gsst::reference::registered_codecs();
  std::erase_if(codecs, [&](const Codec* codec) {
    const std::span<const std::uint8_t> magic = codec->traits().magic;
    return codec->is_framed() || file.size() < magic.size() ||
           !std::ranges::equal(magic, file.first(magic.size()));
  });
  return codecs;
}

// The codec of the format that the header names; of any format if it is none.
const Codec& codec_of_frame(std::span<const std::uint8_t> frame) {
  try {
    return gsst::reference::codec_of(gsst::format::parse_frame_header(frame).format);
  } catch (const FormatError&) {
    return gsst::reference::default_codec();
  }
}

template <typename Decode>
Output output_or_rejection(const Decode& decode) {
  try {
    return decode();
  } catch (const FormatError&) {
    return std::nullopt;
  }
}

void require_alike(const Output& output, const Output& other, const char* name) {
  if (output == other) return;
  std::fprintf(stderr, "the codec: %s, %s: %s\n", output ? "accepted" : "rejected", name,
               other ? "accepted" : "rejected");
  std::abort();
}

void check_decoders_agree(const Codec& codec, std::span<const std::uint8_t> file) {
  const Output output = output_or_rejection([&] { return gsst::reference::decode_file(codec, file, 1); });
  if (codec.is_framed()) {
    require_alike(output, output_or_rejection([&] { return gsst::fuzz::decode_by_blocks(file); }),
                  "block by block");
  }
  bool has_another = true;
  const Output otherwise = output_or_rejection([&] {
    Output decoded = mutator_of(codec.traits().format).decode_otherwise(file);
    has_another = decoded.has_value();
    return decoded;
  });
  if (has_another) require_alike(output, otherwise, "another way");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span input(data, size);
  if (is_frame(input)) {
    check_decoders_agree(codec_of_frame(input), input);
    const Bytes repaired = gsst::fuzz::with_repaired_outputs(input);
    check_decoders_agree(codec_of_frame(repaired), repaired);
  } else {
    for (const Codec* const codec : codecs_of_file(input)) check_decoders_agree(*codec, input);
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  if (is_frame({data, size})) {
    const Bytes mutated = gsst::fuzz::mutate_frame({data, size}, seed, LLVMFuzzerMutate);
    const std::size_t kept = std::min(mutated.size(), max_size);
    std::copy_n(mutated.begin(), kept, data);
    return kept;
  }
  const std::size_t mutated_size = LLVMFuzzerMutate(data, size, max_size);
  const std::span mutated(data, mutated_size);
  const std::vector<const Codec*> codecs = codecs_of_file(mutated);
  if (!is_frame(mutated) && !codecs.empty() && seed % 2 == 0) {
    const Codec& codec = *codecs[seed / 2 % codecs.size()];
    mutator_of(codec.traits().format).repair_file(mutated);
  }
  return mutated_size;
}
