#include <cstddef>
#include <cstdint>
#include <cstring>

#include "common/format/zero_length/zero_length.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/registry.hpp"
#include "reference_cpu/parallel.hpp"
#include "stages/zero_length/encode/encode_plans.hpp"

// Blocks are independent, so that each processor takes the next one that nobody has taken (sections 3.4 and
// 4.3). What it does with a block is stage 01's.
namespace gsst::zero_length::openmp {
namespace {

using format::zero_length::literal_marker;
using format::zero_length::longest_run;
using format::zero_length::marker;
using format::zero_length::shortest_run;
using format::zero_length::Status;

// Figure 13, with runs that end where one byte can say their length (FORMAT.md, section 11.1).
std::size_t encode_elements(std::span<const std::uint8_t> block, std::span<std::uint8_t> elements) {
  const std::uint8_t* input = block.data();
  const std::uint8_t* const end = input + block.size();
  std::uint8_t* output = elements.data();
  while (input != end) {
    const std::uint8_t byte = *input;
    if (byte == marker) {
      *output++ = marker;
      *output++ = literal_marker;
      ++input;
    } else if (byte == 0) {
      std::size_t run = 0;
      do {
        ++input;
        ++run;
      } while (input != end && *input == 0 && run < longest_run);
      if (run >= shortest_run) {
        *output++ = marker;
        *output++ = static_cast<std::uint8_t>(run);
      } else {
        for (; run != 0; --run) *output++ = 0;
      }
    } else {
      *output++ = byte;
      ++input;
    }
  }
  return static_cast<std::size_t>(output - elements.data());
}

// Figure 14, which trusts its input; here nothing is written past the block's output.
Status decode_elements(const stage::BlockOnDevice& block) {
  const std::uint8_t* input = block.payload;
  const std::uint8_t* const end = input + block.payload_bytes;
  std::uint8_t* output = block.output;
  std::uint32_t left = block.uncompressed_bytes;
  while (input != end) {
    std::uint8_t byte = *input++;
    std::uint32_t count = 1;
    if (byte == marker) {
      if (input == end) return Status::marker_at_end;
      const std::uint8_t length = *input++;
      if (length > longest_run) return Status::unused_length;
      if (length != literal_marker) {
        byte = 0;
        count = length;
      }
    }
    if (count > left) return Status::output_too_long;
    left -= count;
    for (; count != 0; --count) *output++ = byte;
  }
  return left == 0 ? Status::decoded : Status::output_too_short;
}

Status decode_block(const stage::BlockOnDevice& block) {
  if (block.layout != format::BlockLayout::raw) return decode_elements(block);
  std::memcpy(block.output, block.payload, block.uncompressed_bytes);
  return Status::decoded;
}

stage::Description describe(stage::Operation operation) {
  return {.id = "zero_length/02_openmp",
          .base = "zero_length/01_naive",
          .title = "A block for each processor",
          .section = "zero-length thesis 3.4, 4.3",
          .format = format::zero_length::frame_format,
          .operation = operation,
          .minimum_compute_capability = 0,
          .parameters = {{.name = "threads",
                          .description = "Blocks at the same time; 0: one for each processor",
                          .values = {0, 1, 2, 4, 8, 16, 32, 64, 128},
                          .default_value = 0,
                          .compile_time = false}}};
}

const stage::Description decoder = describe(stage::Operation::decode);
const stage::Description encoder = describe(stage::Operation::encode);

unsigned threads_of(const stage::Description& description, const stage::ParameterValues& parameters) {
  return static_cast<unsigned>(parameter_value(description, parameters, "threads"));
}

void decode(const stage::DecodeRequest& request) {
  const unsigned threads = reference::thread_count(threads_of(decoder, request.parameters));
  reference::parallel_for(request.frame.block_count, threads, [&](std::size_t index) {
    const auto block = static_cast<std::uint32_t>(index);
    request.status[block] =
        static_cast<std::uint32_t>(decode_block(request.frame.block(block, request.output)));
  });
}

BlockEncoder choose_encoder(const stage::ParameterValues& parameters,
                            const format::CodecOptions& /*options*/) {
  return {.encode = encode_elements, .threads = threads_of(encoder, parameters)};
}

const HostEncodePlans encode_plans(encoder, choose_encoder);
const stage::Registration decoding(stage::Executor::cpu, decoder, stage::decode_plans(decoder, decode));
const stage::Registration encoding(stage::Executor::cpu, encoder, &encode_plans);

}  // namespace
}  // namespace gsst::zero_length::openmp
