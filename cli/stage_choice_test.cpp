#include "cli/stage_choice.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/command_error.hpp"
#include "common/format/formats.hpp"
#include "common/stage/default_stages.hpp"
#include "common/stage/encode_plans.hpp"
#include "library/gpu_compress_plan.hpp"
#include "library/gpu_decompress_plan.hpp"

namespace gsst::cli {
namespace {

using format::BlockFormat;
using stage::Executor;

constexpr std::array decoded_formats = {BlockFormat::blocks, BlockFormat::splits, BlockFormat::coalesced,
                                        BlockFormat::tiles};
constexpr std::array encoded_formats = {BlockFormat::splits, BlockFormat::tiles};
constexpr std::array devices = {Device::simt, Device::gpu};

// Copies of stages as students make them, with ids before and after all others. None may become a default.
const std::string first_id = "gsst/00_copy";
const std::string last_id = "gsst/99_copy";

std::unique_ptr<stage::Plan> never_plan_decoding(const stage::DecodeSubject& /*subject*/) {
  throw std::logic_error("a copied stage is run");
}

struct CopiedEncoder final : stage::EncodePlans {
  std::span<const BlockFormat> formats() const override { return encoded_formats; }
  void check(const stage::FileToEncode& /*file*/) const override {}
  format::EncodeTotals encode(const stage::FileToEncode& /*file*/, const format::ReadFunction& /*read*/,
                              const format::WriteFunction& /*write*/,
                              const format::ProgressFunction& /*progress*/) const override {
    throw std::logic_error("a copied stage is run");
  }
  std::vector<std::pair<std::string, std::uint64_t>> describe(
      const stage::InputToEncode& /*input*/) const override {
    throw std::logic_error("a copied stage is run");
  }
  std::unique_ptr<stage::Plan> plan_of(const stage::InputToEncode& /*input*/) const override {
    throw std::logic_error("a copied stage is run");
  }
};
const CopiedEncoder copied_encoder;

stage::Description copy_of(const std::string& id, BlockFormat block_format, stage::Operation operation) {
  return {.id = id + "_of_" + std::string(format::block_format_name(block_format)),
          .base = "",
          .title = "A copy",
          .section = "1",
          .format = block_format,
          .operation = operation,
          .minimum_compute_capability = 80,
          .parameters = {}};
}

std::vector<stage::Registration> register_copies() {
  std::vector<stage::Registration> copies;
  for (const Executor executor : {Executor::simt, Executor::gpu}) {
    for (const std::string& id : {first_id, last_id}) {
      for (const BlockFormat block_format : decoded_formats) {
        copies.emplace_back(executor, copy_of(id, block_format, stage::Operation::decode),
                            stage::DecodePlans{.make = never_plan_decoding});
      }
      copies.emplace_back(executor, copy_of(id, BlockFormat::splits, stage::Operation::encode),
                          &copied_encoder);
    }
  }
  return copies;
}

// When the program starts, as every stage.
const std::vector<stage::Registration> copies = register_copies();

Options on(Device device) {
  Options options;
  options.device = device;
  return options;
}

TEST(StageChoice, CommandAndLibraryTakeTheSameDecoders) {
  for (const BlockFormat block_format : decoded_formats) {
    for (const Device device : devices) {
      SCOPED_TRACE(std::string(format::block_format_name(block_format)));
      const stage::RegisteredStage& chosen = choose_decoder(on(device), "a", block_format);
      EXPECT_EQ(chosen.description.id, library::decoder_of(block_format, executor_of(device)).description.id);
      EXPECT_EQ(chosen.description.format, block_format);
      EXPECT_EQ(chosen.description.id.find("copy"), std::string::npos) << chosen.description.id;
    }
  }
}

TEST(StageChoice, CommandAndLibraryTakeTheSameEncoders) {
  for (const BlockFormat block_format : encoded_formats) {
    for (const Device device : devices) {
      SCOPED_TRACE(std::string(format::block_format_name(block_format)));
      const stage::RegisteredStage& chosen = choose_encoder(on(device), "a", block_format);
      EXPECT_EQ(chosen.description.id, library::encoder_of(block_format, executor_of(device)).description.id);
      EXPECT_EQ(chosen.description.id.find("copy"), std::string::npos) << chosen.description.id;
    }
  }
}

TEST(StageChoice, ACopiedStageIsTakenWhereItIsNamed) {
  Options options = on(Device::simt);
  options.stage = first_id + "_of_splits";
  EXPECT_EQ(choose_decoder(options, "a", BlockFormat::splits).description.id, *options.stage);
  EXPECT_EQ(choose_encoder(options, "a", BlockFormat::tiles).description.id, *options.stage);
  EXPECT_THROW(choose_decoder(options, "a", BlockFormat::tiles), CommandError);
  EXPECT_THROW(choose_encoder(options, "a", BlockFormat::blocks), CommandError);
}

TEST(StageChoice, OnTheCpuAStageRunsInPlaceOfACodecWhereItsSeriesSaysSo) {
  for (const stage::Operation operation : {stage::Operation::decode, stage::Operation::encode}) {
    for (const format::Format& format : format::registered_formats()) {
      const bool expected = format.name == "for" || format.name == "dfor" || format.name == "rfor";
      EXPECT_EQ(runs_stage(on(Device::cpu), operation, format.id), expected) << format.name;
      EXPECT_TRUE(runs_stage(on(Device::simt), operation, format.id));
    }
  }
}

TEST(StageChoice, ANamedStageRunsOnTheCpuWhereItHasCodeForIt) {
  Options options = on(Device::cpu);
  options.stage = "zero_length/03_simd";
  EXPECT_TRUE(runs_stage(options, stage::Operation::decode, BlockFormat::splits));
  options.stage = "gsst/07_tuned";
  EXPECT_FALSE(runs_stage(options, stage::Operation::decode, BlockFormat::splits));
}

TEST(StageChoice, CodeOfTheHostHasNoMoreThreadsThanAreAskedFor) {
  const stage::Description& of_host =
      stage::find_stage("zero_length/03_simd", stage::Operation::decode)->description;
  const auto threads = [&](Device device, unsigned count, const stage::Description& description) {
    Options options = on(device);
    options.threads = count;
    return decoder_parameters(options, description);
  };
  using Values = stage::ParameterValues;
  EXPECT_EQ(threads(Device::cpu, 0, of_host), Values{});
  EXPECT_EQ(threads(Device::cpu, 1, of_host), (Values{{"threads", 1}}));
  EXPECT_EQ(threads(Device::cpu, 7, of_host), (Values{{"threads", 4}}));
  EXPECT_EQ(threads(Device::cpu, 1024, of_host), (Values{{"threads", 128}}));
  EXPECT_EQ(threads(Device::simt, 7, of_host), Values{});
  EXPECT_EQ(threads(Device::cpu, 7, copy_of(first_id, BlockFormat::splits, stage::Operation::decode)),
            Values{});
}

TEST(StageChoice, OnlyStagesInPlaceOfCodecsHaveTheirMemory) {
  Options options = on(Device::cpu);
  EXPECT_GT(stage_memory_bytes(options), std::uint64_t{1} << 40);
  options.stage = "zero_length/03_simd";
  EXPECT_EQ(stage_memory_bytes(options), options.stage_memory_bytes);
  EXPECT_EQ(stage_memory_bytes(on(Device::simt)), options.stage_memory_bytes);
}

TEST(StageChoice, AFormatWithoutDefaultIsRefused) {
  EXPECT_THROW(choose_decoder(on(Device::simt), "a", BlockFormat::fsst), CommandError);
  EXPECT_THROW(choose_encoder(on(Device::simt), "a", BlockFormat::blocks), CommandError);
}

}  // namespace
}  // namespace gsst::cli
