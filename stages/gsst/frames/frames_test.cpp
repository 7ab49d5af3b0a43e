#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "common/format/formats.hpp"
#include "common/format/gsst/tiles.hpp"
#include "common/frame/frame.hpp"
#include "library/device_frame_oracle.hpp"
#include "library/device_frame_plan.hpp"
#include "library/frames_plan.hpp"
#include "library/guarded_memory.hpp"
#include "library/repaired_checksums.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/gsst/shared/payload_problem.hpp"
#include "stages/suite/test_sample.hpp"

// Many frames that the host does not read, on the CPU executor.
namespace gsst::frames {
namespace {

using format::BlockFormat;
using format::ChecksumKind;
using frame::FrameProblem;
using library::GuardedMemory;
using stage::Executor;
using Bytes = std::vector<std::uint8_t>;

constexpr std::array formats_of_frames = {BlockFormat::blocks, BlockFormat::splits, BlockFormat::coalesced,
                                          BlockFormat::tiles};
constexpr std::uint32_t splits_of_test = 5;
constexpr std::uint8_t untouched = 0x5c;

// Frames one after the other, with gaps between them and between their outputs.
struct Frames {
  std::vector<FramePlace> places;
  Bytes input;
  std::uint64_t output_bytes = 0;

  // A multiple of what tiles need.
  static constexpr std::uint64_t unit = 16;

  void add(const Bytes& frame, std::uint64_t output_capacity) {
    input.resize((input.size() + unit - 1) / unit * unit, 0xee);
    places.push_back({.input_offset = input.size(),
                      .output_offset = output_bytes,
                      .frame_bytes = frame.size(),
                      .output_capacity = output_capacity});
    input.insert(input.end(), frame.begin(), frame.end());
    // Outputs begin anywhere.
    output_bytes += output_capacity + places.size() % 7;
  }
};

// Bounds that hold for `frames`, of which the largest has `blocks` blocks.
FramesBounds bounds_of(const Frames& frames, BlockFormat format, std::uint64_t blocks,
                       ChecksumKind kind = ChecksumKind::xxh64) {
  FramesBounds bounds{.frame_count = frames.places.size(),
                      .format = format,
                      .split_count = format::has_splits(format) ? splits_of_test : 1,
                      .checksum_kind = kind,
                      .tile_shapes = format == BlockFormat::tiles ? format::every_tile_shape : 0,
                      .frame_bytes = 1,
                      .output_bytes = 0,
                      .block_count = blocks,
                      .input_bytes = std::max<std::uint64_t>(frames.input.size(), 1),
                      .all_output_bytes = frames.output_bytes};
  for (const FramePlace& place : frames.places) {
    bounds.frame_bytes = std::max(bounds.frame_bytes, place.frame_bytes);
    bounds.output_bytes = std::max(bounds.output_bytes, place.output_capacity);
  }
  return bounds;
}

struct FramesRun {
  std::vector<frame::FrameResult> results;
  std::vector<std::uint32_t> status;
  Bytes output;

