#include "reference_cpu/decoder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "reference_cpu/fast_decoder.hpp"
#include "reference_cpu/test_inputs.hpp"

namespace gsst::reference {
namespace {

using test::make_random;
using test::make_random_table;

constexpr std::size_t canary_bytes = 64;

struct Decoded {
  DecodeProblem problem;
  std::vector<std::uint8_t> output;
  bool canaries_stand;
};

template <typename Decode>
Decoded decode_between_canaries(const Decode& decode_function, const format::SymbolTable& table,
                                const std::vector<std::uint8_t>& codes, std::size_t output_bytes) {
  std::vector<std::uint8_t> buffer(output_bytes + 2 * canary_bytes, 0xa5);
  const auto output = std::span(buffer).subspan(canary_bytes, output_bytes);
  std::fill(output.begin(), output.end(), std::uint8_t{0xcd});
  Decoded result{.problem = decode_function(table, codes, output),
                 .output = {output.begin(), output.end()},
                 .canaries_stand = false};
  const auto is_canary = [](std::uint8_t byte) { return byte == 0xa5; };
  result.canaries_stand = std::all_of(buffer.begin(), buffer.begin() + canary_bytes, is_canary) &&
                          std::all_of(buffer.end() - canary_bytes, buffer.end(), is_canary);
  return result;
}

format::SymbolTable table_of_ab() {
  format::SymbolTable table;
  table.symbol_count = 2;
  table.symbols = {0x6261, 0x7a};
  table.lengths = {2, 1};
  return table;
}

TEST(Decoder, WritesSymbolsAndEscapedBytes) {
  const std::vector<std::uint8_t> codes = {0, 1, 255, 255, 255, 0, 0};
  const Decoded result = decode_between_canaries(decode, table_of_ab(), codes, 7);
  EXPECT_EQ(result.problem, DecodeProblem::none);
  EXPECT_EQ(result.output, (std::vector<std::uint8_t>{'a', 'b', 'z', 0xff, 0, 'a', 'b'}));
}

TEST(Decoder, NamesEachProblem) {
  const format::SymbolTable table = table_of_ab();
  std::vector<std::uint8_t> output(3);
  EXPECT_EQ(decode(table, std::vector<std::uint8_t>{0, 2}, output), DecodeProblem::code_without_symbol);
  EXPECT_EQ(decode(table, std::vector<std::uint8_t>{0, 255}, output), DecodeProblem::escape_at_end);
  EXPECT_EQ(decode(table, std::vector<std::uint8_t>{0, 0}, output), DecodeProblem::output_too_long);
  EXPECT_EQ(decode(table, std::vector<std::uint8_t>{0}, output), DecodeProblem::output_too_short);
  EXPECT_EQ(decode(table, std::vector<std::uint8_t>{0, 1}, output), DecodeProblem::none);
}

TEST(Decoder, CountsWhatItWouldWrite) {
  const format::SymbolTable table = table_of_ab();
  EXPECT_EQ(decoded_size(table, std::vector<std::uint8_t>{0, 1, 255, 9}).bytes, 4u);
  EXPECT_EQ(decoded_size(table, std::vector<std::uint8_t>{0, 255}).problem, DecodeProblem::escape_at_end);
  EXPECT_EQ(decoded_size(table, std::vector<std::uint8_t>{7}).problem, DecodeProblem::code_without_symbol);
}

// Random codes under tables of every size: results, problems and canaries have to agree.
TEST(FastDecoder, AgreesWithReadableDecoderOnRandomCodes) {
  for (unsigned symbol_count = 0; symbol_count <= format::max_symbol_count; ++symbol_count) {
    const std::uint64_t seed = 1000 + symbol_count;
    SCOPED_TRACE("seed " + std::to_string(seed));
    const format::SymbolTable table = make_random_table(symbol_count, seed);
    for (const std::size_t code_bytes : {0, 1, 7, 8, 9, 200, 3000}) {
      std::vector<std::uint8_t> codes = make_random(code_bytes, seed + code_bytes);
      // Without this almost every sequence would stop at its first code without symbol.
      if (symbol_count > 0 && code_bytes != 3000) {
        for (std::uint8_t& code : codes) {
          if (code != format::escape_code) code = static_cast<std::uint8_t>(code % symbol_count);
        }
      }
      const std::size_t exact = decoded_size(table, codes).bytes;
      for (const std::size_t output_bytes : {exact, exact + 1, exact / 2, exact > 0 ? exact - 1 : 0}) {
        const Decoded readable = decode_between_canaries(decode, table, codes, output_bytes);
        ASSERT_TRUE(readable.canaries_stand);
        for (const auto decode_function : {decode_fast, decode_fast_portable}) {
          const Decoded fast = decode_between_canaries(decode_function, table, codes, output_bytes);
          ASSERT_EQ(fast.problem, readable.problem) << symbol_count << " symbols, " << code_bytes << " codes";
          ASSERT_TRUE(fast.canaries_stand);
          if (readable.problem == DecodeProblem::none) {
            ASSERT_EQ(fast.output, readable.output);
          }
        }
      }
    }
  }
}

TEST(FastDecoder, FindsACodeWithoutSymbolAtEveryPlaceOfAStep) {
  for (unsigned symbol_count : {1u, 100u, 127u, 128u, 129u, 200u, 254u}) {
    const format::SymbolTable table = make_random_table(symbol_count, symbol_count);
    for (std::size_t bad = 0; bad < 16; ++bad) {
      std::vector<std::uint8_t> codes(300, static_cast<std::uint8_t>(symbol_count - 1));
      codes[bad] = static_cast<std::uint8_t>(symbol_count);
      std::vector<std::uint8_t> output(codes.size() * 8);
      EXPECT_EQ(decode_fast(table, codes, output), DecodeProblem::code_without_symbol)
          << symbol_count << " symbols, place " << bad;
    }
  }
}

}  // namespace
}  // namespace gsst::reference
