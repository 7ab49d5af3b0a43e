#include "experiments/measure/shared/input_file.hpp"

#include <fstream>
#include <string>
#include <system_error>

#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {

std::uint64_t input_file_bytes(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw InputError("input " + path.string() + " does not exist");
  if (!std::filesystem::is_regular_file(status))
    throw InputError("input " + path.string() + " is not a file");
  const std::uint64_t bytes = std::filesystem::file_size(path, error);
  if (error) throw InputError("cannot read input " + path.string() + ": " + error.message());
  if (bytes == 0) throw InputError("input " + path.string() + " is empty: there is nothing to measure");
  return bytes;
}

std::vector<std::uint8_t> read_input_file(const std::filesystem::path& path) {
  std::vector<std::uint8_t> bytes(input_file_bytes(path));
  std::ifstream stream(path, std::ios::binary);
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!stream) throw InputError("cannot read input " + path.string());
  return bytes;
}

}  // namespace gsst::experiments
