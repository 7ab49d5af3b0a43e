#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "gsst/gpu.hpp"
#include "library/gpu_test_memory.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/suite/test_sample.hpp"

// gsst/gpu.hpp and, through it, gsst/gpu.h. What needs a GPU is skipped where there is none.
namespace gsst::gpu {
namespace {

using namespace test;

TEST_F(GpuLibrary, EveryFormatIsDecompressed) {
  const Bytes input = text(300000, 1);
  for (const Format format : all_formats) {
    SCOPED_TRACE(static_cast<unsigned>(format));
    const Bytes frame = compress_on_cpu(input, format);
    const DecompressPlan plan = value_of(DecompressPlan::create(frame, {.format = format}));
    const Stream stream;
    DecompressArrays arrays(plan.sizes());
    arrays.frame.write(frame);
    value_of(plan.execute(arrays.memory(), stream.get()));
    stream.wait();
    EXPECT_EQ(value_of(check_status(arrays.status.read())), 6u);
    EXPECT_TRUE(arrays.output.read() == input);
    EXPECT_TRUE(arrays.is_intact());
  }
}

TEST_F(GpuLibrary, TheCpuDecompressesWhatTheGpuCompresses) {
  const std::size_t large = gsst::test::test_sample().size(3000000, 600000);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{300}, std::size_t{300000}, large}) {
    SCOPED_TRACE(size);
    const Bytes input = to_bytes(reference::test::make_mixed(size, size));
    EXPECT_TRUE(value_of(decompress(compress_on_gpu(input, {}))) == input);
    EXPECT_TRUE(
        value_of(decompress(compress_on_gpu(
            input,
            {.block_bytes = 50000, .splits = 100, .blocks_per_table = 2, .format = Format::splits}))) ==
        input);
  }
}

CompressOptions tiles_with_table(std::uint32_t code_bits) {
  return {.tables = Tables::loaded, .block_bytes = 50000, .format = Format::tiles, .code_bits = code_bits};
}

// Around segments of 4096 bytes, and around blocks.
constexpr std::size_t tile_input_sizes[] = {0, 1, 2, 4095, 4096, 4097, 49999, 50000, 50001, 300000, 3000000};

TEST_F(GpuLibrary, TheCpuDecompressesTilesThatTheGpuCompresses) {
  const Table tables[] = {
      value_of(Table::train(text(300000, 51), {.format = Format::tiles})),
      value_of(Table::train(text(300000, 51), {.format = Format::tiles, .code_bits = 10, .threads = 4})),
      value_of(Table::train(text(300000, 51), {.format = Format::tiles, .code_bits = 12, .threads = 4}))};
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::size_t index = 0;
  for (const std::size_t whole_size : tile_input_sizes) {
    const std::size_t size = sample.size(whole_size, std::min<std::size_t>(whole_size, 600000));
    SCOPED_TRACE(size);
    for (const Bytes& input : {text(size, 52), to_bytes(reference::test::make_mixed(size, 53)),
                               to_bytes(reference::test::make_random(size, 54)), Bytes(size)}) {
      if (!sample.has(index++)) continue;
      const auto expect_tiles_of_input = [&](const Bytes& frame) {
        EXPECT_EQ(value_of(inspect(frame)).format, static_cast<std::uint32_t>(Format::tiles));
        EXPECT_TRUE(value_of(decompress(frame)) == input);
      };
      expect_tiles_of_input(compress_on_gpu(input, {.format = Format::tiles}));
      for (std::size_t width = 0; width < std::size(tile_code_bits); ++width) {
        expect_tiles_of_input(
            compress_on_gpu(input, tiles_with_table(tile_code_bits[width]), &tables[width]));
      }
    }
  }
}

// The table that the CPU trains is the oracle of the one that the GPU trains.
TEST_F(GpuLibrary, TrainedTilesAreThoseOfTheTableThatTheCpuTrains) {
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::size_t index = 0;
  for (const std::size_t size : {1u, 4097u, 300000u, 3000000u}) {
    for (const Bytes& input : {text(size, 55), to_bytes(reference::test::make_mixed(size, 56))}) {
      if (!sample.has(index++)) continue;
      SCOPED_TRACE(size);
      const Table table = value_of(Table::train(input, {.format = Format::tiles}));
      const Bytes trained = compress_on_gpu(input, {.block_bytes = 50000, .format = Format::tiles});
      EXPECT_TRUE(compress_on_gpu(input, tiles_with_table(8), &table) == trained);
    }
  }
}

// A table of the first text compresses the others; the graph holds it, and nothing of an input.
TEST_F(GpuLibrary, ATableTrainedOnTheGpuServesOneExecutionAfterTheOtherAndAGraph) {
  for (const Format format : written_formats) {
    SCOPED_TRACE(static_cast<unsigned>(format));
    const Bytes first = text(300000, 57);
    CompressPlan plan = value_of(CompressPlan::create(
        first.size(), {.tables = Tables::loaded, .block_bytes = 50000, .format = format}));
    CompressArrays arrays(plan.sizes());
    arrays.scratch.fill(0xb7);
    arrays.input.write(first);
    const Stream stream;
    expect_refused(plan.execute(arrays.memory(), stream.get()), Error::invalid_argument, "no table");
    value_of(plan.train_table(arrays.input.all(), arrays.scratch.all(), stream.get()));
    stream.wait();
    const Graph graph(stream, [&] { value_of(plan.execute(arrays.memory(), stream.get())); });
    const Table table = value_of(Table::train(first, {.format = format}));
    for (const std::uint64_t seed : {57u, 58u, 59u}) {
      SCOPED_TRACE(seed);
      const Bytes input = text(first.size(), seed);
      arrays.input.write(input);
      arrays.output.fill(0);
      graph.run(stream);
      const Bytes frame = arrays.frame();
      EXPECT_TRUE(value_of(decompress(frame)) == input);
      const CompressOptions loaded{.tables = Tables::loaded, .block_bytes = 50000, .format = format};
      EXPECT_TRUE(compress_on_gpu(input, loaded, &table) == frame);
    }
    EXPECT_TRUE(arrays.is_intact());
  }
}

