#pragma once

#include <cstddef>
#include <string>

namespace gsst::logged_cuda {

/// Appends a line to the file that the environment variable GSST_LOGGED_CUDA_LOG names. Safe from several
/// threads. What the stack below has held is overwritten with the byte that GSST_LOGGED_CUDA_FILL says: bytes
/// of a parameter that the program never writes, such as padding, differ between runs that say another one.
void log(const std::string& line);

/// Appends bytes to the file of that name with `.contents` behind it. The log's reader knows how many from
/// its line.
void log_contents(const void* bytes, std::size_t count);

}  // namespace gsst::logged_cuda
