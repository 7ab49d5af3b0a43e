#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <future>
#include <iterator>
#include <span>
#include <vector>

#include "common/cuda/error.hpp"
#include "common/format/gsst/block.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "gsst/gpu.hpp"
#include "library/gpu_test_memory.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/suite/test_sample.hpp"

// What execute promises beside its result: one plan for several threads, no memory of its own, and frames of
// more than 4 GiB.
namespace gsst::gpu {
namespace {

std::atomic<unsigned> allocations = 0;

cudaError_t poison(void* memory, std::size_t bytes) {
  const cudaError_t error = cudaMemset(memory, 0xb7, bytes);
  // Streams that do not wait for the default one follow.
  return error == cudaSuccess ? cudaStreamSynchronize(nullptr) : error;
}

}  // namespace
}  // namespace gsst::gpu

// The linker's names for the functions that gpu_api_test has in place of the runtime's, and for those. All
// memory comes poisoned, the library's own too: a result that depends on what was there before is wrong. For
// initcheck it is written then. That tool does not see what bulk copies (cp.async.bulk) write, and would
// report each read of decompressed tiles.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

cudaError_t __real_cudaMalloc(void** memory, std::size_t bytes);
cudaError_t __real_cudaMallocAsync(void** memory, std::size_t bytes, cudaStream_t stream);
cudaError_t __real_cudaMallocFromPoolAsync(void** memory, std::size_t bytes, cudaMemPool_t pool,
                                           cudaStream_t stream);
cudaError_t __real_cudaMallocManaged(void** memory, std::size_t bytes, unsigned flags);

cudaError_t __wrap_cudaMalloc(void** memory, std::size_t bytes) {
  ++gsst::gpu::allocations;
  const cudaError_t error = __real_cudaMalloc(memory, bytes);
  return error == cudaSuccess ? gsst::gpu::poison(*memory, bytes) : error;
}
cudaError_t __wrap_cudaMallocAsync(void** memory, std::size_t bytes, cudaStream_t stream) {
  ++gsst::gpu::allocations;
  return __real_cudaMallocAsync(memory, bytes, stream);
}
cudaError_t __wrap_cudaMallocFromPoolAsync(void** memory, std::size_t bytes, cudaMemPool_t pool,
                                           cudaStream_t stream) {
  ++gsst::gpu::allocations;
  return __real_cudaMallocFromPoolAsync(memory, bytes, pool, stream);
}
cudaError_t __wrap_cudaMallocManaged(void** memory, std::size_t bytes, unsigned flags) {
  ++gsst::gpu::allocations;
  return __real_cudaMallocManaged(memory, bytes, flags);
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)