TEST_F(GpuLibrary, TilesOfEveryWidthAreCompressedByAGraphThatRunsAgain) {
  const Bytes sample = text(300000, 60);
  for (const std::uint32_t code_bits : tile_code_bits) {
    SCOPED_TRACE(code_bits);
    const Table table =
        value_of(Table::train(sample, {.format = Format::tiles, .code_bits = code_bits, .threads = 4}));
    CompressPlan plan = value_of(CompressPlan::create(sample.size(), tiles_with_table(code_bits)));
    CompressArrays arrays(plan.sizes());
    arrays.scratch.fill(0xb7);
    const Stream stream;
    value_of(plan.load_table(table, arrays.scratch.all(), stream.get()));
    const Graph graph(stream, [&] { value_of(plan.execute(arrays.memory(), stream.get())); });
    for (const std::uint64_t seed : {60u, 61u, 60u}) {
      SCOPED_TRACE(seed);
      const Bytes input = text(sample.size(), seed);
      arrays.input.write(input);
      arrays.output.fill(0xb7);
      arrays.frame_bytes.fill(0xb7);
      graph.run(stream);
      const Bytes frame = arrays.frame();
      EXPECT_LT(frame.size(), input.size());
      EXPECT_TRUE(value_of(decompress(frame)) == input);
      EXPECT_TRUE(compress_on_gpu(input, tiles_with_table(code_bits), &table) == frame);
    }
    EXPECT_TRUE(arrays.is_intact());
  }
}

TEST_F(GpuLibrary, BothDirectionsAreCapturedInOneGraphAndRunAgain) {
  const Bytes input = text(300000, 1);
  const CompressOptions options{.block_bytes = 50000};
  const Bytes frame = compress_on_gpu(input, options);
  const CompressPlan compress = value_of(CompressPlan::create(input.size(), options));
  const DecompressPlan decompress = value_of(DecompressPlan::create(frame));
  CompressArrays compressing(compress.sizes());
  DecompressArrays decompressing(decompress.sizes());
  DecompressMemory memory = decompressing.memory();
  // What the graph compresses is what it decompresses.
  memory.frame = compressing.output.all().first(frame.size());
  const Stream stream;
  const Graph graph(stream, [&] {
    value_of(compress.execute(compressing.memory(), stream.get()));
    value_of(decompress.execute(memory, stream.get()));
  });
  compressing.input.write(input);
  for (const int poison : {0x00, 0xb7}) {
    compressing.output.fill(poison);
    compressing.scratch.fill(poison);
    compressing.frame_bytes.fill(poison);
    decompressing.output.fill(poison);
    decompressing.scratch.fill(poison);
    decompressing.status.fill(0xb7);
    graph.run(stream);
    EXPECT_TRUE(compressing.frame() == frame);
    EXPECT_EQ(value_of(check_status(decompressing.status.read())), 6u);
    EXPECT_TRUE(decompressing.output.read() == input);
    EXPECT_TRUE(compressing.is_intact() && decompressing.is_intact());
  }
}

TEST_F(GpuLibrary, EveryFormatIsDecompressedByAGraph) {
  const Bytes input = text(300000, 2);
  for (const Format format : all_formats) {
    SCOPED_TRACE(static_cast<unsigned>(format));
    const Bytes frame = compress_on_cpu(input, format);
    const DecompressPlan plan = value_of(DecompressPlan::create(frame));
    DecompressArrays arrays(plan.sizes());
    arrays.frame.write(frame);
    const Stream stream;
    const Graph graph(stream, [&] { value_of(plan.execute(arrays.memory(), stream.get())); });
    for (int run = 0; run < 2; ++run) {
      arrays.output.fill(0);
      arrays.scratch.fill(0xb7);
      arrays.status.fill(0xb7);
      graph.run(stream);
      EXPECT_EQ(value_of(check_status(arrays.status.read())), 6u);
      EXPECT_TRUE(arrays.output.read() == input);
    }
  }
}

