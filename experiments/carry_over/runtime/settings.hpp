#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gsst::logged_cuda {

/// What the ELF says of a kernel.
struct KernelFacts {
  int registers = 0;
  /// Bytes of shared memory that it has without a launch's.
  std::size_t shared_bytes = 0;
  std::size_t local_bytes = 0;
  /// Bytes of each parameter, in order.
  std::vector<std::size_t> parameter_bytes;
};

/// The device, and the program's kernels.
struct Settings {
  std::string device_name;
  std::size_t memory_bytes = 0;
  /// By the name that cudaDeviceAttr has without its prefix cudaDevAttr.
  std::map<std::string, int> attributes;
  /// By the mangled name.
  std::map<std::string, KernelFacts> kernels;

  /// Ends the program where the attribute is not known.
  int attribute(const std::string& name) const;
};

/// Those in the file that the environment variable GSST_LOGGED_CUDA_SETTINGS names, read once. Lines are
/// `device NAME`, `memory BYTES`, `attribute NAME VALUE` and
/// `kernel NAME REGISTERS SHARED LOCAL [PARAMETER_BYTES ...]`. Ends the program where there are none.
const Settings& settings();

/// Ends the program with status 70: what runs on this runtime asks for something that it does not know.
[[noreturn]] void fail(const std::string& problem);

}  // namespace gsst::logged_cuda
