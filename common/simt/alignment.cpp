#include <cstdint>
#include <string>

#include "common/simt/executor.hpp"

// What code compiled with -fsanitize=alignment calls before an access to an address that the accessed type
// does not allow. A GPU ends the kernel there; a processor mostly does not mind. The compiler's library that
// has this function is not linked: it knows neither thread blocks nor threads. The names and the layout are
// the compiler's.

namespace {

struct SourceLocation {
  const char* file;
  std::uint32_t line;
  std::uint32_t column;
};

struct TypeDescriptor {
  std::uint16_t kind;
  std::uint16_t information;
  // In quotation marks; longer than this.
  char name[1];
};

struct TypeMismatch {
  SourceLocation place;
  const TypeDescriptor* type;
  unsigned char log_alignment;
  unsigned char access_kind;
};

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" void __ubsan_handle_type_mismatch_v1(const TypeMismatch* access, std::uintptr_t /*address*/) {
  // The compiler takes this function for one that throws nothing.
  gsst::simt::stop_thread("at " + std::string(access->place.file) + ":" + std::to_string(access->place.line) +
                          ": accesses " + static_cast<const char*>(access->type->name) +
                          " at an address that is not a multiple of " +
                          std::to_string(1u << access->log_alignment));
}
