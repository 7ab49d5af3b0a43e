#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "common/format/error.hpp"
#include "common/pipeline/test_runs.hpp"
#include "common/streaming/batch_memory_test.hpp"
#include "common/streaming/decode_stream.hpp"
#include "common/streaming/device_slots.hpp"
#include "common/streaming/larger_block_test.hpp"
#include "reference_cpu/test_inputs.hpp"

// Frames on several devices, which the executors of this machine pretend to have.
namespace gsst::streaming {
namespace {

constexpr std::uint32_t bytes_of_block = 1000;
constexpr std::size_t usual_blocks = 120;

/// All are the same host. A further one is used for the first time to prepare it, and then once for each of
/// its batches.
class PretendedDevices : public Devices {
public:
  using Hook = std::function<void(std::size_t device, std::size_t earlier_uses)>;

  explicit PretendedDevices(std::size_t count, Hook hook = {}) : hook_(std::move(hook)), uses_(count) {}

  std::size_t count() const override { return uses_.size(); }
  void use(std::size_t device) const override {
    const std::size_t earlier = uses_.at(device)++;
    if (hook_) hook_(device, earlier);
  }
  std::string name(std::size_t device) const override { return "device " + std::to_string(device); }

  std::size_t uses(std::size_t device) const { return uses_.at(device); }

private:
  Hook hook_;
  mutable std::vector<std::atomic<std::size_t>> uses_;
};

struct Frame {
  std::vector<std::uint8_t> text;
  std::vector<std::uint8_t> bytes;
};

Frame make_frame(const pipeline::StageRun& run, std::size_t blocks = usual_blocks) {
  Frame frame;
  frame.text = reference::test::make_text(blocks * bytes_of_block - 10, 5);
  frame.bytes = pipeline::test::compress_for(run, frame.text, bytes_of_block);
  return frame;
}

// Batches of two blocks, and memory of the host for ten devices. Further ones are started after the first
// batch.
StreamOptions options_for(const Frame& frame) {
  const std::uint64_t memory = test::memory_of(2, frame.bytes);
  return {.memory_bytes = memory,
          .host_memory_bytes = 10 * memory,
          .frame_bytes = frame.bytes.size(),
          .seconds_to_start = 0};
}

// Reads slowly, so that further devices are there before the frame's end. The frame's size must be known:
// what is read ahead to find it would be all.
format::ReadFunction slow_reader(const format::ReadFunction& read) {
  return [read](std::span<std::uint8_t> buffer) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    return read(buffer);
  };
}

// Decodes `frame`, and expects its text, with batches in their order, and the totals of all.
DecodeTotals expect_text(const pipeline::StageRun& run, const Devices& devices, const Frame& frame,
                         const StreamOptions& options) {
  std::vector<std::uint8_t> output;
  const std::thread::id caller = std::this_thread::get_id();
  const DecodeTotals totals = decode_stream(
      run, devices, slow_reader(format::reader_of(frame.bytes)),
      [&](const pipeline::Batch& batch, std::span<const std::uint8_t> bytes) {
        EXPECT_EQ(batch.first_block * bytes_of_block, output.size());
        EXPECT_EQ(std::this_thread::get_id(), caller);
        output.insert(output.end(), bytes.begin(), bytes.end());
      },
      options);
  EXPECT_TRUE(output == frame.text);
  EXPECT_EQ(totals.stream.input_bytes, frame.bytes.size());
  EXPECT_EQ(totals.stream.output_bytes, frame.text.size());
  EXPECT_EQ(totals.stream.blocks, (frame.text.size() + bytes_of_block - 1) / bytes_of_block);
  return totals;
}

// A GPU cannot be pretended: DecodeOnAllThatThisMachineHas is for those that are there.
std::vector<pipeline::StageRun> runs_on_the_host() {
  std::vector<pipeline::StageRun> runs = pipeline::test::runs_of_one_stage();
  std::erase_if(runs, [](const pipeline::StageRun& run) { return run.executor == stage::Executor::gpu; });
  return runs;
}

// Whether all of `count` devices have decoded batches of a run that is repeated until they have: how soon a
// thread begins is up to the system.
template <typename Decode>
bool uses_all(std::size_t count, const Decode& decode) {
  for (int i = 0; i < 50; ++i) {
    if (decode() == count) return true;
  }
  return false;
}

TEST(SeveralDevices, DecodeOneFrame) {
  for (const pipeline::StageRun& run : runs_on_the_host()) {
    SCOPED_TRACE(pipeline::test::run_name(run));
    const Frame frame = make_frame(run);
    for (const std::size_t count : {1U, 2U, 3U}) {
      SCOPED_TRACE(count);
      EXPECT_TRUE(uses_all(count, [&] {
        return expect_text(run, PretendedDevices(count), frame, options_for(frame)).devices;
      }));
    }
  }
}

TEST(SeveralDevices, DecodeBlocksThatShareATable) {
  for (const pipeline::StageRun& run : pipeline::test::runs_of_tiles()) {
    if (run.executor == stage::Executor::gpu) continue;
    SCOPED_TRACE(pipeline::test::run_name(run));
    Frame frame;
    frame.bytes = pipeline::test::compress_with_shared_tables(frame.text);
    StreamOptions options = options_for(frame);
    std::vector<std::uint8_t> output;
    decode_stream(
        run, PretendedDevices(3), slow_reader(format::reader_of(frame.bytes)),
        [&](const pipeline::Batch&, std::span<const std::uint8_t> bytes) {
          output.insert(output.end(), bytes.begin(), bytes.end());
        },
        options);
    EXPECT_TRUE(output == frame.text);
  }
}

// The second device begins its first batch only when the first one has been given more.
TEST(SeveralDevices, MayBeDoneInAnyOrder) {
  for (const pipeline::StageRun& run : runs_on_the_host()) {
    SCOPED_TRACE(pipeline::test::run_name(run));
    const Frame frame = make_frame(run);
    std::atomic<bool> overtaken = false;
    const auto overtakes = [&] {
      const PretendedDevices* all = nullptr;
      const PretendedDevices devices(2, [&](std::size_t device, std::size_t earlier) {
        if (device != 1 || earlier != 1) return;
        const std::size_t before = all->uses(0);
        const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
        while (all->uses(0) == before && std::chrono::steady_clock::now() < end) std::this_thread::yield();
        overtaken = overtaken || all->uses(0) > before;
      });
      all = &devices;
      expect_text(run, devices, frame, options_for(frame));
      return overtaken ? 1U : 0U;
    };
    EXPECT_TRUE(uses_all(1, overtakes));
  }
}

// A slow one is not waited for as long as others have room.
TEST(SeveralDevices, TakeUnequalPartsWhereOneIsSlow) {
  const pipeline::StageRun run = runs_on_the_host().front();
  const Frame frame = make_frame(run);
  const PretendedDevices devices(3, [](std::size_t device, std::size_t) {
    if (device == 2) std::this_thread::sleep_for(std::chrono::milliseconds(3));
  });
  expect_text(run, devices, frame, options_for(frame));
  EXPECT_GT(devices.uses(0), devices.uses(2));
}

TEST(SeveralDevices, AreNotStartedWhereTheyDoNotPay) {
  for (const pipeline::StageRun& run : runs_on_the_host()) {
    const Frame frame = make_frame(run);
    StreamOptions options = options_for(frame);
    options.seconds_to_start = 1000;
    const PretendedDevices devices(3);
    EXPECT_EQ(expect_text(run, devices, frame, options).devices, 1U);
    EXPECT_EQ(devices.uses(1), 0U);
    EXPECT_EQ(devices.uses(2), 0U);
  }
}

// Ten devices, and memory of the host for three.
TEST(SeveralDevices, AreAsManyAsTheHostsMemoryAllows) {
  const pipeline::StageRun run = runs_on_the_host().front();
  const Frame frame = make_frame(run);
  StreamOptions options = options_for(frame);
  const format::FrameView view = format::parse_frame(frame.bytes);
  const std::uint64_t of_one =
      pipeline::plan_stream_memory(options.memory_bytes, view.header, view.index.entries[0].record, {})
          .bytes();
  options.host_memory_bytes = 4 * of_one - 1;
  const PretendedDevices devices(10);
  expect_text(run, devices, frame, options);
  EXPECT_EQ(devices.uses(3), 0U);
  EXPECT_TRUE(uses_all(3, [&] { return expect_text(run, PretendedDevices(10), frame, options).devices; }));
}

// One cannot be started, the next has no memory left.
TEST(SeveralDevices, AreLeftOutWhereTheyCannotBeStarted) {
  for (const pipeline::StageRun& run : runs_on_the_host()) {
    const Frame frame = make_frame(run);
    EXPECT_TRUE(uses_all(2, [&] {
      const PretendedDevices devices(3, [](std::size_t device, std::size_t) {
        if (device == 1) throw std::runtime_error("is in exclusive use");
        if (device == 2) throw std::bad_alloc();
      });
      EXPECT_EQ(expect_text(run, devices, frame, options_for(frame)).devices, 1U);
      EXPECT_LE(devices.uses(1), 1U);
      EXPECT_LE(devices.uses(2), 1U);
      return devices.uses(1) + devices.uses(2);
    }));
  }
}

// What decode_stream() said of a device that fails when it has been used `uses` times, and what it had
// written before; empty where the device did not come to that.
std::string message_of_failure(const pipeline::StageRun& run, const Frame& frame, std::size_t failing,
                               std::size_t uses) {
  const PretendedDevices devices(3, [&](std::size_t device, std::size_t earlier) {
    if (device == failing && earlier >= uses) throw std::runtime_error("is off the bus");
  });
  std::size_t written = 0;
  try {
    decode_stream(
        run, devices, slow_reader(format::reader_of(frame.bytes)),
        [&](const pipeline::Batch&, std::span<const std::uint8_t> bytes) {
          EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(),
                                 frame.text.begin() + static_cast<std::ptrdiff_t>(written)));
          written += bytes.size();
        },
        options_for(frame));
  } catch (const DeviceError& error) {
    EXPECT_LT(written, frame.text.size());
    return error.what();
  }
  EXPECT_EQ(written, frame.text.size());
  return {};
}

