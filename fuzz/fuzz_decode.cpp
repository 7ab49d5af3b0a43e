#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/gsst/string_column.hpp"
#include "common/frame/frame.hpp"
#include "fuzz/column_checks.hpp"
#include "fuzz/frame_mutator.hpp"
#include "fuzz/stream_decoding.hpp"
#include "reference_cpu/memory_codec.hpp"

// Arbitrary bytes into both decoders: they may only accept or throw a FormatError, and must agree.
// The first byte tells a frame (the first byte of its magic) from an fsst file, and the whole magic a column
// of strings, so that golden files are seeds as they are.

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using gsst::format::FormatError;
using Bytes = std::vector<std::uint8_t>;

bool is_frame(std::span<const std::uint8_t> input) {
  return !input.empty() && input[0] == gsst::format::frame_magic[0];
}

template <typename Decode>
std::optional<Bytes> output_or_rejection(const Decode& decode) {
  try {
    return decode();
  } catch (const FormatError&) {
    return std::nullopt;
  }
}

void check_decoders_agree(std::span<const std::uint8_t> input) {
  const bool frame = is_frame(input);
  const auto from_memory = output_or_rejection([&] {
    return frame ? gsst::reference::decompress_frame(input, 1)
                 : gsst::reference::decompress_fsst_file(input, 1);
  });
  const auto from_stream = output_or_rejection([&] { return gsst::fuzz::decode_as_stream(input, !frame); });
  if (from_memory != from_stream) {
    std::fprintf(stderr, "memory: %s, stream: %s\n", from_memory ? "accepted" : "rejected",
                 from_stream ? "accepted" : "rejected");
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span input(data, size);
  if (gsst::format::starts_with_column_magic(input)) {
    gsst::fuzz::check_column(input);
    gsst::fuzz::check_column(gsst::fuzz::with_repaired_trailer(input));
    return 0;
  }
  check_decoders_agree(input);
  if (is_frame(input)) check_decoders_agree(gsst::fuzz::with_repaired_outputs(input));
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  if (gsst::format::starts_with_column_magic({data, size})) return LLVMFuzzerMutate(data, size, max_size);
  if (is_frame({data, size})) {
    const Bytes mutated = gsst::fuzz::mutate_frame({data, size}, seed, LLVMFuzzerMutate);
    const std::size_t kept = std::min(mutated.size(), max_size);
    std::copy_n(mutated.begin(), kept, data);
    return kept;
  }
  const std::size_t mutated_size = LLVMFuzzerMutate(data, size, max_size);
  if (!is_frame({data, mutated_size}) && seed % 2 == 0) {
    gsst::fuzz::repair_last_fsst_block_size({data, mutated_size});
  }
  return mutated_size;
}
