#include "experiments/measure_gzip/gzip_works.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "common/format/block_status.hpp"
#include "common/format/codag/deflate.hpp"
#include "common/stage/registry.hpp"
#include "reference_cpu/codag/gzip_file.hpp"
#include "reference_cpu/test_inputs.hpp"

// On the CPU executor: the works do what they are named by, and find what is wrong.
namespace gsst::experiments {
namespace {

using codag::gzip::StreamChecksum;
using MeasuredBytes = std::vector<std::uint8_t>;

constexpr std::uint8_t left_by_others = 0xcd;

Point point_of_gzip(const std::string& id) {
  return {.id = id,
          .stage = stage::find_stage(id, stage::Operation::decode),
          .input = {.format = format::codag::deflate_format, .block_bytes = 4096, .level = 6}};
}

stage::Given given_of(MeasuredBytes& bytes) {
  return {.data = bytes.data(), .bytes = bytes.size()};
}

// The memory of works, on the host. Vectors begin at multiples of what any part asks for.
struct WorksOnHost {
  explicit WorksOnHost(const std::string& stage)
      : point(point_of_gzip(stage)),
        input(make_gzip_file_of_works(point.input, text)),
        works(stage::Executor::simt, point, input),
        file(works.file_bytes()),
        index(works.index(StreamChecksum::crc32)),
        index_with_adler32(works.index(StreamChecksum::adler32)),
        output(text.size(), left_by_others),
        status(works.status_bytes(), left_by_others),
        scratch(works.scratch_bytes()),
        checksum_scratch(works.checksum_scratch_bytes(), left_by_others),
        crc32_state(works.state_bytes(StreamChecksum::crc32)),
        adler32_state(works.state_bytes(StreamChecksum::adler32)) {
    works.prepare(memory());
  }

  GzipWorks::Memory memory() {
    return {.file = given_of(file),
            .index = given_of(index),
            .index_with_adler32 = given_of(index_with_adler32),
            .output = given_of(output),
            .status = given_of(status),
            .scratch = given_of(scratch),
            .checksum_scratch = given_of(checksum_scratch),
            .crc32_state = given_of(crc32_state),
            .adler32_state = given_of(adler32_state)};
  }

  // What each member's word is after the work.
  std::vector<std::uint32_t> statuses_after(GzipWork work) {
    works.enqueue(work, memory());
    std::vector<std::uint32_t> words(status.size() / sizeof(std::uint32_t));
    std::copy_n(status.data(), status.size(), reinterpret_cast<std::uint8_t*>(words.data()));
    return words;
  }

  // With a member of no bytes at the end.
  MeasuredBytes text = reference::test::make_text(10'000, 3);
  Point point;
  GzipFileOfWorks input;
  GzipWorks works;
  MeasuredBytes file;
  MeasuredBytes index;
  MeasuredBytes index_with_adler32;
  MeasuredBytes output;
  MeasuredBytes status;
  MeasuredBytes scratch;
  MeasuredBytes checksum_scratch;
  MeasuredBytes crc32_state;
  MeasuredBytes adler32_state;
};

const std::vector<std::uint32_t> all_right(4, 0);

TEST(GzipWorks, EachHasANameOfItsOwn) {
  std::set<std::string> names;
  for (const GzipWork work : gzip_works) names.insert(name_of(work));
  EXPECT_EQ(names, (std::set<std::string>{"decode", "CRC-32", "Adler-32", "decode and CRC-32",
                                          "decode and Adler-32"}));
}

TEST(GzipWorks, DecodeTheTextAndFindNothingWrong) {
  for (const char* const stage : {"codag/05_writes_deflate", "codag/08_substreams"}) {
    for (const GzipWork work : {GzipWork::decode, GzipWork::decode_and_crc32, GzipWork::decode_and_adler32}) {
      WorksOnHost on_host(stage);
      EXPECT_EQ(on_host.statuses_after(work), all_right) << stage << ", " << name_of(work);
      EXPECT_TRUE(on_host.output == on_host.text) << stage << ", " << name_of(work);
    }
  }
}

// A check alone neither decodes nor sets what is right.
TEST(GzipWorks, ChecksLookAtTheirOwnChecksum) {
  constexpr auto wrong = static_cast<std::uint32_t>(format::BlockStatus::wrong_checksum);
  for (const bool is_crc32 : {true, false}) {
    const GzipWork check = is_crc32 ? GzipWork::crc32 : GzipWork::adler32;
    const GzipWork other = is_crc32 ? GzipWork::adler32 : GzipWork::crc32;
    WorksOnHost on_host("codag/05_writes_deflate");
    EXPECT_EQ(on_host.statuses_after(GzipWork::decode), all_right);
    EXPECT_EQ(on_host.statuses_after(check), all_right);
    // The checksum of the second member: the last field of its entry.
    MeasuredBytes& index = is_crc32 ? on_host.index : on_host.index_with_adler32;
    const std::size_t entry_bytes = index.size() / all_right.size();
    index[entry_bytes + entry_bytes - sizeof(std::uint64_t)] ^= 1;
    EXPECT_EQ(on_host.statuses_after(other), all_right);
    EXPECT_EQ(on_host.statuses_after(check), (std::vector<std::uint32_t>{0, wrong, 0, 0}));
    on_host.output[0] ^= 1;
    EXPECT_EQ(on_host.statuses_after(check), (std::vector<std::uint32_t>{wrong, wrong, 0, 0}));
    EXPECT_NE(on_host.output[0], on_host.text[0]);
  }
}

// RFC 1952, section 2.3.1: the size is in a field of the header, which a flag announces.
TEST(GzipWorks, MembersSayTheirSizeWhereItFits) {
  constexpr std::uint8_t has_extra_fields = 4;
  const MeasuredBytes text(70'000);
  Point point = point_of_gzip("codag/05_writes_deflate");
  point.input.block_bytes = reference::codag::max_bgzf_bytes;
  const GzipFileOfWorks sized = make_gzip_file_of_works(point.input, text);
  // An empty one ends a file of BGZF.
  EXPECT_EQ(sized.members.members.size(), 3U);
  EXPECT_EQ(sized.file.at(3), has_extra_fields);
  ++point.input.block_bytes;
  const GzipFileOfWorks plain = make_gzip_file_of_works(point.input, text);
  EXPECT_EQ(plain.members.members.size(), 2U);
  EXPECT_EQ(plain.file.at(3), 0U);
}

}  // namespace
}  // namespace gsst::experiments