TEST_F(GpuLibrary, ALoadedTableServesOneExecutionAfterTheOtherAndAGraph) {
  const Bytes sample = text(300000, 3);
  const Table table = value_of(Table::train(sample, {.format = Format::splits}));
  CompressPlan plan = value_of(CompressPlan::create(
      sample.size(),
      {.tables = Tables::loaded, .block_bytes = 50000, .splits = 100, .format = Format::splits}));
  CompressArrays arrays(plan.sizes());
  const Stream stream;
  const auto refused = plan.execute(arrays.memory(), stream.get());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.failure().error, Error::invalid_argument);
  value_of(plan.load_table(table, arrays.scratch.all(), stream.get()));
  const Graph graph(stream, [&] { value_of(plan.execute(arrays.memory(), stream.get())); });
  for (const std::uint64_t seed : {3u, 4u, 5u}) {
    const Bytes input = text(sample.size(), seed);
    arrays.input.write(input);
    value_of(plan.execute(arrays.memory(), stream.get()));
    stream.wait();
    const Bytes frame = arrays.frame();
    EXPECT_TRUE(value_of(decompress(frame)) == input);
    arrays.output.fill(0);
    graph.run(stream);
    EXPECT_TRUE(arrays.frame() == frame);
  }
  EXPECT_TRUE(arrays.is_intact());
}

// Damages bytes of the second block of `frame`, each by itself.
void expect_damage_is_seen(const Bytes& frame, const Bytes& input) {
  const auto block = value_of(value_of(gsst::DecompressPlan::create(frame)).block(1));
  const DecompressPlan plan = value_of(DecompressPlan::create(frame));
  const Stream stream;
  DecompressArrays arrays(plan.sizes());
  // The codes, which no plan has looked at, are in the block's second half.
  const std::uint64_t end = block.compressed_offset + block.compressed_bytes;
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::size_t index = 0;
  for (std::uint64_t place = end - block.compressed_bytes / 2; place < end; place += 997) {
    if (!sample.has(index++)) continue;
    SCOPED_TRACE("byte " + std::to_string(place));
    Bytes damaged = frame;
    damaged[place] ^= std::byte{0x11};
    arrays.frame.write(damaged);
    arrays.output.fill(0);
    value_of(plan.execute(arrays.memory(), stream.get()));
    stream.wait();
    const std::vector<std::uint32_t> status = arrays.status.read();
    EXPECT_EQ(status[0], 0u);
    // Behind the codes there may be bytes that nothing reads.
    EXPECT_TRUE(status[1] != 0 || arrays.output.read() == input);
    EXPECT_TRUE(arrays.is_intact());
    const auto checked = check_status(status);
    if (!checked) {
      EXPECT_NE(checked.failure().message.find("block 1"), std::string::npos) << checked.failure().message;
    }
  }
}

// A test for each format: under racecheck one takes minutes.
void expect_no_damage_of_a_block_goes_unseen(Format format) {
  const Bytes input = text(100000, 4);
  expect_damage_is_seen(compress_on_cpu(input, format), input);
}
void expect_no_damage_of_a_block_of_the_gpu_goes_unseen(Format format) {
  const Bytes input = text(100000, 4);
  expect_damage_is_seen(compress_on_gpu(input, {.block_bytes = 50000, .format = format}), input);
}

TEST_F(GpuLibrary, NoDamagedByteOfBlocksGoesUnseen) {
  expect_no_damage_of_a_block_goes_unseen(Format::blocks);
}
TEST_F(GpuLibrary, NoDamagedByteOfSplitsGoesUnseen) {
  expect_no_damage_of_a_block_goes_unseen(Format::splits);
}
TEST_F(GpuLibrary, NoDamagedByteOfCoalescedFramesGoesUnseen) {
  expect_no_damage_of_a_block_goes_unseen(Format::coalesced);
}
TEST_F(GpuLibrary, NoDamagedByteOfTilesGoesUnseen) {
  expect_no_damage_of_a_block_goes_unseen(Format::tiles);
}
TEST_F(GpuLibrary, NoDamagedByteOfSplitsOfTheGpuGoesUnseen) {
  expect_no_damage_of_a_block_of_the_gpu_goes_unseen(Format::splits);
}
TEST_F(GpuLibrary, NoDamagedByteOfTilesOfTheGpuGoesUnseen) {
  expect_no_damage_of_a_block_of_the_gpu_goes_unseen(Format::tiles);
}

// What a decompression of ranges works in.
struct RangesArrays {
  RangesArrays(const DecompressPlan& plan, std::span<const std::byte> frame_bytes,
               std::span<const Range> wanted, std::size_t output_bytes)
      : frame(frame_bytes),
        ranges(wanted),
        output(output_bytes),
        scratch(value_of(plan.ranges_sizes(wanted.size())).scratch_bytes),
        status(wanted.size()) {}

  RangesMemory memory() {
    return {.frame = frame.all(),
            .ranges = ranges.all(),
            .output = output.all(),
            .scratch = scratch.all(),
            .status = status.all()};
  }
  bool is_intact() const {
    return frame.is_intact() && ranges.is_intact() && output.is_intact() && scratch.is_intact() &&
           status.is_intact();
  }

  DeviceArray<std::byte> frame;
  DeviceArray<Range> ranges;
  DeviceArray<std::byte> output;
  DeviceArray<std::byte> scratch;
  DeviceArray<std::uint32_t> status;
};

// Every byte of the frame twice: in ranges of all sizes, and in one, one behind the other in the output.
std::vector<Range> many_ranges(std::uint64_t size) {
  std::vector<Range> ranges;
  std::uint64_t bytes = 0;
  for (std::uint64_t offset = 0; offset < size; offset += bytes) {
    bytes = std::min(ranges.size() * 37 % 1000, size - offset);
    ranges.push_back({.offset = offset, .bytes = bytes, .output_offset = offset});
    // An empty one is not the last.
    if (bytes == 0) ranges.push_back({.offset = offset, .bytes = bytes = 1, .output_offset = offset});
  }
  std::ranges::reverse(ranges);
  ranges.push_back({.offset = 0, .bytes = size, .output_offset = size});
  return ranges;
}

