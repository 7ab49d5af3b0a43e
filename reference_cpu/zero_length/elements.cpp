#include "reference_cpu/zero_length/elements.hpp"

#include <stdexcept>
#include <string>

namespace gsst::reference::zero_length {

using format::zero_length::literal_marker;
using format::zero_length::longest_run;
using format::zero_length::marker;
using format::zero_length::shortest_run;
using format::zero_length::Status;

std::size_t encode_elements(std::span<const std::uint8_t> block, std::span<std::uint8_t> elements) {
  if (elements.size() < format::zero_length::max_elements_bytes(block.size())) {
    throw std::invalid_argument("encode_elements: " + std::to_string(elements.size()) +
                                " bytes are too few for the elements of " + std::to_string(block.size()));
  }
  std::size_t written = 0;
  for (std::size_t i = 0; i < block.size();) {
    if (block[i] == marker) {
      elements[written++] = marker;
      elements[written++] = literal_marker;
      ++i;
      continue;
    }
    if (block[i] != 0) {
      elements[written++] = block[i++];
      continue;
    }
    std::size_t run = 1;
    while (run < longest_run && i + run < block.size() && block[i + run] == 0) ++run;
    if (run >= shortest_run) {
      elements[written++] = marker;
      elements[written++] = static_cast<std::uint8_t>(run);
    } else {
      for (std::size_t zero = 0; zero < run; ++zero) elements[written++] = 0;
    }
    i += run;
  }
  return written;
}

DecodedElements decode_elements(std::span<const std::uint8_t> elements, std::uint64_t most_bytes) {
  DecodedElements decoded;
  while (decoded.position < elements.size()) {
    const std::uint8_t first = elements[decoded.position];
    std::size_t element_bytes = 1;
    std::size_t count = 1;
    std::uint8_t byte = first;
    if (first == marker) {
      if (decoded.position + 1 == elements.size()) {
        decoded.status = Status::marker_at_end;
        return decoded;
      }
      const std::uint8_t second = elements[decoded.position + 1];
      if (second > longest_run) {
        decoded.status = Status::unused_length;
        return decoded;
      }
      element_bytes = format::zero_length::marked_element_bytes;
      if (second != literal_marker) {
        count = second;
        byte = 0;
      }
    }
    if (count > most_bytes - decoded.bytes.size()) {
      decoded.status = Status::output_too_long;
      return decoded;
    }
    decoded.bytes.insert(decoded.bytes.end(), count, byte);
    decoded.position += element_bytes;
  }
  return decoded;
}

}  // namespace gsst::reference::zero_length
