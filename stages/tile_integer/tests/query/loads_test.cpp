#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/frame_shape.hpp"
#include "common/stage/kernels_on.hpp"
#include "common/stage/run_decode.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/tile_integer/plain_frame.hpp"
#include "stages/tile_integer/tests/query/column_sums.hpp"
#include "stages/tile_integer/tests/query/run_query.hpp"

// Each load gives a kernel outside of the stages the values that were encoded.
namespace gsst::tile_integer {
namespace {

constexpr std::uint64_t seed_of_loads = 91;

struct LoadCase {
  const char* name;
  Load load;
  format::BlockFormat format;
};

constexpr std::array load_cases = {
    LoadCase{"plain", Load::plain, format::tile_integer::for_format},
    LoadCase{"whole", Load::whole, format::tile_integer::for_format},
    LoadCase{"bit_pack", Load::bit_pack, format::tile_integer::for_format},
    LoadCase{"dbit_pack", Load::dbit_pack, format::tile_integer::dfor_format},
    LoadCase{"rbit_pack", Load::rbit_pack, format::tile_integer::rfor_format},
};

class LoadTest : public testing::TestWithParam<LoadCase> {
protected:
  template <typename Buffer>
  static void expect_loads_on(stage::Executor executor, const std::vector<std::uint8_t>& frame,
                              const std::vector<std::uint8_t>& column, std::uint32_t value_bytes) {
    const ColumnSums& kernels = stage::KernelsOn<ColumnSums>::get(executor);
    Buffer input(frame);
    stage::FrameOnDevice shape = stage::frame_shape(frame);
    shape.bytes = input.data();
    const unsigned tiles = kernels.tiles(shape, value_bytes);
    GuardedMemory<Buffer> values(column.size());
    GuardedMemory<Buffer> sums(tiles * sizeof(std::uint64_t));
    kernels.run(GetParam().load, shape, value_bytes, values.given().data,
                static_cast<std::uint64_t*>(sums.given().data));
    stage::wait_for(executor);
    EXPECT_FALSE(values.is_left());
    EXPECT_FALSE(sums.is_left());
    EXPECT_TRUE(values.content() == column);
    std::uint64_t expected = 0;
    for (std::size_t place = 0; place < column.size(); place += value_bytes) {
      std::uint64_t value = 0;
      std::memcpy(&value, column.data() + place, value_bytes);
      expected += value;
    }
    const std::vector<std::uint8_t> sum_bytes = sums.content();
    std::uint64_t total = 0;
    for (std::size_t tile = 0; tile < tiles; ++tile) {
      std::uint64_t sum = 0;
      std::memcpy(&sum, sum_bytes.data() + tile * sizeof sum, sizeof sum);
      total += sum;
    }
    EXPECT_EQ(total, expected);
  }

  static void expect_loads(const std::vector<std::uint8_t>& column, std::uint32_t value_bytes,
                           std::uint64_t block_bytes) {
    SCOPED_TRACE(std::to_string(column.size() / value_bytes) + " values of " + std::to_string(value_bytes) +
                 " bytes, seed " + std::to_string(seed_of_loads));
    const auto type = value_bytes == 4 ? format::tile_integer::Type::i32 : format::tile_integer::Type::i64;
    const std::vector<std::uint8_t> frame =
        GetParam().load == Load::plain || GetParam().load == Load::whole
            ? reference::tile_integer::plain_frame(column, block_bytes)
            : reference::encode_file(
                  reference::codec_of(GetParam().format), column,
                  {.block_bytes = block_bytes, .options = {{"type", static_cast<std::uint64_t>(type)}}});
    expect_loads_on<stage::HostBuffer>(stage::Executor::simt, frame, column, value_bytes);
#if GSST_WITH_CUDA
    if (stage::is_available(stage::Executor::gpu)) {
      expect_loads_on<cuda::DeviceBuffer>(stage::Executor::gpu, frame, column, value_bytes);
    }
#endif
  }

  // Values of up to `width` bits above a negative number, in runs of 1 to `longest_run`.
  static std::vector<std::uint8_t> random_column(std::size_t count, std::uint32_t value_bytes, unsigned width,
                                                 unsigned longest_run, std::mt19937_64& random) {
    const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    std::vector<std::uint8_t> column(count * value_bytes);
    std::uint64_t value = 0;
    std::size_t left = 0;
    for (std::size_t i = 0; i < count; ++i, --left) {
      if (left == 0) {
        left = 1 + random() % longest_run;
        value = (random() & mask) - 1000;
      }
      std::memcpy(column.data() + i * value_bytes, &value, value_bytes);
    }
    return column;
  }
};

INSTANTIATE_TEST_SUITE_P(Loads, LoadTest, testing::ValuesIn(load_cases),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

TEST_P(LoadTest, LoadsEveryWidth) {
  std::mt19937_64 random(seed_of_loads);
  for (const std::uint32_t value_bytes : {4U, 8U}) {
    for (unsigned width = 0; width <= 8 * value_bytes; ++width) {
      expect_loads(random_column(600, value_bytes, width, 1 + width % 5, random), value_bytes, 1 << 20);
      if (HasFailure()) return;
    }
  }
}

// Tiles of every kind of length, and blocks of frames that are raw, or end with or within a tile.
TEST_P(LoadTest, LoadsEveryLength) {
  std::mt19937_64 random(seed_of_loads);
  for (const std::uint32_t value_bytes : {4U, 8U}) {
    for (const std::size_t count : {1, 31, 33, 127, 128, 129, 385, 511, 512, 513, 1100}) {
      for (const std::uint64_t block_values : {700, 1024}) {
        std::vector<std::uint8_t> column = random_column(count, value_bytes, 9, 4, random);
        // One that gets no smaller.
        const std::vector<std::uint8_t> raw = random_column(300, value_bytes, 8 * value_bytes, 1, random);
        column.insert(column.end(), raw.begin(), raw.end());
        expect_loads(column, value_bytes, block_values * value_bytes);
        if (HasFailure()) return;
      }
    }
  }
}

// A tile of the widest values, in a block that is not raw since others get smaller: it needs all of the
// shared memory.
TEST_P(LoadTest, LoadsTheLargestTile) {
  std::mt19937_64 random(seed_of_loads);
  for (const std::uint32_t value_bytes : {4U, 8U}) {
    std::vector<std::uint8_t> column = random_column(512, value_bytes, 8 * value_bytes, 1, random);
    const std::vector<std::uint8_t> constant = random_column(2000, value_bytes, 0, 1, random);
    column.insert(column.end(), constant.begin(), constant.end());
    expect_loads(column, value_bytes, 1 << 20);
  }
}

}  // namespace
}  // namespace gsst::tile_integer