Bytes twice(const Bytes& input) {
  Bytes bytes = input;
  bytes.insert(bytes.end(), input.begin(), input.end());
  return bytes;
}

// Text, and a piece that is stored raw.
Bytes text_and_random(std::uint64_t seed) {
  Bytes input = text(800000, seed);
  const Bytes random = to_bytes(reference::test::make_random(120000, seed));
  input.insert(input.end(), random.begin(), random.end());
  return input;
}

TEST_F(GpuLibrary, RangesAreDecompressedByAGraph) {
  const Bytes input = text_and_random(6);
  for (const Format format : {Format::splits, Format::tiles}) {
    SCOPED_TRACE(static_cast<unsigned>(format));
    const Bytes frame = compress_on_cpu(input, format);
    const DecompressPlan plan = value_of(DecompressPlan::create(frame));
    const std::vector<Range> ranges = many_ranges(input.size());
    RangesArrays arrays(plan, frame, ranges, 2 * input.size());
    const Stream stream;
    const Graph graph(stream, [&] { value_of(plan.execute_ranges(arrays.memory(), stream.get())); });
    for (int run = 0; run < 2; ++run) {
      arrays.output.fill(0);
      arrays.scratch.fill(0xb7);
      arrays.status.fill(0xb7);
      graph.run(stream);
      EXPECT_EQ(value_of(check_range_status(arrays.status.read())), ranges.size());
      EXPECT_TRUE(arrays.output.read() == twice(input));
      EXPECT_TRUE(arrays.is_intact());
    }
  }
}

TEST_F(GpuLibrary, RangesOfWhatTheGpuCompressedAndThoseThatReachOut) {
  const Bytes input = text_and_random(7);
  for (const Format format : written_formats) {
    SCOPED_TRACE(static_cast<unsigned>(format));
    const Bytes frame = compress_on_gpu(input, {.block_bytes = 100000, .format = format});
    const DecompressPlan plan = value_of(DecompressPlan::create(frame));
    std::vector<Range> ranges = many_ranges(input.size());
    const std::size_t good = ranges.size();
    ranges.push_back({.offset = input.size(), .bytes = 1, .output_offset = 0});
    ranges.push_back({.offset = 0, .bytes = 2, .output_offset = 2 * input.size() - 1});
    RangesArrays arrays(plan, frame, ranges, 2 * input.size());
    const Stream stream;
    value_of(plan.execute_ranges(arrays.memory(), stream.get()));
    stream.wait();
    const std::vector<std::uint32_t> status = arrays.status.read();
    EXPECT_EQ(value_of(check_range_status(std::span(status).first(good))), good);
    EXPECT_EQ(status[good], static_cast<std::uint32_t>(GSST_GPU_RANGE_OUTSIDE_FRAME));
    EXPECT_EQ(status[good + 1], static_cast<std::uint32_t>(GSST_GPU_RANGE_OUTSIDE_OUTPUT));
    EXPECT_TRUE(arrays.output.read() == twice(input));
    EXPECT_TRUE(arrays.is_intact());
  }
}

TEST_F(GpuLibrary, DamageIsReportedForTheRangesThatItIsIn) {
  const Bytes input = text(200000, 8);
  for (const Format format : {Format::splits, Format::tiles}) {
    SCOPED_TRACE(static_cast<unsigned>(format));
    const Bytes frame = compress_on_cpu(input, format);
    const auto block = value_of(value_of(gsst::DecompressPlan::create(frame)).block(1));
    const DecompressPlan plan = value_of(DecompressPlan::create(frame));
    std::vector<Range> ranges;
    for (std::uint64_t offset = 0; offset < input.size(); offset += 50) {
      ranges.push_back({.offset = offset, .bytes = 50, .output_offset = offset});
    }
    RangesArrays arrays(plan, frame, ranges, input.size());
    const Stream stream;
    unsigned seen = 0;
    // In the middle of a block there are codes.
    for (int change = 0; change < 40; ++change) {
      Bytes damaged = frame;
      damaged[block.compressed_offset + block.compressed_bytes / 2 + static_cast<unsigned>(change)] =
          std::byte{0xff};
      arrays.frame.write(damaged);
      value_of(plan.execute_ranges(arrays.memory(), stream.get()));
      stream.wait();
      const std::vector<std::uint32_t> status = arrays.status.read();
      for (std::size_t range = 0; range < ranges.size(); ++range) {
        if (status[range] == 0) continue;
        ++seen;
        EXPECT_EQ(ranges[range].offset / 50000, 1u);
      }
      EXPECT_TRUE(arrays.is_intact());
    }
    EXPECT_GT(seen, 0u);
    EXPECT_LT(seen, 40 * ranges.size() / 8);
  }
}

