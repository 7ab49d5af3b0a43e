#pragma once

#include <span>
#include <string>
#include <vector>

namespace gsst::simt {

/// Where the call that returns to `return_address` stands: "FILE:LINE", followed by " called from FILE:LINE"
/// for each function that was inlined. The address itself where binutils' addr2line or the debug information
/// is missing.
std::string source_line(const void* return_address);

/// The same of many addresses, in their order. One call of addr2line reads the debug information once.
std::vector<std::string> source_lines(std::span<const void* const> return_addresses);

}  // namespace gsst::simt
