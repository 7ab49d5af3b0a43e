#include "search/line_printer.hpp"

#include <cstddef>

namespace gsst::search {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{64} << 10;

}  // namespace

void LinePrinter::print(const Place& place, std::string_view text, char separator) {
  if (prefix_.file_name) (buffer_ += file_name_) += separator;
  if (prefix_.line_number) (buffer_ += std::to_string(place.line_number)) += separator;
  if (prefix_.byte_offset) (buffer_ += std::to_string(place.byte_offset)) += separator;
  buffer_ += text;
  if (text.empty() || text.back() != '\n') buffer_ += '\n';
  flush_if_full();
}

void LinePrinter::separate_groups() {
  if (has_groups_) buffer_ += "--\n";
}

void LinePrinter::print_count(std::uint64_t count) {
  if (prefix_.file_name) (buffer_ += file_name_) += ':';
  (buffer_ += std::to_string(count)) += '\n';
  flush_if_full();
}

void LinePrinter::print_file_name() {
  (buffer_ += file_name_) += '\n';
  flush_if_full();
}

void LinePrinter::flush() {
  if (!buffer_.empty()) write_(buffer_);
  buffer_.clear();
}

void LinePrinter::flush_if_full() {
  if (buffer_.size() >= buffer_bytes) flush();
}

}  // namespace gsst::search