TEST_F(GpuLibrary, ShortStripsAndChecksumsOfPiecesThatTheCpuWrote) {
  const Bytes input = text_and_random(9);
  const std::vector<Range> ranges = many_ranges(input.size());
  for (const std::uint32_t strip_codes : {512u, 1024u}) {
    SCOPED_TRACE(strip_codes);
    const Bytes frame = value_of(compress(input, {.format = Format::tiles,
                                                  .block_bytes = 100000,
                                                  .strip_codes = strip_codes,
                                                  .checksum = Checksum::xxh64_tree}));
    const DecompressPlan plan = value_of(DecompressPlan::create(frame));
    const Stream stream;
    DecompressArrays arrays(plan.sizes());
    arrays.frame.write(frame);
    value_of(plan.execute(arrays.memory(), stream.get()));
    RangesArrays parts(plan, frame, ranges, 2 * input.size());
    value_of(plan.execute_ranges(parts.memory(), stream.get()));
    stream.wait();
    EXPECT_EQ(value_of(check_status(arrays.status.read())), 10u);
    EXPECT_TRUE(arrays.output.read() == input);
    EXPECT_EQ(value_of(check_range_status(parts.status.read())), ranges.size());
    EXPECT_TRUE(parts.output.read() == twice(input));
    EXPECT_TRUE(arrays.is_intact() && parts.is_intact());

    // The ninth block is random bytes, which are stored as they are.
    Bytes damaged = frame;
    const auto raw = value_of(value_of(gsst::DecompressPlan::create(frame)).block(8));
    ASSERT_EQ(raw.layout, static_cast<std::uint32_t>(GSST_LAYOUT_RAW));
    damaged[raw.compressed_offset + 5000] ^= std::byte{1};
    arrays.frame.write(damaged);
    value_of(plan.execute(arrays.memory(), stream.get()));
    stream.wait();
    EXPECT_EQ(check_status(arrays.status.read()).failure().error, Error::wrong_checksum);
  }
}

TEST_F(GpuLibrary, MemoryThatIsNotOfTheDeviceIsRefused) {
  const Bytes frame = compress_on_cpu(text(1000, 1), Format::splits);
  const DecompressPlan plan = value_of(DecompressPlan::create(frame));
  DecompressArrays arrays(plan.sizes());
  Bytes host(1000);
  DecompressMemory memory = arrays.memory();
  memory.output = host;
  expect_refused(plan.execute(memory, nullptr), Error::wrong_memory, "output");
  memory = arrays.memory();
  memory.frame = frame;
  expect_refused(plan.execute(memory, nullptr), Error::wrong_memory, "frame");

  CompressPlan compress = value_of(CompressPlan::create(1000, {.tables = Tables::loaded}));
  CompressArrays compressing(compress.sizes());
  std::uint64_t word = 0;
  CompressMemory compress_memory = compressing.memory();
  compress_memory.frame_bytes = &word;
  expect_refused(compress.execute(compress_memory, nullptr), Error::wrong_memory, "frame_bytes");
}

TEST_F(GpuLibrary, CompressionRefusesWrongArguments) {
  CompressPlan plan = value_of(CompressPlan::create(1000));
  CompressArrays arrays(plan.sizes());
  const auto refuse = [&](auto change, Error error, const std::string& word) {
    CompressMemory memory = arrays.memory();
    change(memory);
    expect_refused(plan.execute(memory, nullptr), error, word);
  };
  refuse([](CompressMemory& memory) { memory.input = {}; }, Error::invalid_argument, "input_bytes");
  refuse([](CompressMemory& memory) { memory.output = memory.output.first(memory.output.size() - 1); },
         Error::output_too_small, "output");
  refuse([](CompressMemory& memory) { memory.scratch = memory.scratch.first(memory.scratch.size() - 1); },
         Error::scratch_too_small, "scratch");
  refuse(
      [](CompressMemory& memory) {
        memory.scratch = {memory.scratch.data() + 8, memory.scratch.size()};
      },
      Error::misaligned, "scratch");
  refuse(
      [](CompressMemory& memory) {
        memory.output = {memory.scratch.data(), memory.output.size()};
      },
      Error::overlap, "output");
  refuse([](CompressMemory& memory) { memory.frame_bytes = nullptr; }, Error::null_pointer, "frame_bytes");

  const Table table = value_of(Table::train(text(1000, 1)));
  expect_refused(plan.load_table(table, arrays.scratch.all(), nullptr), Error::invalid_argument, "trains");
  EXPECT_EQ(CompressPlan::create(1000, {.block_bytes = std::uint64_t{1} << 31}).failure().error,
            Error::invalid_argument);
  EXPECT_EQ(CompressPlan::create(1000, {.splits = 65537, .format = Format::splits}).failure().error,
            Error::invalid_argument);
  EXPECT_EQ(CompressPlan::create(std::size_t{1} << 60).failure().error, Error::invalid_argument);
}

TEST_F(GpuLibrary, ATableIsNotLoadedDuringACapture) {
  const Table table = value_of(Table::train(text(1000, 1)));
  CompressPlan plan = value_of(CompressPlan::create(1000, {.tables = Tables::loaded}));
  CompressArrays arrays(plan.sizes());
  const Stream stream;
  const Graph graph(stream, [&] {
    expect_refused(plan.load_table(table, arrays.scratch.all(), stream.get()), Error::invalid_argument,
                   "captured");
    expect_refused(plan.train_table(arrays.input.all(), arrays.scratch.all(), stream.get()),
                   Error::invalid_argument, "captured");
  });
}

// From here on no GPU is needed: the arguments are looked at first.

