#include "reference_cpu/zero_length/marked_elements.hpp"

#include <array>
#include <optional>
#include <stdexcept>
#include <string>

namespace gsst::reference::zero_length {
namespace {

using format::zero_length::literal_four_zeros;
using format::zero_length::literal_marker;
using format::zero_length::longest_run_of;
using format::zero_length::Markers;
using format::zero_length::markers_bytes;
using format::zero_length::run_of_four_zeros;
using format::zero_length::shortest_run;
using format::zero_length::Status;

constexpr std::uint8_t fixed_marker = format::zero_length::marker;

using Counts = std::array<std::uint64_t, 256>;

// Of the values from 1 on but `other`.
std::uint8_t rarest_value(const Counts& counts, std::optional<std::uint8_t> other) {
  std::size_t rarest = other == 1 ? 2 : 1;
  for (std::size_t value = rarest + 1; value < counts.size(); ++value) {
    if (value != other && counts[value] < counts[rarest]) rarest = value;
  }
  return static_cast<std::uint8_t>(rarest);
}

// The bytes of one block, put one after the other.
class ElementWriter {
public:
  ElementWriter(std::span<std::uint8_t> payload, const Markers& markers)
      : payload_(payload), markers_(markers) {
    put(markers.marker);
    put(markers.four_zeros);
  }

  std::size_t written() const { return written_; }

  // A byte other than 0.
  void put_literal(std::uint8_t byte) {
    if (byte == markers_.marker) {
      put_marked(literal_marker);
    } else if (byte == markers_.four_zeros) {
      put_marked(literal_four_zeros(markers_));
    } else {
      put(byte);
    }
  }

  void put_run(std::size_t zeros) {
    const std::size_t longest = longest_run_of(markers_);
    for (; zeros >= longest; zeros -= longest) put_marked(static_cast<std::uint8_t>(longest));
    put_rest(zeros);
  }

private:
  void put(std::uint8_t byte) { payload_[written_++] = byte; }

  void put_marked(std::uint8_t second) {
    put(markers_.marker);
    put(second);
  }

  // Fewer zeros than the longest run of an element has.
  void put_rest(std::size_t zeros) {
    if (zeros < shortest_run) {
      for (; zeros != 0; --zeros) put(0);
    } else if (zeros == run_of_four_zeros && markers_.four_zeros != 0) {
      put(markers_.four_zeros);
    } else if (zeros == markers_.marker) {
      // So that the byte after a marker is never the marker.
      put_rest(zeros - 1);
      put(0);
    } else {
      put_marked(static_cast<std::uint8_t>(zeros));
    }
  }

  std::span<std::uint8_t> payload_;
  Markers markers_;
  std::size_t written_ = 0;
};

// What an element decodes to.
struct Element {
  std::size_t bytes;
  std::size_t count;
  std::uint8_t value;
};

// What the two bytes of an element with a marker decode to; nothing where they mean nothing.
std::optional<Element> marked_element(std::uint8_t second, const Markers& markers) {
  if (second == literal_marker) return Element{.bytes = 2, .count = 1, .value = markers.marker};
  if (second == markers.marker) return std::nullopt;
  if (second <= format::zero_length::longest_run) return Element{.bytes = 2, .count = second, .value = 0};
  if (markers.four_zeros != 0 && second == literal_four_zeros(markers)) {
    return Element{.bytes = 2, .count = 1, .value = markers.four_zeros};
  }
  return std::nullopt;
}

}  // namespace

Markers choose_markers(std::span<const std::uint8_t> block, const MarkerChoice& choice) {
  Counts counts{};
  for (const std::uint8_t byte : block) ++counts[byte];
  Markers markers = {.marker = choice.is_rarest ? rarest_value(counts, std::nullopt) : fixed_marker,
                     .four_zeros = 0};
  if (choice.has_four_zeros) markers.four_zeros = rarest_value(counts, markers.marker);
  return markers;
}

std::size_t encode_marked(std::span<const std::uint8_t> block, std::span<std::uint8_t> payload,
                          const Markers& markers) {
  const std::uint64_t most =
      format::zero_length::max_encoded_bytes(format::zero_length::markers_format, block.size());
  if (payload.size() < most) {
    throw std::invalid_argument("encode_marked: " + std::to_string(payload.size()) +
                                " bytes are too few for the elements of " + std::to_string(block.size()));
  }
  ElementWriter writer(payload, markers);
  for (std::size_t i = 0; i < block.size();) {
    if (block[i] != 0) {
      writer.put_literal(block[i++]);
      continue;
    }
    const std::size_t begin = i;
    while (i < block.size() && block[i] == 0) ++i;
    writer.put_run(i - begin);
  }
  return writer.written();
}

DecodedElements decode_marked(std::span<const std::uint8_t> payload, std::uint64_t most_bytes) {
  const Markers markers = {.marker = payload[0], .four_zeros = payload[1]};
  const std::span<const std::uint8_t> elements = payload.subspan(markers_bytes);
  DecodedElements decoded;
  while (decoded.position < elements.size()) {
    const std::uint8_t first = elements[decoded.position];
    std::optional<Element> element = Element{.bytes = 1, .count = 1, .value = first};
    if (first == markers.marker) {
      if (decoded.position + 1 == elements.size()) {
        decoded.status = Status::marker_at_end;
        return decoded;
      }
      element = marked_element(elements[decoded.position + 1], markers);
    } else if (markers.four_zeros != 0 && first == markers.four_zeros) {
      element = Element{.bytes = 1, .count = run_of_four_zeros, .value = 0};
    }
    if (!element) {
      decoded.status = Status::unused_length;
      return decoded;
    }
    if (element->count > most_bytes - decoded.bytes.size()) {
      decoded.status = Status::output_too_long;
      return decoded;
    }
    decoded.bytes.insert(decoded.bytes.end(), element->count, element->value);
    decoded.position += element->bytes;
  }
  return decoded;
}

}  // namespace gsst::reference::zero_length
