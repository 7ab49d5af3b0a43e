#pragma once

#include <string>

namespace gsst::simt {

/// Where the call that returns to `return_address` stands: "FILE:LINE", followed by " called from FILE:LINE"
/// for each function that was inlined. The address itself where binutils' addr2line or the debug information
/// is missing.
std::string source_line(const void* return_address);

}  // namespace gsst::simt
