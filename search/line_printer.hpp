#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace gsst::search {

/// Where a line or a match is in its file.
struct Place {
  /// From 1 on; 0 where nobody counts.
  std::uint64_t line_number;
  std::uint64_t byte_offset;
};

/// What is printed in front of lines, in grep's order.
struct LinePrefix {
  bool file_name = false;
  bool line_number = false;
  bool byte_offset = false;
};

/// Writes lines as grep does, many at a time.
class LinePrinter {
public:
  using Write = std::function<void(std::string_view)>;

  LinePrinter(const LinePrefix& prefix, Write write) : prefix_(prefix), write_(std::move(write)) {}

  /// The name of the file whose lines come next.
  void set_file_name(std::string_view name) { file_name_ = name; }
  /// A line or a part of one, to which a line end is added where it has none.
  void print_selected(const Place& place, std::string_view text) { print(place, text, ':'); }
  /// A line around selected ones, or a part of it.
  void print_context(const Place& place, std::string_view text) { print(place, text, '-'); }
  /// The line between groups of lines that are no neighbours, unless nothing was printed before it.
  void separate_groups();
  /// To be called for the first line of a group, also where nothing of it is printed.
  void start_group() { has_groups_ = true; }
  /// A number of lines, or a file's name alone.
  void print_count(std::uint64_t count);
  void print_file_name();
  void flush();

private:
  void print(const Place& place, std::string_view text, char separator);
  void flush_if_full();

  LinePrefix prefix_;
  Write write_;
  std::string file_name_;
  std::string buffer_;
  bool has_groups_ = false;
};

}  // namespace gsst::search