namespace gsst::gpu {
namespace {

using namespace test;

// Both directions again and again, in memory of its own. Whether all came out as it must.
bool executes_alike(const CompressPlan& compress, const DecompressPlan& decompress, const Bytes& input,
                    const Bytes& frame) {
  const Stream stream;
  CompressArrays compressing(compress.sizes());
  DecompressArrays decompressing(decompress.sizes());
  compressing.input.write(input);
  DecompressMemory memory = decompressing.memory();
  memory.frame = compressing.output.all().first(frame.size());
  bool alike = true;
  const std::size_t runs = gsst::test::test_sample().size(4, 1);
  for (std::size_t run = 0; run < runs; ++run) {
    compressing.output.fill(0);
    decompressing.output.fill(0);
    decompressing.status.fill(0xb7);
    value_of(compress.execute(compressing.memory(), stream.get()));
    value_of(decompress.execute(memory, stream.get()));
    stream.wait();
    alike = alike && compressing.frame() == frame && decompressing.output.read() == input &&
            check_status(decompressing.status.read());
  }
  return alike && compressing.is_intact() && decompressing.is_intact();
}

TEST_F(GpuLibrary, OnePlanServesSeveralThreadsEachOnItsStream) {
  const Bytes input = text(300000, 41);
  for (const Format format : written_formats) {
    SCOPED_TRACE(static_cast<unsigned>(format));
    const CompressOptions options{.block_bytes = 50000, .format = format};
    const Bytes frame = compress_on_gpu(input, options);
    const CompressPlan compress = value_of(CompressPlan::create(input.size(), options));
    const DecompressPlan decompress = value_of(DecompressPlan::create(frame));
    std::array<std::future<bool>, 4> threads;
    for (std::future<bool>& thread : threads) {
      thread =
          std::async(std::launch::async, [&] { return executes_alike(compress, decompress, input, frame); });
    }
    for (std::future<bool>& thread : threads) EXPECT_TRUE(thread.get());
  }
}

// Compresses `input` on its stream `times` times, waiting for nothing in between. Whether all went well.
bool compresses_often(const CompressPlan& plan, const Bytes& input, const Bytes& frame, std::size_t times) {
  const Stream stream;
  CompressArrays arrays(plan.sizes());
  arrays.input.write(input);
  arrays.output.fill(0);
  for (std::size_t run = 0; run < times; ++run) {
    if (!plan.execute(arrays.memory(), stream.get())) return false;
  }
  stream.wait();
  return arrays.frame() == frame && arrays.is_intact();
}

// Four threads compress again and again, with plans of 1 KB and of `large_bytes` in turn: their kernels take
// shared memory of different sizes.
void expect_that_plans_leave_each_other_alone(std::size_t large_bytes, std::size_t times) {
  const Bytes inputs[] = {text(1000, 45), text(large_bytes, 46)};
  for (const Format format : written_formats) {
    SCOPED_TRACE(static_cast<unsigned>(format));
    const CompressOptions options{.format = format};
    std::vector<Bytes> frames;
    std::vector<CompressPlan> plans;
    for (const Bytes& input : inputs) {
      frames.push_back(compress_on_gpu(input, options));
      plans.push_back(value_of(CompressPlan::create(input.size(), options)));
    }
    std::array<std::future<bool>, 4> threads;
    for (std::size_t thread = 0; thread < threads.size(); ++thread) {
      const std::size_t size = thread % std::size(inputs);
      threads[thread] = std::async(std::launch::async, [&, size] {
        return compresses_often(plans[size], inputs[size], frames[size], times);
      });
    }
    for (std::future<bool>& thread : threads) EXPECT_TRUE(thread.get());
  }
}

TEST_F(GpuLibrary, PlansOfDifferentSizesLeaveEachOtherAlone) {
  const gsst::test::TestSample sample = gsst::test::test_sample();
  expect_that_plans_leave_each_other_alone(sample.size(1000000, 200000), sample.size(20, 3));
}

TEST_F(GpuLibrary, PlansOfOneKilobyteAndOfHundredMegabytesLeaveEachOtherAlone) {
  expect_that_plans_leave_each_other_alone(100000000, 500);
}

// One capture is opened while another of the same thread goes on; each is a graph for itself.
TEST_F(GpuLibrary, TwoCapturesOfAThreadMayBeOpenAtOnce) {
  for (const Format format : written_formats) {
    SCOPED_TRACE(static_cast<unsigned>(format));
    const CompressOptions options{.block_bytes = 50000, .format = format};
    const gsst::test::TestSample sample = gsst::test::test_sample();
    const Bytes inputs[] = {text(sample.size(300000, 120000), 47), text(sample.size(200000, 80000), 48)};
    const CompressPlan plans[] = {value_of(CompressPlan::create(inputs[0].size(), options)),
                                  value_of(CompressPlan::create(inputs[1].size(), options))};
    CompressArrays arrays[] = {CompressArrays(plans[0].sizes()), CompressArrays(plans[1].sizes())};
    for (int i = 0; i < 2; ++i) arrays[i].input.write(inputs[i]);
    const Stream streams[2];
    cudaGraph_t captured[2] = {};
    const auto enqueue = [&](int i) { value_of(plans[i].execute(arrays[i].memory(), streams[i].get())); };
    GSST_CUDA_CHECK(cudaStreamBeginCapture(streams[0].get(), cudaStreamCaptureModeGlobal));
    enqueue(0);
    GSST_CUDA_CHECK(cudaStreamBeginCapture(streams[1].get(), cudaStreamCaptureModeGlobal));
    enqueue(1);
    enqueue(0);
    GSST_CUDA_CHECK(cudaStreamEndCapture(streams[1].get(), &captured[1]));
    GSST_CUDA_CHECK(cudaStreamEndCapture(streams[0].get(), &captured[0]));
    for (int i = 0; i < 2; ++i) Graph(captured[i]).run(streams[i]);
    for (int i = 0; i < 2; ++i) {
      EXPECT_TRUE(arrays[i].frame() == compress_on_gpu(inputs[i], options));
      EXPECT_TRUE(arrays[i].is_intact());
    }
  }
}

// Allocations while `enqueue` puts work on a stream, and until that is done.
unsigned allocations_of(const Stream& stream, const std::function<void()>& enqueue) {
  const unsigned before = allocations;
  enqueue();
  stream.wait();
  return allocations - before;
}

TEST_F(GpuLibrary, ExecutingAllocatesNoDeviceMemory) {
  const Bytes input = text(gsst::test::test_sample().size(300000, 100000), 42);
  const Stream stream;
  for (const Format format : written_formats) {
    SCOPED_TRACE(static_cast<unsigned>(format));
    const CompressPlan compress =
        value_of(CompressPlan::create(input.size(), {.block_bytes = 50000, .format = format}));
    const unsigned before = allocations;
    CompressArrays compressing(compress.sizes());
    EXPECT_EQ(allocations - before, 4u) << "allocations that the test itself makes are counted";
    compressing.input.write(input);
    const auto compression = [&] { value_of(compress.execute(compressing.memory(), stream.get())); };
    EXPECT_EQ(allocations_of(stream, compression), 0u);

    CompressPlan with_table = value_of(CompressPlan::create(
        input.size(), {.tables = Tables::loaded, .block_bytes = 50000, .format = format}));
    const Table table = value_of(Table::train(input, {.format = format}));
    CompressArrays with_table_arrays(with_table.sizes());
    with_table_arrays.input.write(input);
    const std::span<std::byte> scratch = with_table_arrays.scratch.all();
    const auto compression_with_tables = [&] {
      value_of(with_table.load_table(table, scratch, stream.get()));
      value_of(with_table.execute(with_table_arrays.memory(), stream.get()));
      value_of(with_table.train_table(with_table_arrays.input.all(), scratch, stream.get()));
      value_of(with_table.execute(with_table_arrays.memory(), stream.get()));
    };
    EXPECT_EQ(allocations_of(stream, compression_with_tables), 0u);
  }

  for (const Format format : all_formats) {
    SCOPED_TRACE(static_cast<unsigned>(format));
    const Bytes frame = compress_on_cpu(input, format);
    const DecompressPlan plan = value_of(DecompressPlan::create(frame));
    DecompressArrays arrays(plan.sizes());
    arrays.frame.write(frame);
    EXPECT_EQ(allocations_of(stream, [&] { value_of(plan.execute(arrays.memory(), stream.get())); }), 0u);
  }
}

// Blocks of one size, raw ones and some that are compressed, with more than 4 GiB on both sides.
class LargeFrame {
public:
  static constexpr std::uint64_t block_bytes = std::uint64_t{1} << 22;
  static constexpr std::uint64_t block_count = 1360;

