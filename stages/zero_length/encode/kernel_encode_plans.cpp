#include "stages/zero_length/encode/kernel_encode_plans.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "common/format/formats.hpp"
#include "common/format/part_size.hpp"
#include "common/format/zero_length/zero_length.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"

namespace gsst::zero_length {
namespace {

constexpr std::array<format::BlockFormat, 2> formats_of_kernels = {format::zero_length::frame_format,
                                                                   format::zero_length::bare_format};

class KernelEncodePlan final : public stage::Plan {
public:
  KernelEncodePlan(const stage::InputToEncode& shape, const Encoder& encoder)
      : shape_(shape), steps_(encoder.phases(shape)) {
    using stage::Role;
    parts_ = {{{.name = "input", .role = Role::input, .bytes = shape.input_bytes, .alignment = 1},
               {.name = "output", .role = Role::output, .bytes = largest_file_bytes(shape), .alignment = 1},
               {.name = "state",
                .role = Role::state,
                .bytes = encoder.scratch_bytes(shape),
                .alignment = scratch_memory_alignment},
               {.name = "status",
                .role = Role::status,
                .bytes = blocks_of(shape) * sizeof(std::uint32_t),
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
  stage::InputToEncode shape_;
  std::span<const EncodePhase> steps_;
  std::array<stage::Part, 5> parts_{};
  std::vector<stage::Phase> phases_;
};

}  // namespace

std::uint64_t blocks_of(const stage::InputToEncode& shape) {
  return format::part_size(shape.input_bytes, shape.block_bytes);
}

std::uint64_t largest_file_bytes(const stage::InputToEncode& shape) {
  using namespace format::zero_length;
  const std::uint64_t blocks = blocks_of(shape);
  if (shape.format == bare_format) {
    return blocks * bare_header_bytes + max_elements_bytes(shape.input_bytes) + bare_size_bytes;
  }
  return format::frame_header_bytes + shape.input_bytes +
         blocks * (format::record_header_bytes + format::index_entry_bytes) + format::record_header_bytes +
         format::index_totals_bytes + format::frame_trailer_bytes;
}

KernelEncodePlans::KernelEncodePlans(stage::Executor executor, const stage::Description& description,
                                     const Encoder& encoder)
    : executor_(executor), description_(description), encoder_(encoder) {}

std::span<const format::BlockFormat> KernelEncodePlans::formats() const {
  return formats_of_kernels;
}

void KernelEncodePlans::check(const stage::FileToEncode& file) const {
  if (file.format == format::zero_length::frame_format &&
      file.settings.checksum_kind == format::ChecksumKind::xxh64) {
    throw std::invalid_argument("--checksum xxh64: stage " + description_.id +
                                " writes xxh64-tree; for xxh64 compress " + std::string(file.way_to_codec));
  }
}

std::vector<std::pair<std::string, std::uint64_t>> KernelEncodePlans::describe(
    const stage::InputToEncode& input) const {
  const auto refuse = [&](const std::string& problem) {
    throw std::invalid_argument("stage " + description_.id + ": " + problem);
  };
  if (std::ranges::find(formats_of_kernels, input.format) == formats_of_kernels.end()) {
    refuse("does not write format " + std::string(format::block_format_name(input.format)));
  }
  if (input.block_bytes < 1 || input.block_bytes > format::max_block_bytes) {
    refuse("a block has 1 to " + std::to_string(format::max_block_bytes) + " bytes, not " +
           std::to_string(input.block_bytes));
  }
  if (input.format == format::zero_length::frame_format && blocks_of(input) > format::max_block_count) {
    refuse("a frame has at most " + std::to_string(format::max_block_count) + " blocks");
  }
  if (!input.options.empty()) refuse("has no option " + input.options.begin()->first);
  stage::check_parameters(description_, input.parameters);
  static_cast<void>(encoder_.scratch_bytes(input));
  return {};
}

std::unique_ptr<stage::Plan> KernelEncodePlans::plan_of(const stage::InputToEncode& input) const {
  static_cast<void>(describe(input));
  return std::make_unique<KernelEncodePlan>(input, encoder_);
}

}  // namespace gsst::zero_length