// Host memory in place of device memory.
class HostMemory {
public:
  explicit HostMemory(const DecompressSizes& sizes)
      : frame_(sizes.frame_bytes),
        output_(sizes.output_bytes),
        scratch_(sizes.scratch_bytes),
        status_(sizes.status_count) {}

  DecompressMemory memory() {
    return {.frame = frame_, .output = output_, .scratch = scratch_, .status = status_};
  }

private:
  Bytes frame_;
  Bytes output_;
  Bytes scratch_;
  std::vector<std::uint32_t> status_;
};

TEST(GpuApi, DecompressionRefusesWrongArguments) {
  // The scratch memory is for the stage of format tiles.
  const Bytes frame = compress_on_cpu(text(100000, 1), Format::tiles);
  const DecompressPlan plan = value_of(DecompressPlan::create(frame));
  ASSERT_NE(plan.sizes().scratch_bytes, 0u);
  HostMemory host(plan.sizes());
  const auto refuse = [&](auto change, Error error, const std::string& word) {
    DecompressMemory memory = host.memory();
    change(memory);
    expect_refused(plan.execute(memory, nullptr), error, word);
  };
  using Memory = DecompressMemory;
  refuse([](Memory& memory) { memory.frame = memory.frame.subspan(1); }, Error::invalid_argument,
         "frame_bytes");
  refuse([](Memory& memory) { memory.output = memory.output.subspan(1); }, Error::output_too_small, "output");
  refuse([](Memory& memory) { memory.scratch = memory.scratch.subspan(1); }, Error::scratch_too_small,
         "scratch");
  refuse([](Memory& memory) { memory.status = memory.status.subspan(1); }, Error::output_too_small, "status");
  refuse(
      [](Memory& memory) {
        memory.scratch = {memory.scratch.data() + 4, memory.scratch.size()};
      },
      Error::misaligned, "scratch");
  refuse(
      [](Memory& memory) {
        memory.output = {static_cast<std::byte*>(nullptr), memory.output.size()};
      },
      Error::null_pointer, "output");
  refuse(
      [&](Memory& memory) {
        memory.output = {memory.scratch.data(), memory.output.size()};
      },
      Error::overlap, "output");
}

TEST(GpuApi, RangesRefuseWrongArguments) {
  const Bytes frame = compress_on_cpu(text(100000, 1), Format::tiles);
  const DecompressPlan plan = value_of(DecompressPlan::create(frame));
  std::vector<Range> ranges(4);
  Bytes output(10);
  Bytes scratch(value_of(plan.ranges_sizes(ranges.size())).scratch_bytes);
  std::vector<std::uint32_t> status(ranges.size());
  const auto refuse = [&](auto change, Error error, const std::string& word) {
    RangesMemory memory{
        .frame = frame, .ranges = ranges, .output = output, .scratch = scratch, .status = status};
    change(memory);
    expect_refused(plan.execute_ranges(memory, nullptr), error, word);
  };
  using Memory = RangesMemory;
  refuse([](Memory& memory) { memory.frame = memory.frame.subspan(1); }, Error::invalid_argument,
         "frame_bytes");
  refuse([](Memory& memory) { memory.scratch = memory.scratch.subspan(8); }, Error::scratch_too_small,
         "scratch");
  refuse([](Memory& memory) { memory.status = memory.status.subspan(1); }, Error::output_too_small, "status");
  refuse(
      [](Memory& memory) {
        memory.ranges = {static_cast<const Range*>(nullptr), memory.ranges.size()};
      },
      Error::null_pointer, "ranges");
  refuse(
      [](Memory& memory) {
        memory.output = {static_cast<std::byte*>(nullptr), memory.output.size()};
      },
      Error::null_pointer, "output");
  refuse([](Memory& memory) { memory.output = memory.scratch.first(1); }, Error::overlap, "output");

  const Bytes other = compress_on_cpu(text(1000, 1), Format::coalesced);
  const DecompressPlan without_ranges = value_of(DecompressPlan::create(other));
  EXPECT_EQ(without_ranges.ranges_sizes(1).failure().error, Error::wrong_format);
  EXPECT_EQ(plan.ranges_sizes((std::size_t{1} << 38) + 1).failure().error, Error::invalid_argument);
}

TEST(GpuApi, APlanSaysWhatRangesNeed) {
  const Bytes frame = compress_on_cpu(text(100000, 1), Format::splits);
  const RangesSizes sizes = value_of(value_of(DecompressPlan::create(frame)).ranges_sizes(3000));
  EXPECT_EQ(sizes.frame_bytes, frame.size());
  EXPECT_EQ(sizes.status_count, 3000u);
  EXPECT_EQ(sizes.device_bytes, frame.size() + sizes.scratch_bytes + 3000 * (sizeof(Range) + 4));
}

TEST(GpuApi, ARangesStatusIsTurnedIntoAnError) {
  EXPECT_EQ(value_of(check_range_status(std::vector<std::uint32_t>(3))), 3u);
  const auto failure_of = [](std::uint32_t word) {
    return check_range_status(std::vector<std::uint32_t>{0, word}).failure();
  };
  EXPECT_EQ(failure_of(GSST_GPU_BLOCK_TOO_LONG).error, Error::damaged);
  EXPECT_EQ(failure_of(GSST_GPU_RANGE_OUTSIDE_FRAME).error, Error::invalid_argument);
  EXPECT_EQ(failure_of(GSST_GPU_RANGE_OUTSIDE_OUTPUT).error, Error::output_too_small);
  EXPECT_EQ(failure_of(GSST_GPU_RANGE_OUTSIDE_OUTPUT).message,
            "range 1: the range reaches out of the output");
}