  explicit LargeFrame(Format format)
      : random_(to_bytes(reference::test::make_random(block_bytes, 43))), text_(text(block_bytes, 44)) {
    const Bytes compressed =
        value_of(compress(text_, {.format = format, .block_bytes = block_bytes, .splits = 100}));
    const format::FrameView view = format::parse_frame(as_numbers(compressed));
    const format::BlockRecord coded = view.index.entries.at(0).record;
    // Of tiles also raw blocks end with padding.
    Bytes raw_payload = random_;
    raw_payload.resize(format::raw_payload_bytes(view.header.format, block_bytes));
    const format::BlockRecord raw{.layout = format::BlockLayout::raw,
                                  .payload_bytes = static_cast<std::uint32_t>(raw_payload.size()),
                                  .uncompressed_bytes = block_bytes,
                                  .checksum = format::checksum(coded.checksum_kind, as_numbers(random_)),
                                  .checksum_kind = coded.checksum_kind};
    bytes.reserve(block_count * (block_bytes + 64));
    append(format::build_frame_header(view.header));
    format::FrameIndex index;
    for (std::uint64_t block = 0; block < block_count; ++block) {
      const format::BlockRecord& record = is_raw(block) ? raw : coded;
      append(format::build_block_record(record));
      append(is_raw(block) ? as_numbers(raw_payload) : view.payload(0));
      format::append_block(index, record);
      offsets.push_back(index.entries.back().payload_offset);
    }
    append(format::build_frame_end(index));
  }

