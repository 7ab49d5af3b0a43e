#include "library/gpu_compress_plan.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/formats.hpp"
#include "common/format/gsst/block.hpp"
#include "common/stage/default_stages.hpp"
#include "library/compress_plan.hpp"
#include "library/failure.hpp"

namespace gsst::library {
namespace {

format::BlockFormat format_of(const GpuCompressOptions& options) {
  return options.tile_code_bits ? format::BlockFormat::tiles : format::BlockFormat::splits;
}

stage::EncodeSettings encode_settings(std::uint64_t input_bytes, const GpuCompressOptions& options) {
  if (input_bytes > max_input_bytes) {
    throw std::invalid_argument("the input has " + std::to_string(input_bytes) + " bytes, expected at most " +
                                std::to_string(max_input_bytes));
  }
  stage::EncodeSettings settings{.input_bytes = input_bytes,
                                 .block_bytes = options.block_bytes,
                                 .split_count = options.split_count,
                                 .blocks_per_table = options.blocks_per_table};
  if (options.tile_code_bits) {
    settings.split_count = 1;
    settings.tiles = {.code_bits = *options.tile_code_bits, .codes_per_lane = format::max_codes_per_lane};
  }
  if (settings.split_count == 0) {
    constexpr std::uint64_t split_bytes = 256;
    const std::uint64_t longest_block = std::min(options.block_bytes, input_bytes);
    const std::uint64_t splits = format::part_size(longest_block, split_bytes);
    settings.split_count =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(splits, 1, format::max_split_count));
  }
  // One for all blocks: each table of an encoding takes scratch memory.
  if (options.tables == GpuTables::loaded) settings.blocks_per_table = format::max_block_count;
  return settings;
}

std::string codes_of(std::uint32_t code_bits) {
  return "format tiles with codes of " + std::to_string(code_bits) + " bits";
}

std::string purpose_of(const GpuTable& table) {
  const auto* const tile_table = std::get_if<format::TileTable>(&table);
  return tile_table == nullptr ? "format splits" : codes_of(tile_table->code_bits);
}

}  // namespace

const stage::RegisteredStage& encoder_of(format::BlockFormat format, stage::Executor executor) {
  const stage::RegisteredStage* const stage =
      stage::default_stage(format, stage::Operation::encode, executor);
  if (stage == nullptr) {
    throw std::logic_error("no encoder for format " + std::string(format::block_format_name(format)) +
                           " is linked");
  }
  return *stage;
}

GpuCompressPlan::GpuCompressPlan(stage::Executor executor, std::uint64_t input_bytes,
                                 const GpuCompressOptions& options)
    : plans_(gsst_encode_plans(encoder_of(format_of(options), executor), executor)),
      tables_(options.tables),
      settings_(encode_settings(input_bytes, options)) {
  const bool is_loaded = tables_ == GpuTables::loaded;
  encoding_ =
      plans_.make({.settings = settings_,
                   .tables = is_loaded ? stage::EncodeTables(stage::ReadyTables()) : stage::TrainedTables()});
  if (settings_.tiles && tables_ == GpuTables::trained) check_trains_on_executor(*encoding_);
  encoder_scratch_bytes_ =
      format::part_size(bytes_of(*encoding_, stage::Role::state), stage::encode_alignment) *
      stage::encode_alignment;
  scratch_bytes_ = encoder_scratch_bytes_ + bytes_of(*encoding_, stage::Role::status);
}

void GpuCompressPlan::check_takes_table() const {
  if (tables_ != GpuTables::loaded) throw std::invalid_argument("the plan trains its tables");
}

void GpuCompressPlan::check_trains_on_executor(const stage::Plan& training) const {
  if (trains_on_executor(training)) return;
  if (settings_.tiles && settings_.tiles->code_bits != format::tile_code_bits.front()) {
    throw std::invalid_argument("tables of " + codes_of(settings_.tiles->code_bits) +
                                " are trained on the CPU: load one");
  }
  throw ApiError(GSST_ERROR_WRONG_DEVICE,
                 "the current device has too little shared memory to train tables: load one");
}

void GpuCompressPlan::load_table(const GpuTable& table, std::uint8_t* scratch, stage::Stream stream) {
  check_takes_table();
  const std::string wanted = settings_.tiles ? codes_of(settings_.tiles->code_bits) : "format splits";
  if (purpose_of(table) != wanted) {
    throw std::invalid_argument("table is for " + purpose_of(table) + ", the plan is for " + wanted);
  }
  loaded_scratch_ = nullptr;
  stage::EncodeSubject loading = {.settings = settings_};
  if (settings_.tiles) {
    loading.tables = std::get<format::TileTable>(table);
  } else {
    loading.tables = std::vector{std::get<format::SymbolTable>(table)};
  }
  plans_.make(loading)->prepare(
      given({.input = nullptr, .output = nullptr, .scratch = scratch, .frame_bytes = nullptr}), stream);
  loaded_scratch_ = scratch;
}

void GpuCompressPlan::train_table(const std::uint8_t* input, std::uint8_t* scratch, stage::Stream stream) {
  check_takes_table();
  const std::unique_ptr<stage::Plan> training = plans_.make({.settings = settings_});
  check_trains_on_executor(*training);
  loaded_scratch_ = nullptr;
  // The first phase trains.
  training->enqueue(given({.input = input, .output = nullptr, .scratch = scratch, .frame_bytes = nullptr}),
                    stream, 0);
  loaded_scratch_ = scratch;
}

void GpuCompressPlan::enqueue(const GpuCompressMemory& memory, stage::Stream stream) const {
  if (tables_ == GpuTables::loaded && memory.scratch != loaded_scratch_) {
    throw std::invalid_argument("no table was loaded into this scratch memory");
  }
  const std::array<stage::Given, 5> all = given(memory);
  encoding_->prepare(all, stream);
  enqueue_all(*encoding_, all, stream);
}

std::array<stage::Given, 5> GpuCompressPlan::given(const GpuCompressMemory& memory) const {
  return {
      stage::to_read(memory.input, settings_.input_bytes),
      {.data = memory.output, .bytes = output_bytes()},
      {.data = memory.scratch, .bytes = encoder_scratch_bytes_},
      {.data = memory.scratch + encoder_scratch_bytes_, .bytes = bytes_of(*encoding_, stage::Role::status)},
      {.data = memory.frame_bytes, .bytes = sizeof(std::uint64_t)}};
}

int compression_compute_capability(const GpuCompressOptions& options) {
  return encoder_of(format_of(options), stage::Executor::gpu).description.minimum_compute_capability;
}

}  // namespace gsst::library
