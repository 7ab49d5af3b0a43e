#include "cli/column_decoding.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>

#include "cli/command_error.hpp"
#include "cli/summary.hpp"
#include "common/columns/column_files.hpp"
#include "common/format/error.hpp"

namespace gsst::cli {
namespace {

// A kind of files that is made up: column "rest" is what follows the magic, and -1 cannot stand for a null.
columns::ColumnTotals decode_made_up(std::span<const std::uint8_t> file,
                                     const columns::ColumnRequest& request,
                                     const format::WriteFunction& write) {
  if (request.column != "rest") throw format::FormatError(std::nullopt, "columns", "are not there");
  if (request.null_value == -1) throw std::invalid_argument("--null: -1 is none");
  write(file.subspan(4));
  return {.rows = 7,
          .nulls = 2,
          .compressed_bytes = file.size(),
          .output_bytes = file.size() - 4,
          .chunks = 3,
          .remark = request.executor == stage::Executor::simt ? "1 part on simt" : "1 part"};
}

const columns::ColumnFilesRegistration made_up_files({.name = "MADE",
                                                      .magic = "MADE",
                                                      .decode = decode_made_up});

class ColumnDecoding : public testing::Test {
protected:
  ColumnDecoding() { write_to_path("MADE of this"); }
  ~ColumnDecoding() override { std::filesystem::remove(path_); }

  void write_to_path(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }

  Summary decode(const std::string& column, std::optional<std::int64_t> null_value = std::nullopt,
                 Device device = Device::cpu) {
    Options options;
    options.operation = Operation::decompress;
    options.column = column;
    options.null_value = null_value;
    options.device = device;
    output_.clear();
    return decode_column(options, InputFile(path_), [&](std::span<const std::uint8_t> bytes) {
      output_.append(bytes.begin(), bytes.end());
    });
  }

  // The code and the message of what decode() throws.
  std::pair<ExitCode, std::string> error_of(const std::string& column,
                                            std::optional<std::int64_t> null_value = std::nullopt) {
    try {
      decode(column, null_value);
    } catch (const CommandError& error) {
      return {error.code(), error.what()};
    }
    return {ExitCode::success, ""};
  }

  std::string path_ = testing::TempDir() + "gsst_columns_" + std::to_string(::getpid());
  std::string output_;
};

TEST_F(ColumnDecoding, WritesWhatTheKindOfTheFileDecodes) {
  const Summary summary = decode("rest");
  EXPECT_EQ(output_, " of this");
  EXPECT_EQ(summary.format, "MADE");
  EXPECT_EQ(summary.compressed_bytes, 12U);
  EXPECT_EQ(summary.uncompressed_bytes, 8U);
  EXPECT_NE(summary_text(summary, true)
                .find("; format MADE, column rest, 7 rows, 2 nulls, on cpu, 1 part, 3 blocks, "),
            std::string::npos);
}

TEST_F(ColumnDecoding, TheDeviceIsPassedOn) {
  const std::string text = summary_text(decode("rest", std::nullopt, Device::simt), true);
  EXPECT_NE(text.find("on simt, 1 part on simt, 3 blocks"), std::string::npos) << text;
}

TEST_F(ColumnDecoding, ErrorsSayWhoseMistakeItIs) {
  EXPECT_EQ(error_of("rest", -1), std::pair(ExitCode::usage, path_ + ": --null: -1 is none"));
  EXPECT_THROW(decode("other"), format::FormatError);
  write_to_path("MAD");
  const auto [code, message] = error_of("rest");
  EXPECT_EQ(code, ExitCode::invalid_input);
  EXPECT_EQ(message, path_ + ": is no file of columns; those of MADE are read");
}

TEST_F(ColumnDecoding, AFileOfColumnsNeedsOne) {
  constexpr std::array<std::uint8_t, 4> start = {'M', 'A', 'D', 'E'};
  EXPECT_THROW(check_column_is_chosen(start, "a"), CommandError);
  EXPECT_NO_THROW(check_column_is_chosen(std::span(start).first(3), "a"));
}

}  // namespace
}  // namespace gsst::cli
