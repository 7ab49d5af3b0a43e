#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/format/tile_integer/for_rules.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/decode_plan.hpp"
#include "reference_cpu/parallel.hpp"
#include "stages/tile_integer/shared/cpu_instructions.hpp"
#include "stages/tile_integer/shared/cpu_payload.hpp"

/// What the decoders of this series that run on the host's processors have in common: their parameters, and
/// the blocks of a frame, which threads decode at the same time.
namespace gsst::tile_integer::cpu {

/// A way to decode blocks of a format.
struct InstructionSet {
  /// Bytes of a register: what the parameter calls the set.
  std::int64_t vector_bytes;
  DecodeBlock* decode;
};

/// How many blocks are coded at the same time.
inline stage::Parameter threads_parameter() {
  return {.name = "threads",
          .description = "Blocks at the same time; 0: one for each processor",
          .values = {0, 1, 2, 4, 8, 16, 32, 64, 128},
          .default_value = 0,
          .compile_time = false};
}

/// A decoder of a format. `sets` are those of this processor, at least one.
class Decoder {
public:
  Decoder(format::tile_integer::Packing packing, std::vector<InstructionSet> sets)
      : unit_values_(format::tile_integer::values_of_unit(packing)), sets_(std::move(sets)) {}

  /// Its parameters: threads, and vector_bytes with the sets of this processor.
  std::vector<stage::Parameter> parameters() const {
    stage::Parameter vector_bytes = {
        .name = "vector_bytes",
        .description =
            "Bytes of numbers at a time: 8 plain C++, 64 AVX-512; 0: the most that the processor has",
        .values = {0},
        .default_value = 0,
        .compile_time = false};
    for (const InstructionSet& set : sets_) vector_bytes.values.push_back(set.vector_bytes);
    return {threads_parameter(), vector_bytes};
  }

  /// Decodes a checked frame as the stage with these parameters.
  void decode(const stage::Description& description, const stage::DecodeRequest& request) const {
    const auto value = [&](const char* name) {
      return stage::parameter_value(description, request.parameters, name);
    };
    const auto found = std::ranges::find(sets_, value("vector_bytes"), &InstructionSet::vector_bytes);
    DecodeBlock* const decode_packed = found == sets_.end() ? sets_.back().decode : found->decode;
    const unsigned threads = reference::thread_count(static_cast<unsigned>(value("threads")));
    reference::parallel_for(request.frame.block_count, threads, [&](std::size_t index) {
      const auto number = static_cast<std::uint32_t>(index);
      decode_one(request.frame.block(number, request.output), decode_packed);
      request.status[number] = static_cast<std::uint32_t>(stage::BlockStatus::decoded);
    });
  }

private:
  // The rules have checked everything, so that no block has a problem.
  void decode_one(const stage::BlockOnDevice& block, DecodeBlock* decode_packed) const {
    if (block.layout == format::BlockLayout::raw) {
      std::memcpy(block.output, block.payload, block.uncompressed_bytes);
      return;
    }
    const auto type =
        static_cast<format::tile_integer::Type>(block.payload[format::tile_integer::type_offset]);
    const format::tile_integer::BlockShape shape =
        format::tile_integer::block_shape(type, block.uncompressed_bytes, unit_values_);
    decode_packed({.payload = block.payload,
                   .payload_bytes = block.payload_bytes,
                   .output = block.output,
                   .values = shape.values,
                   .rest_bytes = shape.rest_bytes,
                   .value_bytes = format::tile_integer::shape_of(type).value_bytes});
  }

  std::uint32_t unit_values_;
  std::vector<InstructionSet> sets_;
};

}  // namespace gsst::tile_integer::cpu
