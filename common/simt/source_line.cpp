#include "common/simt/source_line.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace gsst::simt {
namespace {

std::string to_hexadecimal(std::uintptr_t value) {
  std::ostringstream text;
  text << "0x" << std::hex << value;
  return text.str();
}

std::string output_of(const std::string& command) {
  struct Close {
    void operator()(std::FILE* file) const { pclose(file); }
  };
  const std::unique_ptr<std::FILE, Close> pipe(popen(command.c_str(), "r"));
  std::string output;
  if (!pipe) return output;
  char buffer[512];
  while (std::fgets(buffer, sizeof buffer, pipe.get()) != nullptr) output += buffer;
  return output;
}

// addr2line wants the address as the file has it: position-independent files are moved when they are loaded.
std::uintptr_t address_in_file(std::uintptr_t address, const Dl_info& module) {
  const auto* const header = static_cast<const ElfW(Ehdr)*>(module.dli_fbase);
  return header->e_type == ET_DYN ? address - reinterpret_cast<std::uintptr_t>(module.dli_fbase) : address;
}

// Addresses of one file, and where their places go.
struct AddressesOfFile {
  std::vector<std::size_t> indices;
  std::string arguments;
};

// Most addresses for one call of addr2line: its command must not be too long.
constexpr std::size_t most_addresses = 2000;

// What addr2line says of an address: a line for the code, and one for each call that it was inlined from. The
// next address's own line ends them.
std::string chain_of(std::istream& lines) {
  std::string chain;
  for (std::string line; std::getline(lines, line) && !line.starts_with("0x");) {
    if (line.starts_with("??")) continue;
    if (!chain.empty()) chain += " called from ";
    chain += line.substr(0, line.find(" (discriminator"));
  }
  return chain;
}

}  // namespace

std::vector<std::string> source_lines(std::span<const void* const> return_addresses) {
  std::vector<std::string> places(return_addresses.size());
  std::map<std::string, std::vector<AddressesOfFile>> files;
  for (std::size_t i = 0; i < return_addresses.size(); ++i) {
    // The call stands before the address that it returns to.
    const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(return_addresses[i]) - 1;
    places[i] = to_hexadecimal(address);
    Dl_info module{};
    if (dladdr(return_addresses[i], &module) == 0) continue;
    std::vector<AddressesOfFile>& parts = files[module.dli_fname];
    if (parts.empty() || parts.back().indices.size() == most_addresses) parts.emplace_back();
    parts.back().indices.push_back(i);
    parts.back().arguments += ' ' + to_hexadecimal(address_in_file(address, module));
  }
  for (const auto& [file, parts] : files) {
    for (const AddressesOfFile& part : parts) {
      std::istringstream lines(
          output_of("addr2line -a -i -e '" + file + "'" + part.arguments + " 2>/dev/null"));
      std::string first_address;
      std::getline(lines, first_address);
      for (const std::size_t index : part.indices) {
        const std::string chain = chain_of(lines);
        if (!chain.empty()) places[index] = chain;
      }
    }
  }
  return places;
}

std::string source_line(const void* return_address) {
  return source_lines(std::span(&return_address, 1)).front();
}

}  // namespace gsst::simt