  /// Bytes from `offset` on, as the frame decompresses to them.
  Bytes expected(std::uint64_t offset, std::uint64_t size) const {
    Bytes found(size);
    for (std::uint64_t i = 0; i < size; ++i) {
      const std::uint64_t place = offset + i;
      found[i] = (is_raw(place / block_bytes) ? random_ : text_)[place % block_bytes];
    }
    return found;
  }

  Bytes bytes;
  /// Where each block's payload is.
  std::vector<std::uint64_t> offsets;

private:
  // Those around 4 GiB of output are compressed, and some others.
  static bool is_raw(std::uint64_t block) { return block % 16 > 1 && block % 16 < 15; }
  static std::span<const std::uint8_t> as_numbers(const Bytes& bytes) {
    return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
  }
  void append(std::span<const std::uint8_t> part) {
    const auto more = std::as_bytes(part);
    bytes.insert(bytes.end(), more.begin(), more.end());
  }

  Bytes random_;
  Bytes text_;
};

constexpr std::uint64_t four_gibibytes = std::uint64_t{1} << 32;

// Around 4 GiB of the output, around the blocks that are 4 GiB behind the frame's first byte, and at the end.
std::vector<Range> ranges_of(const LargeFrame& frame) {
  std::vector<Range> ranges;
  std::uint64_t end = four_gibibytes - 3000;
  const auto add = [&](std::uint64_t offset, std::uint64_t bytes) {
    ranges.push_back({.offset = offset, .bytes = bytes, .output_offset = end});
    end += bytes;
  };
  add(four_gibibytes - 1, 1);
  add(four_gibibytes, 1);
  add(four_gibibytes - 2000, 10000);
  add(four_gibibytes + 70000, 20000);
  std::uint64_t crossing = 0;
  while (frame.offsets.at(crossing + 1) <= four_gibibytes) ++crossing;
  for (std::uint64_t block = crossing - 16; block <= crossing + 16; ++block) {
    add((block + 1) * LargeFrame::block_bytes - 300, 1500);
  }
  add(LargeFrame::block_count * LargeFrame::block_bytes - 5000, 5000);
  return ranges;
}

TEST_F(GpuLibrary, RangesAndAllOfAFrameOfMoreThanFourGibibytes) {
  for (const Format format : {Format::splits, Format::tiles}) {
    SCOPED_TRACE(static_cast<unsigned>(format));
    const LargeFrame frame(format);
    const DecompressPlan plan = value_of(DecompressPlan::create(frame.bytes));
    ASSERT_GT(frame.bytes.size(), four_gibibytes + 64 * LargeFrame::block_bytes);
    const Stream stream;
    DecompressArrays arrays(plan.sizes());
    arrays.frame.write(frame.bytes);
    // Their checksums say that all bytes are right.
    value_of(plan.execute(arrays.memory(), stream.get()));
    stream.wait();
    EXPECT_EQ(value_of(check_status(arrays.status.read())), LargeFrame::block_count);

    const std::vector<Range> ranges = ranges_of(frame);
    DeviceArray<Range> wanted{std::span(ranges)};
    DeviceArray<std::uint32_t> status(ranges.size());
    DeviceArray<std::byte> scratch(value_of(plan.ranges_sizes(ranges.size())).scratch_bytes);
    arrays.output.fill(0);
    value_of(plan.execute_ranges({.frame = arrays.frame.all(),
                                  .ranges = wanted.all(),
                                  .output = arrays.output.all(),
                                  .scratch = scratch.all(),
                                  .status = status.all()},
                                 stream.get()));
    stream.wait();
    EXPECT_EQ(value_of(check_range_status(status.read())), ranges.size());
    for (const Range& range : ranges) {
      Bytes found(range.bytes);
      GSST_CUDA_CHECK(cudaMemcpy(found.data(), arrays.output.data() + range.output_offset, found.size(),
                                 cudaMemcpyDeviceToHost));
      EXPECT_TRUE(found == frame.expected(range.offset, range.bytes)) << range.offset;
    }
  }
}

}  // namespace
}  // namespace gsst::gpu