TEST(SeveralDevices, NameTheOneThatFails) {
  for (const pipeline::StageRun& run : runs_on_the_host()) {
    SCOPED_TRACE(pipeline::test::run_name(run));
    const Frame frame = make_frame(run);
    EXPECT_EQ(message_of_failure(run, frame, 0, 0), "device 0: is off the bus");
    EXPECT_EQ(message_of_failure(run, frame, 0, 5), "device 0: is off the bus");
    for (const std::size_t failing : {1U, 2U}) {
      std::string message;
      for (int i = 0; i < 50 && message.empty(); ++i) message = message_of_failure(run, frame, failing, 2);
      EXPECT_EQ(message, "device " + std::to_string(failing) + ": is off the bus");
    }
  }
}

TEST(SeveralDevices, NameTheDamagedBlockAndWriteAllInFrontOfItsBatch) {
  for (const pipeline::StageRun& run : runs_on_the_host()) {
    SCOPED_TRACE(pipeline::test::run_name(run));
    Frame frame = make_frame(run);
    const format::IndexEntry entry = format::parse_frame(frame.bytes).index.entries.at(77);
    // The last code becomes an escape, with no byte behind it.
    frame.bytes[entry.payload_offset + entry.record.payload_bytes - 1] = 255;
    std::vector<std::uint8_t> output;
    try {
      decode_stream(
          run, PretendedDevices(3), slow_reader(format::reader_of(frame.bytes)),
          [&](const pipeline::Batch&, std::span<const std::uint8_t> bytes) {
            output.insert(output.end(), bytes.begin(), bytes.end());
          },
          options_for(frame));
      ADD_FAILURE() << "accepted";
    } catch (const format::FormatError& error) {
      EXPECT_EQ(error.block(), 77);
      EXPECT_EQ(error.field(), "codes");
    }
    EXPECT_EQ(output.size(), 76 * bytes_of_block);
    EXPECT_TRUE(std::equal(output.begin(), output.end(), frame.text.begin()));
  }
}

