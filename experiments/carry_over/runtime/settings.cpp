#include "experiments/carry_over/runtime/settings.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace gsst::logged_cuda {
namespace {

constexpr int exit_unknown = 70;

void read_line(const std::string& line, Settings& settings) {
  std::istringstream words(line);
  std::string kind;
  std::string name;
  words >> kind;
  if (kind == "device") {
    std::getline(words >> std::ws, settings.device_name);
  } else if (kind == "memory") {
    words >> settings.memory_bytes;
  } else if (kind == "attribute") {
    words >> name;
    words >> settings.attributes[name];
  } else if (kind == "kernel") {
    words >> name;
    KernelFacts facts;
    words >> facts.registers >> facts.shared_bytes >> facts.local_bytes;
    for (std::size_t bytes = 0; words >> bytes;) facts.parameter_bytes.push_back(bytes);
    settings.kernels[name] = facts;
  } else {
    fail("unknown setting: " + line);
  }
}

Settings read_settings() {
  const char* const path = std::getenv("GSST_LOGGED_CUDA_SETTINGS");
  if (path == nullptr) fail("GSST_LOGGED_CUDA_SETTINGS names no file");
  std::ifstream file(path);
  if (!file) fail(std::string("cannot open ") + path);
  Settings settings;
  for (std::string line; std::getline(file, line);) read_line(line, settings);
  return settings;
}

}  // namespace

void fail(const std::string& problem) {
  std::fprintf(stderr, "logged CUDA runtime: %s\n", problem.c_str());
  std::_Exit(exit_unknown);
}

int Settings::attribute(const std::string& name) const {
  const auto found = attributes.find(name);
  if (found == attributes.end()) fail("the device's attribute " + name + " is not known");
  return found->second;
}

const Settings& settings() {
  static const Settings read = read_settings();
  return read;
}

}  // namespace gsst::logged_cuda
