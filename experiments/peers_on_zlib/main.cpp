// gsst_measure_nvcomp_zlib: measures on a GPU how nvCOMP decompresses streams of zlib and writes a result as
// JSON.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/measure/shared/command_line.hpp"
#include "experiments/peers/nvcomp_codecs.hpp"
#include "experiments/peers/peer_session.hpp"
#include "experiments/peers_on_zlib/nvcomp_on_zlib.hpp"

namespace gsst::experiments {
namespace {

// Some codecs have no row, as of gsst_measure_nvcomp.
constexpr int exit_incomplete = 3;
const std::set<std::string> codec_names = {"Deflate", "Gzip"};

int run(int argc, char** argv) {
  CLI::App app(
      std::string("Measures how nvCOMP ") + nvcomp_version() +
      " decompresses chunks of 64 KiB that zlib has compressed on the CPU; every row is verified byte "
      "for byte before and after. Status 3: some codecs have no row.");
  RunOptions options;
  std::string target;
  InputOptions input;
  unsigned level = 0;
  std::vector<std::string> wanted_names;
  app.add_option("--target", target, "Target of the result")->required();
  add_result_options(app, options, command_text(argc, argv));
  add_timing_options(app, options);
  add_input_options(app, input);
  app.add_option("--level", level, "Level of zlib")->required()->check(CLI::Range(0, 9));
  app.add_option("--codecs", wanted_names, "Only these, separated by commas")
      ->delimiter(',')
      ->check(CLI::IsMember(codec_names));
  if (const std::optional<int> status = parse_command_line(app, argc, argv)) return *status;

  const std::vector<PeerCodec> known = codecs_on_zlib(level);
  std::vector<PeerCodec> wanted;
  std::copy_if(known.begin(), known.end(), std::back_inserter(wanted), [&](const PeerCodec& codec) {
    const std::string name = codec.stage.substr(codec.stage.find('/') + 1);
    return wanted_names.empty() ||
           std::find(wanted_names.begin(), wanted_names.end(), name) != wanted_names.end();
  });
  const std::size_t missing =
      measure_peers(wanted, PeerOperation::decompress, nvcomp_version(), target, options, input);
  return missing == 0 ? 0 : exit_incomplete;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_program("gsst_measure_nvcomp_zlib", gsst::experiments::run, argc, argv);
}
