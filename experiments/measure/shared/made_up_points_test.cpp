#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

#include "common/format/formats.hpp"
#include "common/stage/encode_plans.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/frame_in_rows.hpp"
#include "experiments/measure/shared/points.hpp"
#include "reference_cpu/codec.hpp"

// A series that only this program has: its tables of formats and codecs take the place of those of the build,
// and its stages register themselves. Points of them are read as those of any series.
namespace gsst {

using Bytes = std::vector<std::uint8_t>;

namespace format {

constexpr BlockFormat pairs{77};

namespace {

constexpr std::array<Format, 1> made_up_formats = {{{.id = pairs, .name = "pairs", .rules = nullptr}}};

std::span<const Format> formats_of_made_up() {
  return made_up_formats;
}

}  // namespace

std::span<const FormatsOfSeries> series_with_formats() {
  static constexpr std::array<FormatsOfSeries, 1> all = {formats_of_made_up};
  return all;
}

}  // namespace format

namespace reference {
namespace {

constexpr std::array<std::string_view, 2> orders = {"rising", "falling"};
constexpr std::array<CodecOption, 2> options_of_pairs = {
    {{.name = "longest-pair", .help = "", .least = 2, .most = 9},
     {.name = "order", .help = "", .names = orders}}};

// A file is the settings.
class PairCodec final : public Codec {
public:
  constexpr PairCodec() : Codec({.format = format::pairs, .suffix = ".pairs", .options = options_of_pairs}) {}

