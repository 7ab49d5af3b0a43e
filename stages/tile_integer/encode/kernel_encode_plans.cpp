#include "stages/tile_integer/encode/kernel_encode_plans.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "common/format/formats.hpp"
#include "common/format/part_size.hpp"
#include "common/format/payload_rules.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "reference_cpu/tile_integer/type_option.hpp"

namespace gsst::tile_integer {
namespace {

struct PackedFormat {
  format::BlockFormat format;
  format::tile_integer::Packing packing;
};

constexpr std::array<PackedFormat, 3> packings = {
    {{.format = format::tile_integer::for_format, .packing = format::tile_integer::Packing::values},
     {.format = format::tile_integer::dfor_format, .packing = format::tile_integer::Packing::chains},
     {.format = format::tile_integer::rfor_format, .packing = format::tile_integer::Packing::runs}}};

constexpr std::array<format::BlockFormat, 3> packed_formats = {packings[0].format, packings[1].format,
                                                               packings[2].format};

class KernelEncodePlan final : public stage::Plan {
public:
  KernelEncodePlan(const InputShape& shape, const Encoder& encoder)
      : shape_(shape), steps_(encoder.phases(shape)) {
    using stage::Role;
    parts_ = {{{.name = "input", .role = Role::input, .bytes = shape.input_bytes, .alignment = 1},
               {.name = "output", .role = Role::output, .bytes = largest_frame_bytes(shape), .alignment = 1},
               {.name = "state",
                .role = Role::state,
                .bytes = encoder.scratch_bytes(shape),
                .alignment = scratch_memory_alignment},
               {.name = "status",
                .role = Role::status,
                .bytes = shape.blocks() * sizeof(std::uint32_t),
                .alignment = alignof(std::uint32_t)},
               {.name = "file_bytes",
                .role = Role::result,
                .bytes = sizeof(std::uint64_t),
                .alignment = alignof(std::uint64_t)}}};
    for (const EncodePhase& step : steps_) phases_.push_back({.name = step.name});
  }

  std::span<const stage::Part> parts() const override { return parts_; }
  std::span<const stage::Phase> phases() const override { return phases_; }

  void enqueue(std::span<const stage::Given> given, stage::Stream stream, std::size_t phase) const override {
    steps_[phase].enqueue({.shape = shape_,
                           .input = static_cast<const std::uint8_t*>(given[0].data),
                           .output = static_cast<std::uint8_t*>(given[1].data),
                           .scratch = static_cast<std::uint8_t*>(given[2].data),
                           .status = static_cast<std::uint32_t*>(given[3].data),
                           .file_bytes = static_cast<std::uint64_t*>(given[4].data),
                           .stream = stream});
  }

  stage::Outcome check(std::span<const std::byte> /*status*/, std::span<const std::byte> result,
                       std::uint64_t /*first*/) const override {
    stage::Outcome outcome;
    std::memcpy(&outcome.count, result.data(), sizeof outcome.count);
    outcome.is_complete = outcome.count <= bytes_of(*this, stage::Role::output);
    return outcome;
  }

private:
  InputShape shape_;
  std::span<const EncodePhase> steps_;
  std::array<stage::Part, 5> parts_{};
  std::vector<stage::Phase> phases_;
};

}  // namespace

std::uint64_t InputShape::blocks() const {
  return format::part_size(input_bytes, block_bytes);
}

std::uint64_t largest_frame_bytes(const InputShape& shape) {
  const std::uint64_t blocks = shape.blocks();
  std::uint64_t payload_bytes = 0;
  if (blocks > 0) {
    payload_bytes =
        (blocks - 1) * format::raw_payload_bytes(shape.format, shape.block_bytes) +
        format::raw_payload_bytes(shape.format, shape.input_bytes - (blocks - 1) * shape.block_bytes);
  }
  return format::frame_header_bytes + payload_bytes +
         blocks * (format::record_header_bytes + format::index_entry_bytes) + format::record_header_bytes +
         format::index_totals_bytes + format::frame_trailer_bytes;
}

KernelEncodePlans::KernelEncodePlans(stage::Executor executor, const stage::Description& description,
                                     const Encoder& encoder)
    : executor_(executor), description_(description), encoder_(encoder) {}

std::span<const format::BlockFormat> KernelEncodePlans::formats() const {
  return packed_formats;
}

void KernelEncodePlans::check(const stage::FileToEncode& file) const {
  if (file.settings.checksum_kind == format::ChecksumKind::xxh64) {
    throw std::invalid_argument("--checksum xxh64: stage " + description_.id +
                                " writes xxh64-tree; for xxh64 compress " + std::string(file.way_to_codec));
  }
}

InputShape KernelEncodePlans::shape_of(const stage::InputToEncode& input) const {
  const auto refuse = [&](const std::string& problem) {
    throw std::invalid_argument("stage " + description_.id + ": " + problem);
  };
  const auto* const packed = std::ranges::find(packings, input.format, &PackedFormat::format);
  if (packed == packings.end()) {
    refuse("does not write format " + std::string(format::block_format_name(input.format)));
  }
  if (input.block_bytes < 1 || input.block_bytes > format::max_block_bytes) {
    refuse("a block has 1 to " + std::to_string(format::max_block_bytes) + " bytes, not " +
           std::to_string(input.block_bytes));
  }
  for (const auto& [name, value] : input.options) {
    if (name != "type") refuse("has no option " + name);
    if (value >= format::tile_integer::type_count) refuse("there is no type " + std::to_string(value));
  }
  stage::check_parameters(description_, input.parameters);
  InputShape shape = {.format = input.format,
                      .packing = packed->packing,
                      .type = reference::tile_integer::type_of(input.options),
                      .input_bytes = input.input_bytes,
                      .block_bytes = input.block_bytes,
                      .parameters = input.parameters};
  if (shape.blocks() > format::max_block_count) {
    refuse("a frame has at most " + std::to_string(format::max_block_count) + " blocks");
  }
  static_cast<void>(encoder_.scratch_bytes(shape));
  return shape;
}

std::vector<std::pair<std::string, std::uint64_t>> KernelEncodePlans::describe(
    const stage::InputToEncode& input) const {
  static_cast<void>(shape_of(input));
  return {};
}

std::unique_ptr<stage::Plan> KernelEncodePlans::plan_of(const stage::InputToEncode& input) const {
  return std::make_unique<KernelEncodePlan>(shape_of(input), encoder_);
}

}  // namespace gsst::tile_integer
