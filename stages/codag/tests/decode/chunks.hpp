#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "common/format/codag/codag.hpp"
#include "common/format/codag/status.hpp"
#include "common/format/error.hpp"

/// For tests: values, streams of runs, and what is wrong with them.
namespace gsst::codag {

using Chunk = std::vector<std::uint8_t>;
using Numbers = std::vector<std::uint64_t>;

inline constexpr std::initializer_list<format::codag::Type> all_value_types = {
    format::codag::Type::i8,  format::codag::Type::i16, format::codag::Type::i32,
    format::codag::Type::u32, format::codag::Type::i64, format::codag::Type::u64};

/// The lowest bytes of each number, as many as the type has.
inline Chunk chunk_of(const Numbers& numbers, format::codag::Type type) {
  Chunk bytes;
  for (const std::uint64_t number : numbers) {
    for (std::uint32_t byte = 0; byte < format::codag::shape_of(type).value_bytes; ++byte) {
      bytes.push_back(static_cast<std::uint8_t>(number >> 8 * byte));
    }
  }
  return bytes;
}

/// The numbers of the places 0 to `count` - 1.
inline Numbers numbers_of(std::size_t count, const std::function<std::uint64_t(std::size_t)>& number) {
  Numbers numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(number(i));
  return numbers;
}

/// A payload of a type, with these bytes as its stream.
inline Chunk stream_of(format::codag::Type type, const std::vector<unsigned>& bytes) {
  Chunk payload = {static_cast<std::uint8_t>(type)};
  for (const unsigned byte : bytes) payload.push_back(static_cast<std::uint8_t>(byte));
  return payload;
}

/// Expects that `decode` is refused for this mistake in block 3, at this byte of its payload.
inline void expect_problem(format::codag::Problem problem, std::uint64_t byte,
                           const std::function<Chunk()>& decode) {
  const format::StatusText text = format::codag::describe_problem(problem, byte);
  try {
    decode();
    ADD_FAILURE() << "decoded without an error; expected: " << text.field << " " << text.problem;
  } catch (const format::FormatError& error) {
    EXPECT_EQ(error.block(), 3U);
    EXPECT_EQ(error.field(), text.field);
    EXPECT_NE(std::string(error.what()).find(text.problem), std::string::npos) << error.what();
  }
}

}  // namespace gsst::codag
