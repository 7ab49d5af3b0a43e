#pragma once

#include <cstdint>
#include <string>

namespace gsst::cli {

/// `bytes` with three digits and a unit of 10^3n bytes: "999 B", "1.23 kB", "45.6 MB", "7.89 GB".
std::string byte_text(double bytes);

/// A time to wait, in whole seconds: "5 s", "2 min 03 s", "1 h 02 min".
std::string duration_text(double seconds);

/// Uncompressed by compressed size, three decimals; "-" if nothing was compressed.
std::string ratio_text(std::uint64_t uncompressed_bytes, std::uint64_t compressed_bytes);

}  // namespace gsst::cli
