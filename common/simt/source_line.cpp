#include "common/simt/source_line.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <sstream>
#include <string>

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

}  // namespace

std::string source_line(const void* return_address) {
  // The call stands before the address that it returns to.
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(return_address) - 1;
  Dl_info module{};
  if (dladdr(return_address, &module) == 0) return to_hexadecimal(address);
  std::istringstream lines(output_of("addr2line -i -e '" + std::string(module.dli_fname) + "' " +
                                     to_hexadecimal(address_in_file(address, module)) + " 2>/dev/null"));
  std::string chain;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("??")) break;
    if (!chain.empty()) chain += " called from ";
    chain += line.substr(0, line.find(" (discriminator"));
  }
  return chain.empty() ? to_hexadecimal(address) : chain;
}

}  // namespace gsst::simt