  // The words of a frame's blocks.
  std::span<const std::uint32_t> status_of(std::size_t number) const {
    const std::size_t blocks = status.size() / results.size();
    return std::span(status).subspan(number * blocks, blocks);
  }
  Bytes output_of(const FramePlace& place, std::uint64_t bytes) const {
    const auto begin = output.begin() + static_cast<std::ptrdiff_t>(place.output_offset);
    return {begin, begin + static_cast<std::ptrdiff_t>(bytes)};
  }
};

bool is_decoded(const FramesRun& run, std::size_t number) {
  return run.results[number].problem == FrameProblem::none &&
         std::ranges::all_of(run.status_of(number), [](std::uint32_t word) { return word == 0; });
}

// Nothing was written but where an accepted frame's output is.
void expect_the_rest_untouched(const Frames& frames, const FramesRun& run) {
  std::vector<bool> may_be_written(run.output.size());
  for (std::size_t number = 0; number < frames.places.size(); ++number) {
    const auto begin = static_cast<std::ptrdiff_t>(frames.places[number].output_offset);
    const auto bytes = static_cast<std::ptrdiff_t>(run.results[number].output_bytes);
    if (bytes != 0) std::fill_n(may_be_written.begin() + begin, bytes, true);
  }
  std::size_t changed = 0;
  for (std::size_t byte = 0; byte < run.output.size(); ++byte) {
    if (!may_be_written[byte] && run.output[byte] != untouched) ++changed;
  }
  EXPECT_EQ(changed, 0u);
}

// `address`: of the input, past one that is aligned to 16.
FramesRun run_frames(const Frames& frames, const FramesBounds& bounds, bool verify_checksums = true,
                     std::size_t address = 0) {
  const library::FramesPlan plan(Executor::simt, bounds, verify_checksums);
  // Ends where the input does: a sanitizer sees a read past the end.
  Bytes input(address, 0xee);
  input.insert(input.end(), frames.input.begin(), frames.input.end());
  if (frames.input.empty()) input.push_back(0xee);
  GuardedMemory output(bounds.all_output_bytes);
  // With a word more, of another value than what is past the other memory: a copy of it there is seen.
  GuardedMemory scratch(plan.scratch_bytes() + sizeof(std::uint64_t));
  GuardedMemory status(bounds.all_blocks() * sizeof(std::uint32_t));
  GuardedMemory results(bounds.frame_count * sizeof(frame::FrameResult));
  output.poison(untouched);
  scratch.poison(0xb7);
  status.poison(0xb7);
  results.poison(0xb7);
  plan.enqueue({.input = input.data() + address,
                .places = frames.places.data(),
                .output = output.data(),
                .scratch = scratch.data(),
                .status = reinterpret_cast<std::uint32_t*>(status.data()),
                .results = reinterpret_cast<frame::FrameResult*>(results.data())},
               nullptr);
  EXPECT_TRUE(output.is_intact() && scratch.is_intact() && status.is_intact() && results.is_intact());
  FramesRun run{.results = std::vector<frame::FrameResult>(bounds.frame_count),
                .status = std::vector<std::uint32_t>(bounds.all_blocks()),
                .output = output.first(bounds.all_output_bytes)};
  if (bounds.frame_count == 0) return run;
  std::memcpy(run.results.data(), results.data(), run.results.size() * sizeof(frame::FrameResult));
  std::memcpy(run.status.data(), status.data(), run.status.size() * sizeof(std::uint32_t));
  expect_the_rest_untouched(frames, run);
  return run;
}

// What the plan for one frame says of `frame`, within the same bounds. Checksums of blocks are not compared.
struct RunAlone {
  frame::FrameResult result = {};
  std::vector<std::uint32_t> status;
  Bytes output;
};

RunAlone run_alone(const Bytes& frame, const FramesBounds& of_frames, std::uint64_t output_capacity) {
  const frame::FrameBounds bounds{.format = of_frames.format,
                                  .split_count = of_frames.split_count,
                                  .frame_bytes = of_frames.frame_bytes,
                                  .output_bytes = std::min(of_frames.output_bytes, output_capacity),
                                  .block_bytes = format::max_block_bytes,
                                  .block_count = of_frames.block_count};
  const library::DeviceFramePlan plan(Executor::simt, bounds, false);
  Bytes memory = frame;
  memory.resize(std::max<std::size_t>(bounds.frame_bytes, 1));
  const std::uint64_t frame_bytes = frame.size();
  GuardedMemory output(bounds.output_bytes);
  GuardedMemory scratch(plan.scratch_bytes());
  RunAlone run;
  run.status.resize(bounds.block_count);
  plan.enqueue({.frame = memory.data(),
                .frame_bytes = &frame_bytes,
                .output = output.data(),
                .scratch = scratch.data(),
                .status = run.status.data(),
                .result = &run.result},
               nullptr);
  run.output = output.first(run.result.output_bytes);
  return run;
}

// Frame `number` of a run without checksums has the result, the words and the bytes that it has alone.
void expect_as_alone(const FramesRun& run, const Frames& frames, const FramesBounds& bounds,
                     std::size_t number, const Bytes& frame) {
  const FramePlace& place = frames.places[number];
  const RunAlone alone = run_alone(frame, bounds, place.output_capacity);
  const frame::FrameResult& result = run.results[number];
  EXPECT_EQ(library::field_of(result.problem), std::string(library::field_of(alone.result.problem)));
  EXPECT_EQ(result.problem_block, alone.result.problem_block);
  EXPECT_EQ(result.output_bytes, alone.result.output_bytes);
  EXPECT_EQ(result.block_count, alone.result.block_count);
  EXPECT_TRUE(std::ranges::equal(run.status_of(number), alone.status));
  const bool is_whole = std::ranges::all_of(alone.status, [](std::uint32_t word) { return word == 0; });
  if (!is_whole) return;
  EXPECT_TRUE(run.output_of(place, result.output_bytes) == alone.output);
}

struct FrameToAdd {
  Bytes input;
  Bytes frame;
};

FrameToAdd made_frame(const Bytes& input, BlockFormat format, std::uint64_t block_bytes,
                      ChecksumKind kind = ChecksumKind::xxh64, std::uint32_t code_bits = 0,
                      std::uint32_t codes_per_lane = 0) {
  return {.input = input,
          .frame = reference::compress(input, {.format = format,
                                               .block_bytes = block_bytes,
                                               .split_count = splits_of_test,
                                               .code_bits = code_bits,
                                               .codes_per_lane = codes_per_lane,
                                               .checksum_kind = kind,
                                               .threads = 1})};
}

Frames all_of(const std::vector<FrameToAdd>& added) {
  Frames frames;
  for (const FrameToAdd& frame : added) frames.add(frame.frame, frame.input.size());
  return frames;
}

void expect_decoded(const FramesRun& run, const Frames& frames, std::size_t number, const Bytes& input) {
  SCOPED_TRACE("frame " + std::to_string(number));
  EXPECT_EQ(run.results[number].output_bytes, input.size());
  EXPECT_TRUE(is_decoded(run, number)) << library::field_of(run.results[number].problem);
  EXPECT_TRUE(run.output_of(frames.places[number], input.size()) == input);
}

TEST(ManyFrames, FramesOfAllSizesAreDecompressed) {
  for (const BlockFormat format : formats_of_frames) {
    const std::uint64_t block_bytes = format == BlockFormat::tiles ? 9000 : 700;
    for (const ChecksumKind kind : {ChecksumKind::xxh64, ChecksumKind::xxh64_tree}) {
      SCOPED_TRACE(std::string(format::block_format_name(format)) + ", " +
                   std::string(format::checksum_kind_name(kind)));
      std::vector<FrameToAdd> added;
      for (const std::size_t size :
           {std::size_t{0}, std::size_t{1}, std::size_t{699}, 3 * block_bytes - 50}) {
        added.push_back(made_frame(reference::test::make_text(size, size), format, block_bytes, kind));
        // Blocks that are stored as they are, in the same frame as others.
        added.push_back(made_frame(reference::test::make_mixed(size, size), format, block_bytes, kind));
        added.push_back(made_frame(reference::test::make_random(size, size), format, block_bytes, kind));
      }
      const Frames frames = all_of(added);
      for (const std::size_t address : {0, 3}) {
        const FramesRun run = run_frames(frames, bounds_of(frames, format, 3, kind), true, address);
        for (std::size_t i = 0; i < added.size(); ++i) expect_decoded(run, frames, i, added[i].input);
      }
    }
  }
}

TEST(ManyFrames, OneFrameAndAThousandAreDecompressed) {
  // One of 64 KB; the others are smaller, so that the executor takes no minutes.
  std::vector<FrameToAdd> made;
  for (const std::size_t size : {65536, 1500, 1, 2500, 900, 0, 60, 1234, 77, 150, 3000}) {
    made.push_back(made_frame(reference::test::make_text(size, size), BlockFormat::tiles, 65536,
                              ChecksumKind::xxh64_tree, 8, 32));
  }
  for (const std::size_t count : {std::size_t{1}, std::size_t{2}, test::test_sample().size(1000, 50)}) {
    SCOPED_TRACE(count);
    const auto number_of = [&](std::size_t frame) { return frame == 0 ? 0 : 1 + frame % (made.size() - 1); };
    Frames frames;
    for (std::size_t i = 0; i < count; ++i)
      frames.add(made[number_of(i)].frame, made[number_of(i)].input.size());
    FramesBounds bounds = bounds_of(frames, BlockFormat::tiles, 1, ChecksumKind::xxh64_tree);
    bounds.tile_shapes = format::tile_shape_bit({.code_bits = 8, .codes_per_lane = 32});
    const FramesRun run = run_frames(frames, bounds);
    for (std::size_t i = 0; i < count; ++i) expect_decoded(run, frames, i, made[number_of(i)].input);
  }
}

TEST(ManyFrames, BlocksOfTilesOfEveryShapeAreDecompressedOrRefused) {
  std::vector<FrameToAdd> added;
  std::vector<format::TileShape> shapes;
  for (const std::uint32_t code_bits : format::tile_code_bits) {
    for (const std::uint32_t codes_per_lane : format::tile_codes_per_lane) {
      shapes.push_back({.code_bits = code_bits, .codes_per_lane = codes_per_lane});
      // Two blocks, the second of which can have the table of the first.
      added.push_back(made_frame(reference::test::make_text(110000, shapes.size()), BlockFormat::tiles,
                                 100000, ChecksumKind::xxh64, code_bits, codes_per_lane));
    }
  }
  const Frames frames = all_of(added);
  FramesBounds bounds = bounds_of(frames, BlockFormat::tiles, 2);
  const FramesRun all = run_frames(frames, bounds);
  for (std::size_t i = 0; i < added.size(); ++i) expect_decoded(all, frames, i, added[i].input);

  bounds.tile_shapes = format::tile_shape_bit({.code_bits = 10, .codes_per_lane = 24});
  const FramesRun some = run_frames(frames, bounds);
  for (std::size_t i = 0; i < added.size(); ++i) {
    SCOPED_TRACE(i);
    if (format::tile_shape_bit(shapes[i]) == bounds.tile_shapes) {
      expect_decoded(some, frames, i, added[i].input);
      continue;
    }
    const auto expected =
        shapes[i].code_bits == 10 ? stage::PayloadProblem::codes_per_lane : stage::PayloadProblem::code_bits;
    const format::FrameView view = format::parse_frame(added[i].frame);
    std::size_t refused = 0;
    for (std::size_t block = 0; block < view.index.entries.size(); ++block) {
      const std::uint32_t word = some.status_of(i)[block];
      // A block that is stored as it is has no shape.
      if (view.index.entries[block].record.layout == format::BlockLayout::raw) {
        EXPECT_EQ(word, 0u);
        continue;
      }
      EXPECT_EQ(word & 0xff, frame::refused_block_status);
      EXPECT_EQ(frame::problem_of_refused_block(word), static_cast<FrameProblem>(expected));
      ++refused;
    }
    EXPECT_GE(refused, 1u);
  }
}

// An index of more pieces than the warp adds up at once.
TEST(ManyFrames, FramesOfManyBlocksAreDecompressed) {
  std::vector<FrameToAdd> added;
  for (const std::size_t blocks : {900, 205, 102, 33, 32}) {
    const ChecksumKind kind = blocks == 33 ? ChecksumKind::xxh64 : ChecksumKind::xxh64_tree;
    added.push_back(
        made_frame(reference::test::make_random(5 * blocks, blocks), BlockFormat::blocks, 5, kind));
  }
  const Frames frames = all_of(added);
  const FramesRun run = run_frames(frames, bounds_of(frames, BlockFormat::blocks, 900), false);
  for (std::size_t i = 0; i < added.size(); ++i) expect_decoded(run, frames, i, added[i].input);
}

nlohmann::json golden_frames(const char* list_name) {
  std::ifstream list("data/golden/golden.json");
  const nlohmann::json golden = nlohmann::json::parse(list);
  nlohmann::json found;
  for (const nlohmann::json& entry : golden.at(list_name)) {
    if (entry.at("container") == "frame") found.push_back(entry);
  }
  return found;
}

struct NamedFrame {
  std::string name;
  Bytes frame;
};

// Every golden frame, by what a plan must know: its format and its splits.
std::map<std::tuple<BlockFormat, std::uint32_t>, std::vector<NamedFrame>> golden_frames_by_plan() {
  std::map<std::tuple<BlockFormat, std::uint32_t>, std::vector<NamedFrame>> by_plan;
  for (const char* const list : {"invalid", "valid"}) {
    for (const nlohmann::json& entry : golden_frames(list)) {
      const auto name = entry.at("file").get<std::string>();
      const Bytes frame = reference::test::read_file("data/golden/" + name);
      const frame::FrameBounds bounds = library::bounds_said_by(frame, 1 << 20);
      by_plan[{bounds.format, bounds.split_count}].push_back({.name = name, .frame = frame});
    }
  }
  return by_plan;
}

TEST(ManyFrames, GoldenFramesAreRefusedAsAloneAndTheirNeighboursDecompressed) {
  std::size_t refused = 0;
  std::size_t decoded = 0;
  for (const auto& [key, golden] : golden_frames_by_plan()) {
    const auto [format, split_count] = key;
    const Bytes input = reference::test::make_text(2000, 11);
    const Bytes neighbour = reference::compress(
        input, {.format = format, .block_bytes = 9000, .split_count = split_count, .threads = 1});
    Frames frames;
    std::uint64_t blocks = 1;
    for (const NamedFrame& added : golden) {
      const frame::FrameBounds said = library::bounds_said_by(added.frame, 1 << 20);
      // Slots for more would take the executor long: such a frame is outside the bounds, alone as well.
      blocks = std::clamp<std::uint64_t>(said.block_count, blocks, 16);
      frames.add(neighbour, input.size());
      frames.add(added.frame, said.output_bytes);
    }
    frames.add(neighbour, input.size());
    FramesBounds bounds = bounds_of(frames, format, blocks);
    bounds.split_count = split_count;
    const FramesRun run = run_frames(frames, bounds, false);
    for (std::size_t i = 0; i < golden.size(); ++i) {
      SCOPED_TRACE(golden[i].name);
      expect_decoded(run, frames, 2 * i, input);
      if (golden[i].frame.empty() && frames.places[2 * i + 1].output_capacity == 0) continue;
      expect_as_alone(run, frames, bounds, 2 * i + 1, golden[i].frame);
      ++(is_decoded(run, 2 * i + 1) ? decoded : refused);
    }
    expect_decoded(run, frames, 2 * golden.size(), input);
  }
  EXPECT_GT(refused, 100u);
  EXPECT_GT(decoded, 50u);
}

TEST(ManyFrames, EveryFrameThatIsCutShortIsRefusedAsAlone) {
  const FrameToAdd whole = made_frame(reference::test::make_text(2000, 4), BlockFormat::splits, 700);
  Frames frames;
  std::vector<Bytes> cut;
  for (std::size_t size = 1; size < whole.frame.size(); size += size < 140 ? 1 : 97) {
    cut.emplace_back(whole.frame.begin(), whole.frame.begin() + static_cast<std::ptrdiff_t>(size));
    frames.add(cut.back(), whole.input.size());
  }
  const FramesBounds bounds = bounds_of(frames, BlockFormat::splits, 3);
  const FramesRun run = run_frames(frames, bounds, false);
  for (std::size_t i = 0; i < cut.size(); ++i) {
    SCOPED_TRACE(cut[i].size());
    EXPECT_NE(run.results[i].problem, FrameProblem::none);
    expect_as_alone(run, frames, bounds, i, cut[i]);
  }
}

// Changes a byte of a header, an entry or a record, so that each check has its frame.
TEST(ManyFrames, ChangedFramesAreRefusedAsAlone) {
  for (const BlockFormat format : formats_of_frames) {
    SCOPED_TRACE(std::string(format::block_format_name(format)));
    const std::uint64_t block_bytes = format == BlockFormat::tiles ? 2000 : 500;
    const FrameToAdd whole =
        made_frame(reference::test::make_text(3 * block_bytes - 50, 6), format, block_bytes);
    const format::FrameView view = format::parse_frame(whole.frame);
    std::vector<std::size_t> places;
    for (std::size_t byte = 0; byte < 40; ++byte) places.push_back(byte);
    for (std::size_t byte = view.index_offset() - 24; byte < whole.frame.size(); byte += 3) {
      places.push_back(byte);
    }
    for (const format::IndexEntry& entry : view.index.entries) {
      for (std::size_t byte = 0; byte < 24 + 48; byte += 3)
        places.push_back(entry.payload_offset - 24 + byte);
    }
    Frames frames;
    std::vector<Bytes> changed;
    for (const std::size_t place : places) {
      for (const bool repaired : {false, true}) {
        changed.push_back(whole.frame);
        changed.back()[place] ^= place % 2 == 0 ? 0x01 : 0x41;
        if (repaired) library::repair_checksums(changed.back());
        frames.add(changed.back(), whole.input.size());
      }
    }
    const FramesBounds bounds = bounds_of(frames, format, 4);
    const FramesRun run = run_frames(frames, bounds, false);
    std::size_t refused = 0;
    for (std::size_t i = 0; i < changed.size(); ++i) {
      SCOPED_TRACE("byte " + std::to_string(places[i / 2]) + (i % 2 == 0 ? "" : ", repaired"));
      expect_as_alone(run, frames, bounds, i, changed[i]);
      if (!is_decoded(run, i)) ++refused;
      if (HasFailure()) return;
    }
    EXPECT_GT(refused, 100u);
  }
}

TEST(ManyFrames, PlacesOutsideAreRefusedAndOnlyThey) {
  for (const BlockFormat format : {BlockFormat::blocks, BlockFormat::tiles}) {
    SCOPED_TRACE(std::string(format::block_format_name(format)));
    const FrameToAdd added = made_frame(reference::test::make_text(3000, 8), format, 9000);
    Frames frames;
    for (int i = 0; i < 3; ++i) frames.add(added.frame, added.input.size());
    const FramesBounds bounds = bounds_of(frames, format, 1);
    struct Case {
      FramePlace place;
      FrameProblem problem;
    };
    const FramePlace right = frames.places[1];
    std::vector<Case> cases;
    const auto add = [&](auto change, PlaceProblem problem) {
      FramePlace place = right;
      change(place);
      cases.push_back({.place = place, .problem = static_cast<FrameProblem>(problem)});
    };
    constexpr std::uint64_t most = ~std::uint64_t{0};
    const std::uint64_t end = frames.input.size();
    add([&](FramePlace& place) { place.input_offset = end / 16 * 16 + 16; }, PlaceProblem::outside_input);
    add([&](FramePlace& place) { place.input_offset = end / 16 * 16; }, PlaceProblem::outside_input);
    add([&](FramePlace& place) { place.input_offset = most - 15; }, PlaceProblem::outside_input);
    add([&](FramePlace& place) { place.output_offset = frames.output_bytes + 1; },
        PlaceProblem::outside_output);
    add([&](FramePlace& place) { place.output_offset = frames.output_bytes - place.output_capacity + 1; },
        PlaceProblem::outside_output);
    add([&](FramePlace& place) { place.output_offset = most; }, PlaceProblem::outside_output);
    add([&](FramePlace& place) { place.output_capacity = most; }, PlaceProblem::outside_output);
    add([&](FramePlace& place) { place.frame_bytes = bounds.frame_bytes + 1; },
        static_cast<PlaceProblem>(FrameProblem::frame_bytes_bound));
    add([&](FramePlace& place) { --place.output_capacity; },
        static_cast<PlaceProblem>(FrameProblem::output_bound));
    add([&](FramePlace& place) { place.output_capacity = 0; },
        static_cast<PlaceProblem>(FrameProblem::output_bound));
    add([&](FramePlace& place) { place.frame_bytes = 0; }, static_cast<PlaceProblem>(FrameProblem::magic));
    if (format == BlockFormat::tiles) {
      add([&](FramePlace& place) { place.input_offset += 8; }, PlaceProblem::misaligned_input);
    } else {
      add([&](FramePlace& place) { place.input_offset += 8; },
          static_cast<PlaceProblem>(FrameProblem::magic));
    }
    for (std::size_t i = 0; i < cases.size(); ++i) {
      SCOPED_TRACE(i);
      frames.places[1] = cases[i].place;
      const FramesRun run = run_frames(frames, bounds);
      EXPECT_EQ(run.results[1].problem, cases[i].problem)
          << library::describe_frame(run.results[1].problem, std::nullopt);
      EXPECT_EQ(run.results[1].output_bytes, 0u);
      EXPECT_EQ(run.status_of(1).front(), frame::refused_frame_status);
      expect_decoded(run, frames, 0, added.input);
      expect_decoded(run, frames, 2, added.input);
    }
    // The last place that is right, in place of the last frame's.
    frames.places[1] = right;
    frames.places[1].output_offset = frames.output_bytes - right.output_capacity;
    const FrameToAdd empty = made_frame({}, format, 9000);
    std::copy(empty.frame.begin(), empty.frame.end(),
              frames.input.begin() + static_cast<std::ptrdiff_t>(frames.places[2].input_offset));
    // A frame without output may be at the end of it.
    frames.places[2].frame_bytes = empty.frame.size();
    frames.places[2].output_offset = frames.output_bytes;
    frames.places[2].output_capacity = 0;
    const FramesRun run = run_frames(frames, bounds);
    expect_decoded(run, frames, 1, added.input);
    expect_decoded(run, frames, 2, {});
  }
}

TEST(ManyFrames, APlaceOfZerosIsNoFrame) {
  const FrameToAdd added = made_frame(reference::test::make_text(3000, 9), BlockFormat::tiles, 1000);
  Frames frames;
  frames.add(added.frame, added.input.size());
  frames.places.push_back({});
  frames.places.push_back({});
  frames.add(added.frame, added.input.size());
  const FramesRun run = run_frames(frames, bounds_of(frames, BlockFormat::tiles, 5));
  for (const std::size_t number : {1, 2}) {
    EXPECT_TRUE(is_decoded(run, number));
    EXPECT_EQ(run.results[number].block_count, 0u);
    EXPECT_EQ(run.results[number].output_bytes, 0u);
  }
  expect_decoded(run, frames, 0, added.input);
  expect_decoded(run, frames, 3, added.input);
  const Frames none;
  EXPECT_TRUE(run_frames(none, bounds_of(none, BlockFormat::tiles, 5)).results.empty());
}

TEST(ManyFrames, WhatIsOutsideTheBoundsIsRefused) {
  const FrameToAdd added = made_frame(reference::test::make_text(2000, 5), BlockFormat::splits, 700);
  const Frames frames = all_of({added, added});
  const FramesBounds exact = bounds_of(frames, BlockFormat::splits, 3);
  struct Case {
    void (*change)(FramesBounds&);
    FrameProblem problem;
  };
  const std::array cases = {
      Case{[](FramesBounds& bounds) { bounds.format = BlockFormat::coalesced; }, FrameProblem::other_format},
      Case{[](FramesBounds& bounds) { ++bounds.split_count; }, FrameProblem::other_split_count},
      Case{[](FramesBounds& bounds) { --bounds.frame_bytes; }, FrameProblem::frame_bytes_bound},
      Case{[](FramesBounds& bounds) { --bounds.output_bytes; }, FrameProblem::output_bound},
      Case{[](FramesBounds& bounds) { --bounds.block_count; }, FrameProblem::block_count_bound}};
  for (const Case& changed : cases) {
    FramesBounds bounds = exact;
    changed.change(bounds);
    const FramesRun run = run_frames(frames, bounds);
    for (const frame::FrameResult& result : run.results) {
      EXPECT_EQ(result.problem, changed.problem) << library::field_of(result.problem);
      EXPECT_EQ(result.block_count, 0u);
    }
    EXPECT_EQ(run.status, std::vector<std::uint32_t>(bounds.all_blocks(), frame::refused_frame_status));
  }
}

TEST(ManyFrames, ChecksumsOfOneKindAreCompared) {
  for (const ChecksumKind kind : {ChecksumKind::xxh64, ChecksumKind::xxh64_tree}) {
    SCOPED_TRACE(std::string(format::checksum_kind_name(kind)));
    const bool is_tree = kind == ChecksumKind::xxh64_tree;
    const ChecksumKind other = is_tree ? ChecksumKind::xxh64 : ChecksumKind::xxh64_tree;
    // Stored as they are, so that every changed byte decodes. Longer than a piece of a checksum.
    const Bytes input = reference::test::make_random(11000, 7);
    std::vector<FrameToAdd> added = {made_frame(input, BlockFormat::blocks, 5000, kind),
                                     made_frame(input, BlockFormat::blocks, 5000, kind),
                                     made_frame(input, BlockFormat::blocks, 5000, other),
                                     made_frame({}, BlockFormat::blocks, 5000, other),
                                     made_frame(input, BlockFormat::blocks, 5000, kind)};
    ++added[1].frame[format::parse_frame(added[1].frame).index.entries[1].payload_offset + 4500];
    const Frames frames = all_of(added);
    const FramesBounds bounds = bounds_of(frames, BlockFormat::blocks, 4, kind);
    const FramesRun run = run_frames(frames, bounds);
    expect_decoded(run, frames, 0, input);
    const auto wrong = static_cast<std::uint32_t>(stage::BlockStatus::wrong_checksum);
    EXPECT_TRUE(std::ranges::equal(run.status_of(1), std::vector<std::uint32_t>{0, wrong, 0, 0}));
    EXPECT_EQ(run.results[2].problem, static_cast<FrameProblem>(PlaceProblem::other_checksum_kind));
    expect_decoded(run, frames, 3, {});
    expect_decoded(run, frames, 4, input);

    const FramesRun unverified = run_frames(frames, bounds, false);
    for (std::size_t i = 0; i < added.size(); ++i) EXPECT_TRUE(is_decoded(unverified, i)) << i;
  }
}

TEST(ManyFrames, BoundsThatNoFramesHaveAreRefused) {
  const FramesBounds right{.frame_count = 10,
                           .format = BlockFormat::splits,
                           .split_count = 5,
                           .checksum_kind = ChecksumKind::xxh64,
                           .tile_shapes = 0,
                           .frame_bytes = 100,
                           .output_bytes = 100,
                           .block_count = 2,
                           .input_bytes = 1000,
                           .all_output_bytes = 1000};
  EXPECT_NO_THROW(library::FramesPlan(Executor::simt, right, true));
  const auto expect_refused = [&](auto member, auto value) {
    FramesBounds bounds = right;
    bounds.*member = value;
    EXPECT_THROW(library::FramesPlan(Executor::simt, bounds, true), std::invalid_argument);
  };
  constexpr std::uint64_t too_many_bytes = (std::uint64_t{1} << 56) + 1;
  expect_refused(&FramesBounds::frame_count, format::max_block_count / 2 + 1);
  expect_refused(&FramesBounds::format, BlockFormat::tiles);
  expect_refused(&FramesBounds::format, BlockFormat::fsst);
  expect_refused(&FramesBounds::split_count, 0U);
  expect_refused(&FramesBounds::frame_bytes, std::uint64_t{0});
  expect_refused(&FramesBounds::frame_bytes, too_many_bytes);
  expect_refused(&FramesBounds::output_bytes, too_many_bytes);
  expect_refused(&FramesBounds::block_count, std::uint64_t{0});
  expect_refused(&FramesBounds::block_count, format::max_block_count + 1);
  expect_refused(&FramesBounds::input_bytes, std::uint64_t{0});
  expect_refused(&FramesBounds::all_output_bytes, too_many_bytes);
  FramesBounds tiles = right;
  tiles.format = BlockFormat::tiles;
  tiles.split_count = 1;
  for (const std::uint32_t shapes : {0U, format::every_tile_shape + 1}) {
    tiles.tile_shapes = shapes;
    EXPECT_THROW(library::FramesPlan(Executor::simt, tiles, true), std::invalid_argument);
  }
  tiles.tile_shapes = 1;
  EXPECT_NO_THROW(library::FramesPlan(Executor::simt, tiles, true));
}

TEST(ManyFrames, EveryProblemOfAPlaceHasItsWords) {
  const auto words_of = [](PlaceProblem problem) {
    return library::describe_frame(static_cast<FrameProblem>(problem), std::nullopt);
  };
  const auto error_of = [](PlaceProblem problem) {
    return library::error_of_frame(static_cast<FrameProblem>(problem));
  };
  EXPECT_EQ(words_of(PlaceProblem::outside_input), "it extends past the input");
  EXPECT_EQ(error_of(PlaceProblem::outside_input), GSST_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(words_of(PlaceProblem::outside_output), "its output extends past the output");
  EXPECT_EQ(error_of(PlaceProblem::outside_output), GSST_ERROR_OUTPUT_TOO_SMALL);
  EXPECT_NE(words_of(PlaceProblem::misaligned_input).find("multiple"), std::string::npos);
  EXPECT_EQ(error_of(PlaceProblem::misaligned_input), GSST_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(words_of(PlaceProblem::other_checksum_kind).find("planned"), std::string::npos);
  EXPECT_EQ(error_of(PlaceProblem::other_checksum_kind), GSST_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(library::describe_frame(FrameProblem::layout, 3),
            "block 3: layout: is not what the format allows");
  EXPECT_EQ(library::error_of_frame(FrameProblem::magic), GSST_ERROR_WRONG_FORMAT);
}

}  // namespace
}  // namespace gsst::frames
