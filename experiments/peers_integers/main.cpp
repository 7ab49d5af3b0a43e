// gsst_measure_nvcomp_integers: measures nvCOMP's cascades on a column of integers and writes a result as
// JSON.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/measure/shared/command_line.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/input_file.hpp"
#include "experiments/peers/peer_session.hpp"
#include "experiments/peers_integers/nvcomp_cascades.hpp"

namespace gsst::experiments {
namespace {

// Some cascades have no row.
constexpr int exit_incomplete = 3;

// The compressor would read across the column's end.
void check_whole_numbers(const std::string& path) {
  const std::uint64_t bytes = input_file_bytes(path);
  if (bytes % number_bytes_of_cascades == 0) return;
  throw InputError(path + ": has " + std::to_string(bytes) + " bytes, which are no whole numbers of " +
                   std::to_string(number_bytes_of_cascades) + " bytes");
}

int run(int argc, char** argv) {
  const std::vector<PeerCodec> known = nvcomp_cascades();
  std::set<std::string> names;
  for (const PeerCodec& codec : known) names.insert(codec.variant);

  CLI::App app(
      std::string("Measures how fast a GPU decompresses a column of little-endian integers of 32 bits "
                  "from cascades of nvCOMP ") +
      nvcomp_version_of_cascades() +
      "; every row is verified byte for byte before and after. Status 3: some cascades have no row.");
  RunOptions options;
  std::string target;
  InputOptions input;
  std::vector<std::string> wanted_names;
  app.add_option("--target", target, "Target of the result")->required();
  add_result_options(app, options, command_text(argc, argv));
  add_timing_options(app, options);
  add_input_options(app, input);
  app.add_option("--codecs", wanted_names, "Only these cascades, separated by commas")
      ->delimiter(',')
      ->check(CLI::IsMember(names));
  if (const std::optional<int> status = parse_command_line(app, argc, argv)) return *status;

  check_whole_numbers(input.path);
  std::vector<PeerCodec> wanted;
  std::copy_if(known.begin(), known.end(), std::back_inserter(wanted), [&](const PeerCodec& codec) {
    return wanted_names.empty() ||
           std::find(wanted_names.begin(), wanted_names.end(), codec.variant) != wanted_names.end();
  });
  const std::size_t missing =
      measure_peers(wanted, PeerOperation::decompress, nvcomp_version_of_cascades(), target, options, input);
  return missing == 0 ? 0 : exit_incomplete;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_program("gsst_measure_nvcomp_integers", gsst::experiments::run, argc, argv);
}