TEST(GpuApi, NullPointersAreNamed) {
  gsst_message message;
  EXPECT_EQ(gsst_gpu_decompress_plan_create(nullptr, 1, nullptr, nullptr, &message), GSST_ERROR_NULL_POINTER);
  EXPECT_STREQ(message.text, "plan is null");
  gsst_gpu_decompress_plan* plan = nullptr;
  EXPECT_EQ(gsst_gpu_decompress_plan_create(nullptr, 1, nullptr, &plan, &message), GSST_ERROR_NULL_POINTER);
  EXPECT_STREQ(message.text, "frame is null");
  EXPECT_EQ(gsst_gpu_decompress_execute(nullptr, nullptr, nullptr, &message), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_gpu_decompress_plan_sizes(nullptr, nullptr), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_gpu_decompress_plan_info(nullptr, nullptr), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_gpu_compress_plan_create(1, nullptr, nullptr, &message), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_gpu_compress_plan_sizes(nullptr, nullptr), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_gpu_compress_execute(nullptr, nullptr, nullptr, &message), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_gpu_compress_load_table(nullptr, nullptr, nullptr, 0, nullptr, &message),
            GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_gpu_compress_train_table(nullptr, nullptr, 0, nullptr, 0, nullptr, &message),
            GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_gpu_table_train(nullptr, 0, nullptr, &message), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_gpu_table_train_with(nullptr, 0, nullptr, nullptr, &message), GSST_ERROR_NULL_POINTER);
  gsst_gpu_table* table = nullptr;
  EXPECT_EQ(gsst_gpu_table_train_with(nullptr, 1, nullptr, &table, &message), GSST_ERROR_NULL_POINTER);
  EXPECT_STREQ(message.text, "sample is null");
  EXPECT_EQ(gsst_gpu_check_status(nullptr, 1, &message), GSST_ERROR_NULL_POINTER);
  EXPECT_STREQ(message.text, "status is null");
  EXPECT_EQ(gsst_gpu_check_range_status(nullptr, 1, &message), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_gpu_decompress_ranges_sizes(nullptr, 1, nullptr, &message), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_gpu_decompress_ranges(nullptr, nullptr, nullptr, &message), GSST_ERROR_NULL_POINTER);
  gsst_gpu_decompress_plan_destroy(nullptr);
  gsst_gpu_compress_plan_destroy(nullptr);
  gsst_gpu_table_destroy(nullptr);
}

