#include "stages/codag/chunks/chunk_plan.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "common/format/codag/deflate_rules.hpp"

namespace gsst::codag::chunks {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 56;

bool is_of_integers(ChunkCodec codec) {
  return codec == ChunkCodec::rle_v1 || codec == ChunkCodec::rle_v2;
}

const ChunkCoding& checked(const ChunkCoding& coding) {
  const auto number = static_cast<std::uint32_t>(coding.codec);
  if (coding.codec < ChunkCodec::byte_rle || coding.codec > ChunkCodec::deflate) {
    throw std::invalid_argument("codec: " + std::to_string(number) + " is none");
  }
  constexpr std::uint32_t sizes[] = {1, 2, 4, 8};
  const bool has_size = is_of_integers(coding.codec)
                            ? std::ranges::find(sizes, coding.value_bytes) != std::ranges::end(sizes)
                            : coding.value_bytes == 1 && !coding.is_signed;
  if (!has_size) {
    throw std::invalid_argument("type: codec " + std::to_string(number) + " has no such values");
  }
  if (coding.may_have_less && coding.codec != ChunkCodec::deflate) {
    throw std::invalid_argument("may_have_less: only chunks of deflate may have less output");
  }
  return coding;
}

void check_bound(const char* name, std::uint64_t value, std::uint64_t most) {
  if (value <= most) return;
  throw std::invalid_argument("bounds: " + std::string(name) + " is " + std::to_string(value) +
                              ", expected 0 to " + std::to_string(most));
}

const ChunkBounds& checked(const ChunkBounds& bounds) {
  check_bound("chunk_count", bounds.chunk_count, max_chunk_count);
  check_bound("input_bytes", bounds.input_bytes, most_bytes);
  check_bound("output_bytes", bounds.output_bytes, most_bytes);
  return bounds;
}

std::string name_of(std::size_t chunk) {
  return "chunk " + std::to_string(chunk);
}

void check_outputs(std::span<const ChunkPlace> chunks) {
  std::vector<std::uint32_t> order(chunks.size());
  std::iota(order.begin(), order.end(), 0U);
  std::erase_if(order, [&](std::uint32_t chunk) { return chunks[chunk].output_bytes == 0; });
  std::ranges::sort(order, {}, [&](std::uint32_t chunk) { return chunks[chunk].output_offset; });
  for (std::size_t i = 1; i < order.size(); ++i) {
    const ChunkPlace& before = chunks[order[i - 1]];
    if (before.output_offset + before.output_bytes <= chunks[order[i]].output_offset) continue;
    throw std::invalid_argument(name_of(order[i - 1]) + " and " + name_of(order[i]) +
                                " share bytes of the output");
  }
}

ChunkBounds bounds_of(const ChunkCoding& coding, std::span<const ChunkPlace> chunks) {
  ChunkBounds bounds = {.chunk_count = chunks.size(), .input_bytes = 0, .output_bytes = 0};
  check_bound("chunk_count", bounds.chunk_count, max_chunk_count);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const ChunkPlace& place = chunks[i];
    const ChunkRefusal refusal = refusal_of(place, most_bytes, most_bytes, coding.value_bytes);
    if (refusal != ChunkRefusal::none) {
      throw std::invalid_argument(name_of(i) + ": " +
                                  describe_chunk_word(static_cast<std::uint32_t>(refusal)));
    }
    bounds.input_bytes = std::max(bounds.input_bytes, place.input_offset + place.input_bytes);
    bounds.output_bytes = std::max(bounds.output_bytes, place.output_offset + place.output_bytes);
  }
  check_outputs(chunks);
  return bounds;
}

}  // namespace

ChunkPlan::ChunkPlan(stage::Executor executor, const ChunkCoding& coding, const ChunkBounds& bounds)
    : coding_(checked(coding)), bounds_(checked(bounds)), kernels_(ChunkKernelsOn::get(executor)) {}

ChunkPlan::ChunkPlan(stage::Executor executor, const ChunkCoding& coding, std::span<const ChunkPlace> chunks)
    : ChunkPlan(executor, coding, bounds_of(checked(coding), chunks)) {}

void ChunkPlan::enqueue(const ChunkMemory& memory, stage::Stream stream) const {
  // A grid of no blocks is an error in CUDA.
  if (bounds_.chunk_count == 0) return;
  kernels_.enqueue(coding_.codec,
                   {.input = memory.input,
                    .input_bytes = bounds_.input_bytes,
                    .chunks = memory.chunks,
                    .chunk_count = static_cast<std::uint32_t>(bounds_.chunk_count),
                    .output = memory.output,
                    .output_bytes = bounds_.output_bytes,
                    .value_bytes = coding_.value_bytes,
                    .is_signed = coding_.is_signed,
                    .may_have_less = coding_.may_have_less,
                    .written = memory.written,
                    .status = memory.status},
                   stream);
}

std::string describe_chunk_word(std::uint32_t word) {
  using namespace format::codag;
  const std::uint32_t number = word & 0xff;
  switch (static_cast<ChunkRefusal>(number)) {
    case ChunkRefusal::wrong_size:
      return "its sizes are above 2^30 bytes, or no whole number of values";
    case ChunkRefusal::outside_input:
      return "it reaches out of the input";
    case ChunkRefusal::outside_output:
      return "it reaches out of the output";
    case ChunkRefusal::none:
      break;
  }
  const bool is_of_deflate = number >= first_deflate_status;
  const format::StatusText text =
      is_of_deflate
          ? describe_deflate(static_cast<DeflateStatus>(number - first_deflate_status), byte_of(word))
          : describe_problem(problem_of(word), byte_of(word));
  return text.field + " " + text.problem;
}

}  // namespace gsst::codag::chunks
