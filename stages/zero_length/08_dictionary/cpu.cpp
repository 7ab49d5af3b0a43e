#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/zero_length/dictionary.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/registry.hpp"
#include "reference_cpu/parallel.hpp"
#include "stages/zero_length/08_dictionary/encode_block.hpp"
#include "stages/zero_length/08_dictionary/indexes.hpp"
#include "stages/zero_length/encode/encode_plans.hpp"

// A dictionary of each block's floats (FORMAT.md, section 11.5), blocks at the same time as in stage 02.
namespace gsst::zero_length::dictionary {
namespace {

using format::zero_length::dictionary_count_bytes;
using format::zero_length::dictionary_format;
using format::zero_length::dictionary_header_bytes;
using format::zero_length::dictionary_places;
using format::zero_length::DictionaryPlaces;
using format::zero_length::float_bytes;
using format::zero_length::Status;

struct LookUpInstructions {
  // Bytes of values that are looked up together: what the parameter calls the set.
  std::int64_t vector_bytes;
  LookUp* look_up;
};

std::vector<LookUpInstructions> find_look_ups() {
  std::vector<LookUpInstructions> found = {{4, look_up_words}};
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2")) return found;
  found.push_back({32, look_up_avx2});
  // What the compiler may use in that file.
  const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi2");
  if (has_avx512) found.push_back({64, look_up_avx512});
#endif
  return found;
}

// Those of this processor, by rising vector_bytes. Asked once.
std::span<const LookUpInstructions> look_ups() {
  static const std::vector<LookUpInstructions> found = find_look_ups();
  return found;
}

stage::Parameter threads_parameter() {
  return {.name = "threads",
          .description = "Blocks at the same time; 0: one for each processor",
          .values = {0, 1, 2, 4, 8, 16, 32, 64, 128},
          .default_value = 0,
          .compile_time = false};
}

stage::Parameter vector_bytes_parameter() {
  stage::Parameter parameter = {
      .name = "vector_bytes",
      .description =
          "Bytes of values at a time: 4 plain C++, 32 AVX2, 64 AVX-512; 0: the most that the processor has",
      .values = {0},
      .default_value = 0,
      .compile_time = false};
  for (const LookUpInstructions& set : look_ups()) parameter.values.push_back(set.vector_bytes);
  return parameter;
}

stage::Description describe_dictionary(stage::Operation operation) {
  stage::Description description = {.id = "zero_length/08_dictionary",
                                    .base = "zero_length/02_openmp",
                                    .title = "Past the thesis: a dictionary of each block's floats",
                                    .section = "past the zero-length thesis",
                                    .format = dictionary_format,
                                    .operation = operation,
                                    .minimum_compute_capability = 0,
                                    .parameters = {threads_parameter()}};
  if (operation == stage::Operation::decode) description.parameters.push_back(vector_bytes_parameter());
  return description;
}

const stage::Description dictionary_decoder = describe_dictionary(stage::Operation::decode);
const stage::Description dictionary_encoder = describe_dictionary(stage::Operation::encode);

// The parameter's values are those of this processor.
LookUp* look_up_of(const stage::ParameterValues& parameters) {
  const std::int64_t bytes = parameter_value(dictionary_decoder, parameters, "vector_bytes");
  const auto found = std::ranges::find(look_ups(), bytes, &LookUpInstructions::vector_bytes);
  return found == look_ups().end() ? look_ups().back().look_up : found->look_up;
}

// Header, values and sizes have been checked by the format's rules.
Status decode_dictionary_block(const stage::BlockOnDevice& block, LookUp* look_up) {
  if (block.layout == format::BlockLayout::raw) {
    std::memcpy(block.output, block.payload, block.uncompressed_bytes);
    return Status::decoded;
  }
  const auto count =
      static_cast<std::uint32_t>(format::load_little_endian<dictionary_count_bytes>(block.payload));
  const DictionaryPlaces places = dictionary_places(count, block.uncompressed_bytes);
  const std::size_t floats = block.uncompressed_bytes / float_bytes;
  const bool is_right = look_up({.values = block.payload + dictionary_header_bytes,
                                 .value_count = count,
                                 .index_bits = format::zero_length::index_bits(count),
                                 .indexes = block.payload + places.indexes,
                                 .floats = floats},
                                block.output);
  std::memcpy(block.output + floats * float_bytes, block.payload + places.rest,
              block.uncompressed_bytes % float_bytes);
  return is_right ? Status::decoded : format::zero_length::index_past_values;
}

void decode_dictionary_blocks(const stage::DecodeRequest& request) {
  const auto threads =
      static_cast<unsigned>(parameter_value(dictionary_decoder, request.parameters, "threads"));
  LookUp* const look_up = look_up_of(request.parameters);
  reference::parallel_for(request.frame.block_count, reference::thread_count(threads),
                          [&](std::size_t index) {
                            const auto block = static_cast<std::uint32_t>(index);
                            request.status[block] = static_cast<std::uint32_t>(
                                decode_dictionary_block(request.frame.block(block, request.output), look_up));
                          });
}

BlockEncoder choose_dictionary_encoder(const stage::ParameterValues& parameters,
                                       const format::CodecOptions& /*options*/) {
  const std::int64_t threads = parameter_value(dictionary_encoder, parameters, "threads");
  return {.encode = encode_block, .threads = static_cast<unsigned>(threads)};
}

const HostEncodePlans dictionary_encode_plans(dictionary_encoder, choose_dictionary_encoder);
const stage::Registration dictionary_decoding(stage::Executor::cpu, dictionary_decoder,
                                              stage::decode_plans(dictionary_decoder,
                                                                  decode_dictionary_blocks));
const stage::Registration dictionary_encoding(stage::Executor::cpu, dictionary_encoder,
                                              &dictionary_encode_plans);

}  // namespace
}  // namespace gsst::zero_length::dictionary