  void check(const EncodeSettings& settings) const override {
    if (settings.options.contains("order") && settings.options.contains("longest-pair")) {
      throw std::invalid_argument("--order: not with --longest-pair");
    }
  }
  EncodeTotals encode(const format::ReadFunction&, const format::WriteFunction& write,
                      const EncodeSettings& settings, const format::ProgressFunction&) const override {
    Bytes file = {static_cast<std::uint8_t>(settings.block_bytes)};
    for (const auto& [name, value] : settings.options) file.push_back(static_cast<std::uint8_t>(value));
    write(file);
    return {};
  }
  format::StreamTotals decode(const format::ReadFunction&, const format::WriteFunction&, unsigned,
                              const format::ProgressFunction&) const override {
    throw std::logic_error("nothing is decoded");
  }
  Bytes decode_payload(std::span<const std::uint8_t>, const format::BlockExpectation&,
                       const format::PayloadPart&, std::uint64_t) const override {
    throw std::logic_error("nothing is decoded");
  }
  FileListing list(std::span<const std::uint8_t>) const override { return {}; }
};

constexpr PairCodec pair_codec;
constexpr std::array<const Codec*, 1> made_up_codecs = {&pair_codec};

std::span<const Codec* const> codecs_of_made_up() {
  return made_up_codecs;
}

}  // namespace

std::span<const CodecsOfSeries> series_with_codecs() {
  static constexpr std::array<CodecsOfSeries, 1> all = {codecs_of_made_up};
  return all;
}

}  // namespace reference

namespace stage {
namespace {

Description describe_stage(const std::string& id, Operation operation) {
  return {.id = id,
          .base = "",
          .title = "Pairs",
          .section = "1",
          .format = format::pairs,
          .operation = operation,
          .minimum_compute_capability = 80,
          .parameters = {}};
}

// Has an option that the codec has not.
struct PairPlans final : EncodePlans {
  std::span<const format::BlockFormat> formats() const override { return written; }
  void check(const FileToEncode&) const override {}
  format::EncodeTotals encode(const FileToEncode&, const format::ReadFunction&, const format::WriteFunction&,
                              const format::ProgressFunction&) const override {
    return {};
  }
  std::span<const std::string_view> options() const override { return own_options; }
  std::vector<std::pair<std::string, std::uint64_t>> describe(const InputToEncode& input) const override {
    const auto depth = input.options.find("search-depth");
    return {{"search_depth", depth == input.options.end() ? 5 : depth->second}};
  }
  std::unique_ptr<Plan> plan_of(const InputToEncode&) const override { return nullptr; }

private:
  static constexpr std::array<format::BlockFormat, 1> written = {format::pairs};
  static constexpr std::array<std::string_view, 1> own_options = {"search-depth"};
};

const PairPlans pair_plans;
const Registration decoder(Executor::simt, describe_stage("made_up/01_pairs", Operation::decode),
                           DecodePlans());
const Registration encoder(Executor::simt, describe_stage("made_up/02_encoder", Operation::encode),
                           &pair_plans);

}  // namespace
}  // namespace stage

namespace experiments {

std::span<const FrameInRows> series_with_frames_in_rows() {
  static constexpr std::array<FrameInRows, 1> all = {[](const Input& input,
                                                        std::span<const std::uint8_t> frame) {
    return nlohmann::ordered_json{{"pairs", {{"bytes", frame.size()}, {"options", input.options.size()}}}};
  }};
  return all;
}

namespace {

using Json = nlohmann::ordered_json;

Point read(const char* point, stage::Operation operation = stage::Operation::decode) {
  const PointRules rules = {.kind = "any", .operations = {operation}, .multiprocessors = 132};
  return parse_points(Json::array({Json::parse(point)}), rules, "points.json").points.at(0);
}

// What is wrong with a point.
std::string problem_of(const char* point) {
  try {
    read(point);
  } catch (const InputError& error) {
    return error.what();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing";
}

TEST(PointsOfAnotherSeries, HaveTheOptionsOfItsCodec) {
  const Point point = read(R"({"stage": "made_up/01_pairs", "blocks": "2 per SM", "longest_pair": 7})");
  EXPECT_EQ(point.input.format, format::pairs);
  EXPECT_EQ(point.input.blocks, 264u);
  EXPECT_EQ(point.input.options, (format::CodecOptions{{"longest-pair", 7}}));
  EXPECT_EQ(make_frame(point.input, Bytes(2640)), (Bytes{10, 7}));
  EXPECT_EQ(frame_in_rows(point.input, Bytes(3)), (Json{{"pairs", {{"bytes", 3}, {"options", 1}}}}));
  const Point by_size = read(R"({"stage": "made_up/01_pairs", "block_bytes": 20, "order": "falling"})");
  EXPECT_EQ(make_frame(by_size.input, Bytes(2640)), (Bytes{20, 1}));
  EXPECT_EQ(point_to_json(by_size).at("order"), "falling");
}

TEST(PointsOfAnotherSeries, HaveNoOptionsOfOthers) {
  const auto problem_with = [](const std::string& key) {
    return problem_of((R"({"stage": "made_up/01_pairs", "blocks": 1, )" + key + "}").c_str());
  };
  EXPECT_EQ(problem_with(R"("splits": 4)"), "points.json: point 1: unknown key 'splits' for format pairs");
  EXPECT_EQ(problem_with(R"("code_bits": 8)"),
            "points.json: point 1: unknown key 'code_bits' for format pairs");
  EXPECT_EQ(problem_with(R"("longest-pair": 3)"),
            "points.json: point 1: unknown key 'longest-pair' for format pairs");
  EXPECT_EQ(problem_with(R"("longest_pair": 1)"),
            "points.json: point 1: 'longest_pair' is 1, allowed are 2 to 9");
  EXPECT_EQ(problem_with(R"("order": 1)"), "points.json: point 1: 'order' must be rising or falling");
  EXPECT_EQ(problem_with(R"("level": 1)"), "points.json: point 1: 'level': format pairs has none");
  EXPECT_EQ(problem_with(R"("order": "rising", "longest_pair": 3)"), "--order: not with --longest-pair");
}

TEST(PointsOfAnotherSeries, HaveTheOptionsOfItsEncoder) {
  const Point point = read(R"({"stage": "made_up/02_encoder", "block_bytes": 64, "search_depth": 3})",
                           stage::Operation::encode);
  EXPECT_EQ(point.input.options, (format::CodecOptions{{"search-depth", 3}}));
  EXPECT_EQ(encode_parameters(point), (Json{{"block_bytes", 64}, {"search_depth", 3}}));
}

}  // namespace
}  // namespace experiments
}  // namespace gsst
