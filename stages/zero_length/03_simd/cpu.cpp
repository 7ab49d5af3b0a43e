#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "common/format/zero_length/zero_length.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/registry.hpp"
#include "reference_cpu/parallel.hpp"
#include "stages/zero_length/03_simd/elements.hpp"
#include "stages/zero_length/03_simd/instruction_sets.hpp"
#include "stages/zero_length/encode/encode_plans.hpp"

// Blocks at the same time, as stage 02, and in each the bytes of a register at the same time (thesis, section
// 4.4). Which instructions the processor has is asked when the program starts.
namespace gsst::zero_length::GSST_SIMD_BUILD {
namespace {

using format::zero_length::Status;

stage::Parameter vector_bytes_parameter() {
  stage::Parameter parameter = {
      .name = "vector_bytes",
      .description =
          "Bytes at a time: 8 plain C++, 16 SSE2, 32 AVX2, 64 AVX-512; 0: the most that the processor has",
      .values = {0},
      .default_value = 0,
      .compile_time = false};
  for (const InstructionSet& set : instruction_sets()) parameter.values.push_back(set.vector_bytes);
  return parameter;
}

stage::Description describe(stage::Operation operation) {
  return {.id = GSST_SIMD_ID,
          .base = "zero_length/02_openmp",
          .title = "Vector instructions: masks of 64 bytes",
          .section = "zero-length thesis 4.4, 5.2",
          .format = format::zero_length::frame_format,
          .operation = operation,
          .minimum_compute_capability = 0,
          .parameters = {{.name = "threads",
                          .description = "Blocks at the same time; 0: one for each processor",
                          .values = {0, 1, 2, 4, 8, 16, 32, 64, 128},
                          .default_value = 0,
                          .compile_time = false},
                         vector_bytes_parameter()}};
}

const stage::Description decoder = describe(stage::Operation::decode);
const stage::Description encoder = describe(stage::Operation::encode);

unsigned threads_of(const stage::Description& description, const stage::ParameterValues& parameters) {
  return static_cast<unsigned>(parameter_value(description, parameters, "threads"));
}

// The set that the parameters name. The parameter's values are those of this processor.
const InstructionSet& instructions_of(const stage::Description& description,
                                      const stage::ParameterValues& parameters) {
  const std::int64_t bytes = parameter_value(description, parameters, "vector_bytes");
  const auto found = std::ranges::find(instruction_sets(), bytes, &InstructionSet::vector_bytes);
  return found == instruction_sets().end() ? instruction_sets().back() : *found;
}

Status decode_block(const stage::BlockOnDevice& block, DecodeBytes* decode_elements) {
  if (block.layout != format::BlockLayout::raw) {
    return decode_elements(block.payload, block.payload_bytes, block.output, block.uncompressed_bytes);
  }
  std::memcpy(block.output, block.payload, block.uncompressed_bytes);
  return Status::decoded;
}

void decode(const stage::DecodeRequest& request) {
  const unsigned threads = reference::thread_count(threads_of(decoder, request.parameters));
  const InstructionSet& instructions = instructions_of(decoder, request.parameters);
  reference::parallel_for(request.frame.block_count, threads, [&](std::size_t index) {
    const auto block = static_cast<std::uint32_t>(index);
    request.status[block] = static_cast<std::uint32_t>(
        decode_block(request.frame.block(block, request.output), instructions.decode));
  });
}

BlockEncoder choose_encoder(const stage::ParameterValues& parameters,
                            const format::CodecOptions& /*options*/) {
  return {.encode = instructions_of(encoder, parameters).encode, .threads = threads_of(encoder, parameters)};
}

const HostEncodePlans encode_plans(encoder, choose_encoder);
const stage::Registration decoding(stage::Executor::cpu, decoder, stage::decode_plans(decoder, decode));
const stage::Registration encoding(stage::Executor::cpu, encoder, &encode_plans);

}  // namespace
}  // namespace gsst::zero_length::GSST_SIMD_BUILD
