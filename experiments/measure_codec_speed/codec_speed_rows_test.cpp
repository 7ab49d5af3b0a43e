#include "experiments/measure_codec_speed/codec_speed_rows.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

using Bytes = std::vector<std::uint8_t>;

const Dataset speed_dataset = {.name = "test/values", .sha256 = std::string(64, 'a')};

// A codec that stores bytes as they are, but that the n-th call of one direction goes wrong.
class FailingSpeedCodec final : public reference::Codec {
public:
  struct Failure {
    int encoding = 0;
    int decoding = 0;
    std::size_t lost_bytes = 0;
  };

  explicit FailingSpeedCodec(const Failure& failure)
      : Codec({.format = reference::default_codec().traits().format, .suffix = ".test"}), failure_(failure) {}

  int encodings() const { return encodings_; }
  int decodings() const { return decodings_; }
  const std::vector<unsigned>& threads() const { return threads_; }

  void check(const reference::EncodeSettings& /*settings*/) const override {}

  format::EncodeTotals encode(const format::ReadFunction& read, const format::WriteFunction& write,
                              const reference::EncodeSettings& settings,
                              const format::ProgressFunction& /*progress*/) const override {
    threads_.push_back(settings.threads);
    copy(read, write, ++encodings_ == failure_.encoding);
    return {};
  }

  format::StreamTotals decode(const format::ReadFunction& read, const format::WriteFunction& write,
                              unsigned threads, const format::ProgressFunction& /*progress*/) const override {
    threads_.push_back(threads);
    copy(read, write, ++decodings_ == failure_.decoding);
    return {};
  }

  std::vector<std::uint8_t> decode_payload(std::span<const std::uint8_t> /*payload*/,
                                           const format::BlockExpectation& /*expected*/,
                                           const format::PayloadPart& /*part*/,
                                           std::uint64_t /*block*/) const override {
    return {};
  }

  reference::FileListing list(std::span<const std::uint8_t> /*file*/) const override { return {}; }

private:
  void copy(const format::ReadFunction& read, const format::WriteFunction& write, bool is_wrong) const {
    Bytes all;
    Bytes buffer(64);
    while (const std::size_t count = read(buffer)) {
      all.insert(all.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(count));
    }
    if (is_wrong && failure_.lost_bytes == 0) all.back() ^= 1;
    if (is_wrong) all.resize(all.size() - failure_.lost_bytes);
    write(all);
  }

  Failure failure_;
  mutable int encodings_ = 0;
  mutable int decodings_ = 0;
  mutable std::vector<unsigned> threads_ = {};
};

Bytes speed_values() {
  Bytes bytes(1000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i % 7);
  return bytes;
}

constexpr CodecSpeed test_speed = {.block_bytes = 256, .threads = 3, .repetitions = 4};

TEST(CodecSpeedRows, EachDirectionHasARow) {
  const FailingSpeedCodec codec({});
  const auto rows = codec_speed_rows(codec, speed_values(), test_speed, speed_dataset);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["operation"], "encode");
  EXPECT_EQ(rows[1]["operation"], "decode");
  for (const auto& row : rows) {
    EXPECT_EQ(row["stage"], "reference_cpu/codec");
    EXPECT_EQ(row["parameters"], (nlohmann::ordered_json{{"block_bytes", 256}, {"threads", 3}}));
    EXPECT_EQ(row["uncompressed_bytes"], 1000);
    EXPECT_EQ(row["compressed_bytes"], 1000);
    EXPECT_EQ(row["seconds"]["repetitions"], 4);
    EXPECT_GT(row["memcpy_gb_per_s"], 0);
    EXPECT_EQ(row["verified"], true);
  }
  // Once before the timing, once to see how long it takes, and the repetitions; decoded twice besides.
  EXPECT_EQ(codec.encodings(), 1 + 1 + 4);
  EXPECT_EQ(codec.decodings(), 2 + 1 + 4);
  EXPECT_EQ(codec.threads(), std::vector<unsigned>(codec.threads().size(), 3));
}

TEST(CodecSpeedRows, WrongBytesBeforeAndAfterTheTimingAreFound) {
  for (const FailingSpeedCodec::Failure& failure :
       {FailingSpeedCodec::Failure{.encoding = 1}, FailingSpeedCodec::Failure{.encoding = 6},
        FailingSpeedCodec::Failure{.decoding = 1}, FailingSpeedCodec::Failure{.decoding = 2},
        FailingSpeedCodec::Failure{.decoding = 3}, FailingSpeedCodec::Failure{.decoding = 7}}) {
    EXPECT_THROW(codec_speed_rows(FailingSpeedCodec(failure), speed_values(), test_speed, speed_dataset),
                 MismatchError)
        << failure.encoding << " " << failure.decoding;
  }
}

TEST(CodecSpeedRows, MissingBytesAreFound) {
  const FailingSpeedCodec codec({.decoding = 5, .lost_bytes = 1});
  EXPECT_THROW(codec_speed_rows(codec, speed_values(), test_speed, speed_dataset), MismatchError);
}

std::string speed_problem_of(const CodecSpeedOptions& options) {
  try {
    codec_speed_works(options, speed_dataset);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(CodecSpeedWorks, WhatCannotBeMeasuredIsRefused) {
  constexpr std::uint64_t too_many = std::uint64_t{1} << 40;
  EXPECT_EQ(speed_problem_of({.input = "/dev/null", .format = "none"}),
            "--format: there is no format 'none'");
  EXPECT_EQ(speed_problem_of({.input = "/dev/null", .format = "for", .block_bytes = too_many})
                .find("--block-bytes"),
            0U);
  EXPECT_NE(speed_problem_of({.input = "/no such file", .format = "for", .block_bytes = 4096})
                .find("/no such file"),
            std::string::npos);
}

}  // namespace
}  // namespace gsst::experiments