// The device that has not been started yet is not waited for by anyone but the thread that starts it.
TEST(SeveralDevices, PassOnWhatTheCallerThrowsWhileOneStarts) {
  for (const pipeline::StageRun& run : runs_on_the_host()) {
    const Frame frame = make_frame(run);
    std::atomic<bool> starts = false;
    const PretendedDevices devices(2, [&](std::size_t device, std::size_t) {
      if (device != 1) return;
      starts = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    });
    std::size_t batches = 0;
    EXPECT_THROW(decode_stream(
                     run, devices, format::reader_of(frame.bytes),
                     [&](const pipeline::Batch&, std::span<const std::uint8_t>) {
                       if (++batches == 1) return;
                       while (!starts) std::this_thread::yield();
                       throw std::runtime_error("disk full");
                     },
                     options_for(frame)),
                 std::runtime_error);
  }
}

// Random bytes with a table of text take more memory than the batches before them: all devices get new slots.
TEST(SeveralDevices, DecodeABlockThatItsEncoderMadeLarger) {
  for (const pipeline::StageRun& run : runs_on_the_host()) {
    SCOPED_TRACE(pipeline::test::run_name(run));
    std::vector<bool> is_text(usual_blocks, true);
    is_text[50] = is_text[51] = is_text[90] = false;
    Frame frame;
    frame.bytes = test::frame_with_larger_blocks(run, bytes_of_block, is_text, frame.text);
    // Batches of one block, which do not hold the large ones.
    StreamOptions options = options_for(frame);
    options.memory_bytes = test::memory_of(1, frame.bytes);
    EXPECT_TRUE(uses_all(3, [&] { return expect_text(run, PretendedDevices(3), frame, options).devices; }));
  }
}

TEST(SeveralDevices, DecodeOnAllThatThisMachineHas) {
  for (const pipeline::StageRun& run : pipeline::test::runs_of_one_stage()) {
    SCOPED_TRACE(pipeline::test::run_name(run));
    const Frame frame = make_frame(run);
    const auto devices = devices_of(run.executor);
    EXPECT_TRUE(uses_all(devices->count(),
                         [&] { return expect_text(run, *devices, frame, options_for(frame)).devices; }));
  }
}

TEST(SeveralDevices, AreOneWhereTheHostIsTheExecutor) {
  for (const stage::Executor executor : {stage::Executor::cpu, stage::Executor::simt}) {
    const auto devices = devices_of(executor);
    EXPECT_EQ(devices->count(), 1U);
    EXPECT_NO_THROW(devices->use(0));
    EXPECT_EQ(devices->name(0), "");
  }
}

}  // namespace
}  // namespace gsst::streaming
