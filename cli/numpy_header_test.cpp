#include "cli/numpy_header.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gsst::cli {
namespace {

// An array file's header of this version, without what fills it up.
std::vector<std::uint8_t> array_file(char version, const std::string& dictionary) {
  std::string file = "\x93NUMPY";
  file += {version, '\0', static_cast<char>(dictionary.size()), '\0'};
  if (version > 1) file += std::string(2, '\0');
  file += dictionary + "values";
  return {file.begin(), file.end()};
}

TEST(NumpyHeader, SaysTheTypeOfValues) {
  const std::string dictionary = "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }\n";
  for (const char version : {'\1', '\2', '\3'}) {
    EXPECT_EQ(numpy_type(array_file(version, dictionary)), "<i4") << int{version};
  }
  EXPECT_EQ(numpy_type(array_file(1, "{'shape': (3,), 'descr':'|u1'}")), "|u1");
}

TEST(NumpyHeader, OtherFilesHaveNone) {
  EXPECT_EQ(numpy_type({}), std::nullopt);
  const std::vector<std::uint8_t> file = array_file(1, "{'descr': '<i4'}");
  for (const std::size_t size : {std::size_t{1}, std::size_t{5}, std::size_t{7}}) {
    EXPECT_EQ(numpy_type(std::span(file).first(size)), std::nullopt) << size;
  }
  std::vector<std::uint8_t> other = file;
  other[3] = 'n';
  EXPECT_EQ(numpy_type(other), std::nullopt);
}

TEST(NumpyHeader, AHeaderThatSaysNoTypeIsEmpty) {
  const std::vector<std::uint8_t> file = array_file(1, "{'descr': '<i4'}");
  // Up to the quote after the type.
  for (std::size_t size = 8; size < 10 + 14; ++size) {
    EXPECT_EQ(numpy_type(std::span(file).first(size)), "") << size;
  }
  EXPECT_EQ(numpy_type(array_file(1, "{'descr': [('a', '<i4')]}")), "");
  EXPECT_EQ(numpy_type(array_file(1, "{'shape': (3,)}")), "");
  EXPECT_EQ(numpy_type(array_file(1, "{'descr'")), "");
}

TEST(NumpyHeader, LittleEndianIntegersHaveANameOfTheCommand) {
  EXPECT_EQ(value_type_name("<i4"), "i32");
  EXPECT_EQ(value_type_name("<u8"), "u64");
  EXPECT_EQ(value_type_name("|i1"), "i8");
  EXPECT_EQ(value_type_name("<u2"), "u16");
  for (const char* other : {"", "<", ">i4", "=i4", "<f4", "|b1", "<M8[ns]", "<i16", "<i0", "<ix", "<U3"}) {
    EXPECT_EQ(value_type_name(other), std::nullopt) << other;
  }
}

}  // namespace
}  // namespace gsst::cli