TEST(GpuApi, WrongOptionsAndFramesAreRefused) {
  const Bytes frame = compress_on_cpu(text(1000, 1), Format::splits);
  const auto error_of = [&](std::span<const std::byte> bytes, Format format) {
    return DecompressPlan::create(bytes, {.format = format}).failure().error;
  };
  EXPECT_EQ(error_of(frame, Format::tiles), Error::wrong_format);
  EXPECT_EQ(error_of(frame, Format::fsst), Error::invalid_argument);
  EXPECT_EQ(error_of(std::span(frame).subspan(1), Format::automatic), Error::wrong_format);
  EXPECT_EQ(error_of(std::span(frame).first(frame.size() - 1), Format::automatic), Error::damaged);

  gsst_gpu_decompress_options options{};
  gsst_gpu_decompress_plan* plan = nullptr;
  EXPECT_EQ(gsst_gpu_decompress_plan_create(frame.data(), frame.size(), &options, &plan, nullptr),
            GSST_ERROR_INVALID_ARGUMENT);
  options = {.struct_bytes = sizeof options, .format = 0, .skip_checksums = 2, .reserved = 0};
  EXPECT_EQ(gsst_gpu_decompress_plan_create(frame.data(), frame.size(), &options, &plan, nullptr),
            GSST_ERROR_INVALID_ARGUMENT);
  options = {.struct_bytes = sizeof options, .format = 0, .skip_checksums = 0, .reserved = 1};
  EXPECT_EQ(gsst_gpu_decompress_plan_create(frame.data(), frame.size(), &options, &plan, nullptr),
            GSST_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(plan, nullptr);
}

// Options of a compression or of a table that cannot be; all of them are looked at before the device is.
TEST(GpuApi, OptionsOfCompressionsAndTablesThatContradictEachOtherAreRefused) {
  const auto expect_named = [](const auto& result, const std::string& word) {
    ASSERT_FALSE(result) << "expected: " << word;
    EXPECT_EQ(result.failure().error, Error::invalid_argument);
    EXPECT_NE(result.failure().message.find(word), std::string::npos) << result.failure().message;
  };
  const auto refuse = [&](const CompressOptions& options, const std::string& word) {
    expect_named(CompressPlan::create(1000, options), word);
  };
  const Format tiles = Format::tiles;
  refuse({.format = Format::blocks}, "format is blocks");
  refuse({.format = Format::coalesced}, "format is coalesced");
  refuse({.format = Format::fsst}, "format is fsst");
  refuse({.format = static_cast<Format>(77)}, "format is 77");
  refuse({.format = Format::splits, .code_bits = 8}, "code_bits is 8, expected 0");
  refuse({.format = Format::splits, .code_bits = 12}, "code_bits is 12, expected 0");
  refuse({.format = tiles, .code_bits = 9}, "code_bits is 9, expected 8, 10 or 12");
  refuse({.splits = 100, .format = tiles}, "splits is 100, expected 0 for format tiles");
  refuse({.blocks_per_table = 64, .format = tiles}, "blocks_per_table is 64, expected 0 for format tiles");
  // The default.
  refuse({.splits = 100}, "splits is 100, expected 0 for format tiles");
  refuse({.blocks_per_table = 64}, "blocks_per_table is 64, expected 0 for format tiles");
  refuse({.code_bits = 9}, "code_bits is 9, expected 8, 10 or 12");

  const Bytes sample = text(1000, 1);
  const auto refuse_table = [&](const TableOptions& options, const std::string& word) {
    expect_named(Table::train(sample, options), word);
  };
  refuse_table({.format = Format::blocks}, "format is blocks");
  refuse_table({.format = Format::splits, .code_bits = 10}, "code_bits is 10, expected 0");
  refuse_table({.format = tiles, .code_bits = 11}, "code_bits is 11");
  refuse_table({.format = Format::splits, .level = 2}, "level is 2, expected 1 for format splits");
  refuse_table({.format = tiles, .level = 10}, "10");
  refuse_table({.format = tiles, .threads = 5000}, "threads is 5000");
}

TEST(GpuApi, ATableIsTrainedForEveryWidthAndLevel) {
  const Bytes sample = text(20000, 2);
  for (const std::uint32_t code_bits : tile_code_bits) {
    for (const std::uint32_t level : {0u, 1u, 4u}) {
      EXPECT_TRUE(Table::train(sample, {.format = Format::tiles, .code_bits = code_bits, .level = level}));
    }
    EXPECT_TRUE(Table::train({}, {.format = Format::tiles, .code_bits = code_bits}));
  }
  EXPECT_TRUE(Table::train(sample, {.format = Format::splits, .level = 1}));
  EXPECT_TRUE(Table::train(sample, {.code_bits = 12, .level = 4}));
}

TEST(GpuApi, APlanSaysWhatTheFrameIsAndWhatItNeeds) {
  const Bytes input = text(100000, 1);
  const Bytes frame = compress_on_cpu(input, Format::coalesced);
  const DecompressPlan plan = value_of(DecompressPlan::create(frame));
  EXPECT_EQ(plan.info().uncompressed_bytes, input.size());
  EXPECT_EQ(plan.info().format, static_cast<std::uint32_t>(Format::coalesced));
  const DecompressSizes sizes = plan.sizes();
  EXPECT_EQ(sizes.frame_bytes, frame.size());
  EXPECT_EQ(sizes.output_bytes, input.size());
  EXPECT_EQ(sizes.status_count, 2u);
  EXPECT_EQ(sizes.device_bytes,
            frame.size() + input.size() + sizes.scratch_bytes + 2 * sizeof(std::uint32_t));
}

TEST(GpuApi, AStatusIsTurnedIntoAnError) {
  EXPECT_EQ(value_of(check_status(std::vector<std::uint32_t>(3))), 3u);
  const auto failure_of = [](std::vector<std::uint32_t> status) { return check_status(status).failure(); };
  const Failure too_long = failure_of({0, GSST_GPU_BLOCK_TOO_LONG, GSST_GPU_BLOCK_WRONG_CHECKSUM});
  EXPECT_EQ(too_long.error, Error::damaged);
  EXPECT_NE(too_long.message.find("block 1"), std::string::npos) << too_long.message;
  const Failure checksum = failure_of({0, 0, GSST_GPU_BLOCK_WRONG_CHECKSUM, GSST_GPU_BLOCK_TOO_LONG});
  EXPECT_EQ(checksum.error, Error::wrong_checksum);
  EXPECT_NE(checksum.message.find("block 2"), std::string::npos) << checksum.message;
}

TEST(GpuApi, EveryStatusHasATextOfItsOwn) {
  std::vector<std::string> texts;
  for (const std::uint32_t status : {0u, 1u, 2u, 3u, 4u, 5u, 251u, 252u, 253u, 254u, 255u, 77u}) {
    texts.emplace_back(block_status_text(status));
    // What names a part of a block does not change the text.
    EXPECT_EQ(block_status_text(0x12345600u | status), texts.back());
  }
  std::ranges::sort(texts);
  EXPECT_EQ(std::ranges::adjacent_find(texts), texts.end());
  EXPECT_TRUE(std::ranges::find(texts, "unknown status") != texts.end());
}

TEST(GpuApi, WithoutAGpuEverythingElseSaysSo) {
  if (has_gpu()) GTEST_SKIP() << "there is a GPU";
  const auto compress = CompressPlan::create(1000);
  ASSERT_FALSE(compress);
  EXPECT_EQ(compress.failure().error, Error::cuda);
  EXPECT_TRUE(compress.failure().message.starts_with("cudaGetDevice(")) << compress.failure().message;
  const Bytes frame = compress_on_cpu(text(1000, 1), Format::splits);
  const DecompressPlan plan = value_of(DecompressPlan::create(frame));
  HostMemory host(plan.sizes());
  expect_refused(plan.execute(host.memory(), nullptr), Error::cuda, "cudaGetDevice");
}

}  // namespace
}  // namespace gsst::gpu
