#include "cli/list_command.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/input_format.hpp"
#include "cli/mapped_file.hpp"
#include "cli/quantity_text.hpp"
#include "cli/summary.hpp"
#include "common/format/formats.hpp"

namespace gsst::cli {
namespace {

Listing list_bytes(const Options& options, std::span<const std::uint8_t> bytes, const std::string& name) {
  const auto start = bytes.first(std::min(bytes.size(), recognised_bytes));
  const format::BlockFormat format = recognise_format(start, name, options.format);
  return {.file = name,
          .format = format,
          .compressed_bytes = bytes.size(),
          .content = reference::codec_of(format).list(bytes)};
}

// A cell of the table; names stand to the left, numbers to the right.
struct Cell {
  std::string text;
  bool left_aligned = false;
};
using Row = std::vector<Cell>;

// The columns of numbers that only some formats have.
std::vector<std::string> columns_of_formats(const std::vector<Listing>& listings) {
  std::vector<std::string> columns;
  for (const Listing& listing : listings) {
    for (const reference::FileListing::Number& number : listing.content.numbers) {
      if (!number.has_column || std::ranges::find(columns, number.name) != columns.end()) continue;
      columns.push_back(number.name);
    }
  }
  return columns;
}

std::string number_or_dash(std::optional<std::uint64_t> value) {
  return value ? std::to_string(*value) : "-";
}

std::string number_of(const Listing& listing, const std::string& column) {
  const auto& numbers = listing.content.numbers;
  const auto found = std::ranges::find(numbers, column, &reference::FileListing::Number::name);
  return number_or_dash(found == numbers.end() ? std::nullopt : found->value);
}

Row row_of(const Listing& listing, const std::vector<std::string>& columns) {
  const reference::FileListing& content = listing.content;
  Row row = {{std::string(format::block_format_name(listing.format)), true},
             {std::to_string(content.blocks)},
             {number_or_dash(content.block_bytes)}};
  for (const std::string& column : columns) row.push_back({number_of(listing, column)});
  row.push_back({std::to_string(listing.compressed_bytes)});
  row.push_back({std::to_string(content.uncompressed_bytes)});
  row.push_back({ratio_text(content.uncompressed_bytes, listing.compressed_bytes)});
  row.push_back({content.checksum.value_or("none"), true});
  row.push_back({listing.file, true});
  return row;
}

Row head_of(const std::vector<std::string>& columns) {
  Row row = {{"format", true}, {"blocks"}, {"block size"}};
  for (const std::string& column : columns) row.push_back({column});
  row.insert(row.end(), {{"compressed"}, {"uncompressed"}, {"ratio"}, {"check", true}, {"file", true}});
  return row;
}

template <typename Value>
nlohmann::ordered_json value_or_null(const std::optional<Value>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

}  // namespace

Listing list_file(const Options& options, const InputFile& input) {
  const MappedFile file(input, "it is listed as a whole");
  try {
    Listing listing = list_bytes(options, file.bytes(), input.name());
    file.check_unchanged();
    return listing;
  } catch (const std::exception&) {
    // A file that was cut meanwhile is not damaged.
    file.check_unchanged();
    throw;
  }
}

std::string listing_text(const std::vector<Listing>& listings) {
  const std::vector<std::string> columns = columns_of_formats(listings);
  std::vector<Row> rows = {head_of(columns)};
  for (const Listing& listing : listings) rows.push_back(row_of(listing, columns));

  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], row[column].text.size());
    }
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      const std::string padding(widths[column] - row[column].text.size(), ' ');
      line += row[column].left_aligned ? row[column].text + padding : padding + row[column].text;
      line += "  ";
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

nlohmann::ordered_json listing_json(const Listing& listing) {
  const reference::FileListing& content = listing.content;
  nlohmann::ordered_json json = {{"file", listing.file},
                                 {"format", format::block_format_name(listing.format)},
                                 {"blocks", content.blocks},
                                 {"block_bytes", value_or_null(content.block_bytes)}};
  for (const reference::FileListing::Number& number : content.numbers) {
    json[number.name] = value_or_null(number.value);
  }
  json["compressed_bytes"] = listing.compressed_bytes;
  json["uncompressed_bytes"] = content.uncompressed_bytes;
  json["ratio"] = ratio_json(content.uncompressed_bytes, listing.compressed_bytes);
  json["checksum"] = value_or_null(content.checksum);
  return json;
}

}  // namespace gsst::cli
