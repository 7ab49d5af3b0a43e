#include "reference_cpu/test_inputs.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

namespace gsst::reference::test {
namespace {

// splitmix64, for numbers that are the same everywhere.
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
  }
  std::uint64_t below(std::uint64_t limit) { return next() % limit; }
  std::uint8_t byte() { return static_cast<std::uint8_t>(next()); }

private:
  std::uint64_t state_;
};

constexpr std::array<std::string_view, 24> words = {
    "carefully ", "quickly ",  "deposits ",  "accounts ", "the ",   "requests ", "final ",        "bold ",
    "ironic ",    "packages ", "sleep ",     "haggle ",   "among ", "blithely ", "theodolites ",  "pending ",
    "express ",   "slyly ",    "furiously ", "even ",     "are ",   "\n",        "instructions ", "foxes. "};

std::vector<std::uint8_t> repeat(std::string_view unit, std::size_t bytes) {
  std::vector<std::uint8_t> result(bytes);
  for (std::size_t i = 0; i < bytes; ++i) result[i] = static_cast<std::uint8_t>(unit[i % unit.size()]);
  return result;
}

}  // namespace

std::vector<std::uint8_t> make_text(std::size_t bytes, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::uint8_t> text;
  text.reserve(bytes + 16);
  while (text.size() < bytes) {
    const std::string_view word = words[random.below(words.size())];
    text.insert(text.end(), word.begin(), word.end());
  }
  text.resize(bytes);
  return text;
}

std::vector<std::uint8_t> make_random(std::size_t bytes, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::uint8_t> result(bytes);
  for (std::uint8_t& byte : result) byte = random.byte();
  return result;
}

std::vector<std::uint8_t> make_mixed(std::size_t bytes, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::uint8_t> result;
  while (result.size() < bytes) {
    const std::size_t length = 1 + random.below(700);
    switch (random.below(5)) {
      case 0:
        result.insert(result.end(), length, random.byte());
        break;
      case 1:
        result.insert(result.end(), length, 0xff);
        break;
      case 2:
        result.insert(result.end(), length, 0);
        break;
      case 3: {
        const auto text = make_text(length, random.next());
        result.insert(result.end(), text.begin(), text.end());
        break;
      }
      default: {
        const auto noise = make_random(length, random.next());
        result.insert(result.end(), noise.begin(), noise.end());
      }
    }
  }
  result.resize(bytes);
  return result;
}

std::vector<NamedInput> awkward_inputs() {
  std::vector<NamedInput> inputs;
  inputs.push_back({"empty", {}});
  inputs.push_back({"one_byte", {'q'}});
  inputs.push_back({"one_ff", {0xff}});
  for (const std::size_t size : {2, 3, 7, 8, 9, 15, 16, 17, 31, 63, 64, 65, 255, 256, 257}) {
    inputs.push_back({"text_" + std::to_string(size), make_text(size, size)});
  }
  for (const std::size_t size : {4095, 4096, 4097, 4098, 4099, 4100, 4103, 4104, 5000, 16383, 16384, 16385}) {
    inputs.push_back({"text_" + std::to_string(size), make_text(size, size)});
    inputs.push_back({"mixed_" + std::to_string(size), make_mixed(size, size)});
  }
  inputs.push_back({"zeros", std::vector<std::uint8_t>(20000, 0)});
  inputs.push_back({"ff", std::vector<std::uint8_t>(20001, 0xff)});
  inputs.push_back({"random", make_random(30000, 7)});
  std::vector<std::uint8_t> every_byte;
  for (unsigned i = 0; i < 256 * 64; ++i) every_byte.push_back(static_cast<std::uint8_t>(i * 167));
  inputs.push_back({"every_byte", every_byte});
  std::vector<std::uint8_t> runs_of_ff;
  for (std::size_t length = 1; length < 200; ++length) {
    runs_of_ff.insert(runs_of_ff.end(), length, 0xff);
    runs_of_ff.push_back(static_cast<std::uint8_t>(length));
  }
  inputs.push_back({"runs_of_ff", runs_of_ff});
  std::vector<std::uint8_t> text_with_nuls = make_text(30000, 3);
  std::replace(text_with_nuls.begin(), text_with_nuls.end(), std::uint8_t{' '}, std::uint8_t{0});
  inputs.push_back({"text_with_nuls", text_with_nuls});
  // Segments of these start at different places of the period: their parses may never meet.
  for (const std::string_view unit : {"abc", "abcde", "abcdefg", "abcdefghijk", "aab"}) {
    inputs.push_back({"period_" + std::string(unit), repeat(unit, 10007)});
  }
  inputs.push_back({"mixed", make_mixed(100000, 11)});
  inputs.push_back({"text", make_text(200000, 5)});
  return inputs;
}

format::SymbolTable make_random_table(unsigned symbol_count, std::uint64_t seed) {
  Random random(seed);
  std::array<unsigned, 9> per_length{};
  for (unsigned i = 0; i < symbol_count; ++i) ++per_length[1 + random.below(8)];
  format::SymbolTable table;
  for (const unsigned length : format::stored_length_order) {
    for (unsigned i = 0; i < per_length[length]; ++i) {
      table.symbols[table.symbol_count] = random.next() & (~std::uint64_t{0} >> (64 - 8 * length));
      table.lengths[table.symbol_count] = static_cast<std::uint8_t>(length);
      ++table.symbol_count;
    }
  }
  return table;
}

std::optional<std::filesystem::path> dbtext_folder() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing changes the environment while tests run.
  const char* const data_folder = std::getenv("GSST_DATA_DIR");
  for (const std::filesystem::path& folder :
       {data_folder != nullptr ? std::filesystem::path(data_folder) / "dbtext" : std::filesystem::path(),
        std::filesystem::path("data/cache/dbtext")}) {
    if (!folder.empty() && std::filesystem::is_directory(folder)) return folder;
  }
  return std::nullopt;
}

std::vector<std::uint8_t> read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot open " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace gsst::reference::test
