#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/format/gsst/symbol_table.hpp"

/// Inputs that the tests of the codec share.
namespace gsst::reference::test {

struct NamedInput {
  std::string name;
  std::vector<std::uint8_t> bytes;
};

/// Words from a small vocabulary, like a comment column. The same seed gives the same bytes on every machine.
std::vector<std::uint8_t> make_text(std::size_t bytes, std::uint64_t seed);

/// Bytes that do not compress.
std::vector<std::uint8_t> make_random(std::size_t bytes, std::uint64_t seed);

/// Runs, text, random bytes, zeros and 0xFF in pieces of random length.
std::vector<std::uint8_t> make_mixed(std::size_t bytes, std::uint64_t seed);

/// Every kind of input that a codec must give back: empty, one byte, all zero, random, each byte value, runs
/// of 0xFF, text with NULs, sizes around every border of the fast paths, periodic ones that never meet.
std::vector<NamedInput> awkward_inputs();

/// A table of `symbol_count` random symbols with random lengths, in the stored order.
format::SymbolTable make_random_table(unsigned symbol_count, std::uint64_t seed);

/// The folder with the DBText columns: $GSST_DATA_DIR/dbtext, else data/cache/dbtext. Nothing if neither
/// exists.
std::optional<std::filesystem::path> dbtext_folder();

std::vector<std::uint8_t> read_file(const std::filesystem::path& path);

}  // namespace gsst::reference::test
