#include "experiments/measure_files/gzip_input.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "common/format/codag/deflate.hpp"
#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

using reference::codag::GzipMembers;

std::vector<std::uint8_t> text_for_members(std::size_t bytes) {
  std::vector<std::uint8_t> text(bytes);
  for (std::size_t i = 0; i < bytes; ++i) text[i] = static_cast<std::uint8_t>(i % 251 + i / 1000);
  return text;
}

TEST(GzipInput, HasAMemberForEachBlock) {
  const std::vector<std::uint8_t> text = text_for_members(10'000);
  const Input input = {.format = format::codag::deflate_format, .block_bytes = 3'000, .level = 6};
  for (const GzipMembers kind : {GzipMembers::plain, GzipMembers::bgzf}) {
    const GzipInput made = make_gzip_input(input, text, kind);
    const bool is_bgzf = kind == GzipMembers::bgzf;
    // After those of BGZF is one without bytes.
    ASSERT_EQ(made.members.members.size(), is_bgzf ? 5U : 4U);
    EXPECT_EQ(made.members.members[0].output_bytes, 3'000U);
    EXPECT_EQ(made.members.members[3].output_bytes, 1'000U);
    EXPECT_EQ(made.members.members[0].is_sized, is_bgzf);
    EXPECT_EQ(made.members.output_bytes, text.size());
    EXPECT_EQ(made.members.end(), made.file.size());
    std::vector<std::uint8_t> decoded;
    reference::codag::gzip_codec.decode(format::reader_of(made.file), format::writer_to(decoded), 1, {});
    EXPECT_EQ(decoded, text);
  }
}

TEST(GzipInput, IsOfTheLevel) {
  const std::vector<std::uint8_t> text = text_for_members(100'000);
  const auto bytes = [&](unsigned level) {
    const Input input = {.format = format::codag::deflate_format, .block_bytes = 65'280, .level = level};
    return make_gzip_input(input, text, GzipMembers::plain).file.size();
  };
  EXPECT_GT(bytes(0), text.size());
  EXPECT_LT(bytes(6), text.size() / 2);
}

TEST(GzipInput, TheRowOfAPointSaysTheMembers) {
  Point point;
  point.row = {{"members", "plain"}};
  EXPECT_EQ(members_of_point(point), GzipMembers::plain);
  point.row = {{"members", "bgzf"}};
  EXPECT_EQ(members_of_point(point), GzipMembers::bgzf);
  for (const auto& row : {nlohmann::ordered_json::object(), nlohmann::ordered_json{{"members", "one"}}}) {
    point.row = row;
    EXPECT_THROW(members_of_point(point), InputError);
  }
}

}  // namespace
}  // namespace gsst::experiments
