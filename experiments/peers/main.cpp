// gsst_measure_nvcomp: measures the codecs of nvCOMP on a GPU and writes a result as JSON.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/measure/shared/command_line.hpp"
#include "experiments/peers/nvcomp_codecs.hpp"
#include "experiments/peers/peer_session.hpp"

namespace gsst::experiments {
namespace {

// Some codecs have no row.
constexpr int exit_incomplete = 3;

const std::map<std::string, PeerOperation> operations = {{"compress", PeerOperation::compress},
                                                         {"decompress", PeerOperation::decompress}};

// `LZ4` of `nvcomp/LZ4`.
std::string codec_name(const PeerCodec& codec) {
  return codec.stage.substr(codec.stage.find('/') + 1);
}

bool is_wanted(const std::vector<std::string>& wanted, const std::string& name) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
}

int run(int argc, char** argv) {
  const std::vector<PeerCodec> known = nvcomp_codecs();
  std::set<std::string> names;
  std::set<std::string> interfaces;
  for (const PeerCodec& codec : known) {
    names.insert(codec_name(codec));
    interfaces.insert(codec.variant);
  }

  CLI::App app(
      std::string("Measures the codecs of nvCOMP ") + nvcomp_version() +
      " on a GPU; every row is verified byte for byte before and after. Status 3: some codecs have no row.");
  RunOptions options;
  std::string target;
  InputOptions input;
  std::string operation = "decompress";
  std::vector<std::string> wanted_names;
  std::vector<std::string> wanted_interfaces;
  app.add_option("--target", target, "Target of the result")->required();
  add_result_options(app, options, command_text(argc, argv));
  add_timing_options(app, options);
  add_input_options(app, input);
  app.add_option("--operation", operation, "What is measured")
      ->check(CLI::IsMember(operations))
      ->capture_default_str();
  app.add_option("--codecs", wanted_names, "Only these, separated by commas")
      ->delimiter(',')
      ->check(CLI::IsMember(names));
  app.add_option("--interfaces", wanted_interfaces, "Only these, separated by commas")
      ->delimiter(',')
      ->check(CLI::IsMember(interfaces));
  if (const std::optional<int> status = parse_command_line(app, argc, argv)) return *status;

  std::vector<PeerCodec> wanted;
  std::copy_if(known.begin(), known.end(), std::back_inserter(wanted), [&](const PeerCodec& codec) {
    return is_wanted(wanted_names, codec_name(codec)) && is_wanted(wanted_interfaces, codec.variant);
  });
  const std::size_t missing =
      measure_peers(wanted, operations.at(operation), nvcomp_version(), target, options, input);
  return missing == 0 ? 0 : exit_incomplete;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_program("gsst_measure_nvcomp", gsst::experiments::run, argc, argv);
}
