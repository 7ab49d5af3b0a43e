#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "fuzz/encode_choices.hpp"
#include "fuzz/random.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/test_inputs.hpp"

// gsst_fuzz_seeds FOLDER: writes small files of every registered format, with options chosen at random, for
// fuzzers to start from. A series without golden files is fuzzed as well.

namespace {

using gsst::reference::Codec;
using gsst::reference::EncodeSettings;

constexpr unsigned files_per_format = 8;
constexpr std::size_t block_bytes = 1500;
constexpr std::size_t input_bytes = 4000;

void write_seed(const Codec& codec, unsigned number, const std::filesystem::path& folder) {
  gsst::fuzz::Random random(number, static_cast<std::uint64_t>(codec.traits().format));
  EncodeSettings settings =
      gsst::fuzz::choose_settings(codec, [&](std::uint64_t limit) { return random.below(limit); });
  // Some are one block, as files of some formats have to be.
  settings.block_bytes = number % 4 < 2 ? block_bytes : input_bytes;
  settings.threads = 1;
  const std::vector<std::uint8_t> input = number % 2 == 0
                                              ? gsst::reference::test::make_mixed(input_bytes, number)
                                              : gsst::reference::test::make_text(input_bytes, number);
  try {
    codec.check(settings);
  } catch (const std::invalid_argument&) {
    return;
  }
  std::vector<std::uint8_t> bytes;
  try {
    bytes = encode_file(codec, input, settings);
  } catch (const std::invalid_argument&) {
    if (codec.is_framed()) throw;
    return;
  }
  std::ofstream file;
  file.exceptions(std::ios::failbit | std::ios::badbit);
  file.open(folder / (std::string(codec.name()) + "_" + std::to_string(number)), std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.close();
}

}  // namespace

int main(int argc, char** argv) try {
  const std::span arguments(argv, static_cast<std::size_t>(argc));
  if (arguments.size() != 2) throw std::invalid_argument("expected one argument, a folder");
  const std::filesystem::path folder = arguments[1];
  std::filesystem::create_directories(folder);
  for (const Codec* const codec : gsst::reference::registered_codecs()) {
    for (unsigned number = 0; number < files_per_format; ++number) write_seed(*codec, number, folder);
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "gsst_fuzz_seeds: %s\n", error.what());
  return 2;
}
