#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "common/stage/kernels_on.hpp"
#include "common/stage/run_decode.hpp"
#include "common/stage/run_memory.hpp"
#include "stages/codag/tests/query/streams.hpp"

#if GSST_WITH_CUDA
#include "common/cuda/device_buffer.hpp"
#endif

// The two streams that decoders are written over, without a decoder.
namespace gsst::codag {
namespace {

using StreamBytes = std::vector<std::uint8_t>;

constexpr std::uint64_t seed_of_streams = 2023;
constexpr std::size_t guard_of_streams = 64;
constexpr std::uint8_t noise_of_streams = 0xcd;

template <typename Item>
StreamBytes bytes_of_items(const std::vector<Item>& items) {
  StreamBytes bytes(items.size() * sizeof(Item));
  std::memcpy(bytes.data(), items.data(), bytes.size());
  return bytes;
}

// The executors of this machine that run kernels.
template <typename Function>
void on_every_executor(Function&& function) {
  function.template operator()<stage::HostBuffer>(stage::Executor::simt);
#if GSST_WITH_CUDA
  if (stage::is_available(stage::Executor::gpu)) {
    function.template operator()<cuda::DeviceBuffer>(stage::Executor::gpu);
  }
#endif
}

// Bits of a stream, of each byte the highest first; 0 past the end.
class HostBits {
public:
  explicit HostBits(const StreamBytes& bytes) : bytes_(bytes) {}

  std::uint64_t fetch(unsigned count) {
    std::uint64_t bits = 0;
    for (; count != 0; --count, ++bit_) {
      const std::size_t byte = bit_ / 8;
      const unsigned value = byte < bytes_.size() ? bytes_[byte] : 0;
      bits = bits << 1 | (value >> (7 - bit_ % 8) & 1);
    }
    return bits;
  }
  std::uint64_t end_byte() {
    bit_ = (bit_ + 7) / 8 * 8;
    return bit_ / 8;
  }

private:
  const StreamBytes& bytes_;
  std::size_t bit_ = 0;
};

void expect_fetched(BytesOf reader, const StreamBytes& stream, const StreamBytes& widths,
                    std::size_t address) {
  std::vector<std::uint64_t> expected;
  HostBits bits(stream);
  for (const std::uint8_t width : widths) {
    expected.push_back(width == end_of_byte ? bits.end_byte() : bits.fetch(width));
  }
  on_every_executor([&]<typename Buffer>(stage::Executor executor) {
    // Nothing is there past the stream's end.
    Buffer input(stage::shifted(stream, address));
    Buffer given_widths(widths);
    Buffer numbers(expected.size() * sizeof(std::uint64_t));
    stage::KernelsOn<Streams>::get(executor).fetch(
        reader, input.data() + address, static_cast<std::uint32_t>(stream.size()), given_widths.data(),
        static_cast<std::uint32_t>(widths.size()), reinterpret_cast<std::uint64_t*>(numbers.data()));
    stage::wait_for(executor);
    EXPECT_TRUE(numbers.to_host() == bytes_of_items(expected));
  });
}

TEST(CodagStreams, FetchesNumbersOfEveryWidthWhoeverReads) {
  std::mt19937_64 random(seed_of_streams);
  StreamBytes stream(700);
  for (std::uint8_t& byte : stream) byte = static_cast<std::uint8_t>(random());
  StreamBytes widths;
  // More bits than there are.
  for (std::size_t bits = 0; bits < 8 * stream.size() + 100;) {
    if (random() % 8 == 0) {
      widths.insert(widths.end(), {end_of_byte, static_cast<std::uint8_t>(8 * (1 + random() % 8))});
    } else {
      widths.push_back(static_cast<std::uint8_t>(random() % 33));
    }
    bits += widths.back();
    // Wide numbers begin with a byte, and so does what follows.
    if (widths.back() > 32) widths.push_back(end_of_byte);
  }
  for (const BytesOf reader : {BytesOf::plain, BytesOf::shared_lines, BytesOf::register_lines}) {
    for (const std::size_t address : {0U, 1U, 63U, 126U, 127U}) {
      SCOPED_TRACE("reader " + std::to_string(static_cast<int>(reader)) + ", address " +
                   std::to_string(address) + ", seed " + std::to_string(seed_of_streams));
      expect_fetched(reader, stream, widths, address);
      // Shorter than a word.
      expect_fetched(reader, {0xa5, 0x5a, 0x77}, {3, 7, 11, end_of_byte, 8}, address);
      if (testing::Test::HasFailure()) return;
    }
  }
}

void expect_written(const std::vector<WrittenBytes>& calls, std::size_t address) {
  StreamBytes expected;
  for (const WrittenBytes& call : calls) {
    for (std::uint32_t i = 0; i < call.count; ++i) {
      expected.push_back(call.offset != 0 ? expected[expected.size() - call.offset]
                                          : static_cast<std::uint8_t>(call.first + i * call.delta));
    }
  }
  on_every_executor([&]<typename Buffer>(stage::Executor executor) {
    Buffer given_calls(bytes_of_items(calls));
    Buffer output(2 * guard_of_streams + address + expected.size());
    output.fill(noise_of_streams);
    stage::KernelsOn<Streams>::get(executor).write(
        reinterpret_cast<const WrittenBytes*>(given_calls.data()), static_cast<std::uint32_t>(calls.size()),
        output.data() + guard_of_streams + address, static_cast<std::uint32_t>(expected.size()));
    stage::wait_for(executor);
    StreamBytes all(guard_of_streams + address, noise_of_streams);
    all.insert(all.end(), expected.begin(), expected.end());
    all.insert(all.end(), guard_of_streams, noise_of_streams);
    EXPECT_TRUE(output.to_host() == all);
  });
}

// Copies of every short distance and of long ones, which end anywhere in a word, onto any address.
TEST(CodagStreams, CopiesEarlierBytesFromEveryDistance) {
  std::mt19937_64 random(seed_of_streams);
  for (std::size_t address = 0; address < 4; ++address) {
    std::vector<WrittenBytes> calls = {{.offset = 0, .count = 5, .first = 7, .delta = 3}};
    std::uint32_t written = 5;
    const auto copy = [&](std::uint32_t offset, std::uint32_t count) {
      calls.push_back({.offset = offset, .count = count, .first = 0, .delta = 0});
      written += count;
    };
    for (std::uint32_t offset = 1; offset <= 5; ++offset) copy(offset, 258);
    for (std::uint32_t count = 3; count <= 12; ++count)
      copy(1 + static_cast<std::uint32_t>(random() % 9), count);
    // All that there is, from the output's first byte on.
    copy(written, 300);
    copy(written, written);
    for (int i = 0; i < 60; ++i) {
      calls.push_back(
          {.offset = 0, .count = 1, .first = static_cast<std::uint32_t>(random() % 256), .delta = 0});
      ++written;
      copy(1 + static_cast<std::uint32_t>(random() % written),
           3 + static_cast<std::uint32_t>(random() % 256));
    }
    SCOPED_TRACE("address " + std::to_string(address) + ", seed " + std::to_string(seed_of_streams));
    expect_written(calls, address);
  }
}

}  // namespace
}  // namespace gsst::codag
