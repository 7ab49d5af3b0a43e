// gsst_measure_nvcomp: measures the decompressors of nvCOMP on a GPU and writes a result as JSON.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "experiments/measure/error.hpp"
#include "experiments/measure_session/command_line.hpp"
#include "experiments/peers/nvcomp_codecs.hpp"
#include "experiments/peers/peer_session.hpp"

namespace gsst::experiments {
namespace {

constexpr int exit_failure = 1;
constexpr int exit_usage = 2;
constexpr int exit_incomplete = 3;

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
      std::string("Measures the decompressors of nvCOMP ") + nvcomp_version() +
      " on a GPU; every row is verified byte for byte before and after. Status 3: some codecs have no row.");
  RunOptions options;
  std::string target;
  InputOptions input;
  std::vector<std::string> wanted_names;
  std::vector<std::string> wanted_interfaces;
  add_result_options(app, options, target);
  add_input_options(app, input);
  app.add_option("--codecs", wanted_names, "Only these, separated by commas")
      ->delimiter(',')
      ->check(CLI::IsMember(names));
  app.add_option("--interfaces", wanted_interfaces, "Only these, separated by commas")
      ->delimiter(',')
      ->check(CLI::IsMember(interfaces));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : exit_usage;
  }
  if (options.command.empty()) options.command = command_text(argc, argv);

  std::vector<PeerCodec> wanted;
  std::copy_if(known.begin(), known.end(), std::back_inserter(wanted), [&](const PeerCodec& codec) {
    return is_wanted(wanted_names, codec_name(codec)) && is_wanted(wanted_interfaces, codec.variant);
  });
  const std::size_t missing = measure_peers(wanted, nvcomp_version(), target, options, input);
  return missing == 0 ? 0 : exit_incomplete;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  try {
    return gsst::experiments::run(argc, argv);
  } catch (const gsst::experiments::InputError& error) {
    std::cerr << "gsst_measure_nvcomp: " << error.what() << std::endl;
    return gsst::experiments::exit_usage;
  } catch (const std::exception& error) {
    std::cerr << "gsst_measure_nvcomp: " << error.what() << std::endl;
    return gsst::experiments::exit_failure;
  }
}
