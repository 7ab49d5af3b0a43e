#include "stages/codag/orc/orc_device.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/stream.hpp"
#include "common/frame/checksum.hpp"
#include "common/stage/run_decode.hpp"
#include "common/stage/stage.hpp"
#include "stages/codag/orc/edited_orc_file.hpp"
#include "stages/codag/orc/golden_orc_files.hpp"
#include "stages/codag/orc/orc_file.hpp"
#include "stages/codag/orc/orc_streams.hpp"
#include "stages/codag/orc/orc_values.hpp"

// Columns of the ORC files that pyarrow has written, decoded by kernels.
namespace gsst::codag::orc {
namespace {

using FileBytes = std::vector<std::uint8_t>;

std::vector<stage::Executor> executors_of_orc() {
  std::vector<stage::Executor> executors = {stage::Executor::simt};
  if (stage::is_available(stage::Executor::gpu)) executors.push_back(stage::Executor::gpu);
  return executors;
}

// Of the kernels: those of the CPU executor, and of a GPU where there is one.
class OrcOnDevice : public testing::TestWithParam<stage::Executor> {
protected:
  static FileBytes decode(std::span<const std::uint8_t> file, const OrcColumn& column,
                          std::optional<std::int64_t> null_value, columns::ColumnTotals* totals = nullptr,
                          std::uint64_t batch_bytes = std::uint64_t{1} << 30) {
    FileBytes values;
    const columns::ColumnTotals found = decode_orc_column_on(
        GetParam(), file, column, null_value, format::writer_to(values), {.batch_bytes = batch_bytes});
    if (totals != nullptr) *totals = found;
    return values;
  }

  // What is wrong with column `c`; empty if nothing is.
  static std::string problem(std::span<const std::uint8_t> file, const OrcColumn& column) {
    FileBytes written;
    try {
      decode_orc_column_on(GetParam(), file, column, 77, format::writer_to(written));
      return "";
    } catch (const OrcError& error) {
      EXPECT_TRUE(written.empty());
      return error.what();
    }
  }
  static std::string problem(std::span<const std::uint8_t> file) {
    return problem(file, read_orc_column(file, "c"));
  }
};

TEST_P(OrcOnDevice, ColumnsHaveTheListedValues) {
  std::size_t columns = 0;
  for (const nlohmann::json& entry : listed_orc_files()) {
    const auto name = entry.at("file").get<std::string>();
    if (name == "snappy.orc" || name == "not_decoded.orc") continue;
    const FileBytes file = bytes_of_orc_file(name);
    for (const nlohmann::json& listed : entry.at("columns")) {
      const auto column_name = listed.at("name").get<std::string>();
      SCOPED_TRACE(name);
      SCOPED_TRACE(column_name);
      const OrcColumn column = read_orc_column(file, column_name);
      columns::ColumnTotals totals;
      const FileBytes values = decode(file, column, listed.at("null").get<std::int64_t>(), &totals);
      EXPECT_EQ(totals.rows, column.rows);
      EXPECT_EQ(totals.nulls, listed.at("nulls").get<std::uint64_t>());
      EXPECT_EQ(totals.output_bytes, values.size());
      const std::uint64_t digest = std::stoull(listed.at("xxh64").get<std::string>(), nullptr, 16);
      EXPECT_EQ(format::checksum(format::ChecksumKind::xxh64, values), digest);
      ++columns;
    }
  }
  EXPECT_GT(columns, 60U);
}

TEST_P(OrcOnDevice, BatchesOfOneStripeAreTheSame) {
  const FileBytes file = bytes_of_orc_file("v12_uncompressed.orc");
  for (const char* const name : {"big_or_null", "bool_or_null", "tiny"}) {
    const OrcColumn column = read_orc_column(file, name);
    ASSERT_EQ(column.stripes.size(), 3U);
    EXPECT_EQ(decode(file, column, 1, nullptr, 1), decode(file, column, 1));
  }
}

// What OrcColumnInMemory throws for a column, or its check; empty if nothing.
std::string problem_in_memory(stage::Executor executor, std::span<const std::uint8_t> file,
                              const OrcColumn& column, const OrcBatchLimits& limits = {}) {
  try {
    OrcColumnInMemory loaded(executor, file, column, limits);
    loaded.enqueue(nullptr);
    loaded.check();
    return "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

TEST_P(OrcOnDevice, AColumnInMemoryIsDecodedAgainAndAgain) {
  std::size_t columns = 0;
  for (const char* const file_name : {"v11_uncompressed.orc", "v11_zlib.orc", "v12_zlib.orc"}) {
    const FileBytes file = bytes_of_orc_file(file_name);
    for (const char* const name : {"bool", "tiny", "small", "int", "big", "date"}) {
      SCOPED_TRACE(std::string(file_name) + ", column " + name);
      const OrcColumn column = read_orc_column(file, name);
      FileBytes expected;
      decode_orc_column(file, column, std::nullopt, format::writer_to(expected));
      OrcColumnInMemory loaded(GetParam(), file, column, {});
      EXPECT_EQ(loaded.output().size(), expected.size());
      std::uint64_t stored_bytes = 0;
      std::uint64_t row_groups = 0;
      for (const OrcStripe& stripe : column.stripes) {
        stored_bytes += stripe.data.bytes;
        row_groups += stripe.row_groups.size();
      }
      EXPECT_EQ(loaded.row_groups(), row_groups);
      EXPECT_EQ(loaded.stored().size(), stored_bytes);
      for (int i = 0; i < 2; ++i) {
        // The memory of a GPU is not looked at here.
        const bool is_of_host = GetParam() == stage::Executor::simt;
        if (is_of_host) std::ranges::fill(loaded.output(), std::uint8_t{0xa5});
        loaded.enqueue(nullptr);
        EXPECT_NO_THROW(loaded.check());
        EXPECT_TRUE(!is_of_host || std::ranges::equal(loaded.output(), expected));
      }
      ++columns;
    }
  }
  EXPECT_EQ(columns, 18U);
}

TEST_P(OrcOnDevice, AColumnThatIsNotInMemoryAsAWholeIsRefused) {
  const FileBytes file = bytes_of_orc_file("v12_uncompressed.orc");
  EXPECT_EQ(problem_in_memory(GetParam(), file, read_orc_column(file, "tiny"), {.batch_bytes = 1}),
            "column 'tiny': stripe 1 is not in a batch with those before it");
  const FileBytes empty = bytes_of_orc_file("no_rows.orc");
  EXPECT_EQ(problem_in_memory(GetParam(), empty, read_orc_column(empty, "c")), "column 'c' has no rows");
}

TEST_P(OrcOnDevice, AColumnInMemorySaysWhatIsWrong) {
  FileBytes file = bytes_of_orc_file("small_v12_zlib.orc");
  OrcColumn column = read_orc_column(file, "c");
  const std::string of_nulls = problem_in_memory(GetParam(), file, column);
  FileBytes values;
  EXPECT_THROW(decode_orc_column(file, column, std::nullopt, format::writer_to(values)),
               std::invalid_argument);
  EXPECT_NE(of_nulls.find("null"), std::string::npos) << of_nulls;
  // Deflate has no blocks of this type.
  file[column.stripes[0].data.offset + orc_chunk_header_bytes] = 0x07;
  column.stripes[0].present.reset();
  for (OrcRowGroup& group : column.stripes[0].row_groups) group.present.reset();
  EXPECT_EQ(problem_in_memory(GetParam(), file, column), problem(file, column));
  EXPECT_NE(problem(file, column), "");
}

TEST_P(OrcOnDevice, TooManyPartsAndTooLittleMemoryAreNamed) {
  const auto problem_with = [](const char* name, const char* column, const OrcBatchLimits& limits) {
    const FileBytes file = bytes_of_orc_file(name);
    FileBytes written;
    try {
      decode_orc_column_on(GetParam(), file, read_orc_column(file, column), 77, format::writer_to(written),
                           limits);
      return std::string();
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(
      problem_with("small_v12_uncompressed.orc", "c", {.parts = 2}),
      "stripe 0, column 'c', row index: the stripe has more row groups than the 2 that are decoded at once");
  const std::string memory = problem_with("small_v12_zlib.orc", "c", {.memory_bytes = 100});
  EXPECT_TRUE(memory.starts_with("--memory: stripe 0, column 'c', needs ") &&
              memory.ends_with(", more than 100"))
      << memory;
}

// Chunks without a byte, of three bytes each in the file.
TEST_P(OrcOnDevice, TooManyEmptyChunksAreNamed) {
  FileBytes file;
  for (std::size_t i = 0; i < 3; ++i) file.insert(file.end(), {1, 0, 0});
  const OrcStripe stripe = {.rows = 0,
                            .coding = OrcCoding::bytes,
                            .dictionary_entries = 0,
                            .present = std::nullopt,
                            .data = {.offset = 0, .bytes = file.size()},
                            .row_groups = {}};
  // The stripes have too many together only.
  const OrcColumn column = {.name = "c",
                            .values = OrcValues::int8,
                            .compression = OrcCompression::zlib,
                            .chunk_bytes = 64,
                            .rows = 0,
                            .stripes = {stripe, stripe}};
  const auto decode_with = [&](std::uint64_t parts) {
    FileBytes values;
    decode_orc_column_on(GetParam(), file, column, std::nullopt, format::writer_to(values), {.parts = parts});
    return values;
  };
  EXPECT_EQ(decode_with(3), FileBytes());
  try {
    decode_with(2);
    FAIL() << "three chunks are decoded";
  } catch (const OrcError& error) {
    EXPECT_STREQ(
        error.what(),
        "stripe 0, column 'c', stream DATA: the stripe has more chunks than the 2 that are decoded at "
        "once");
  }
}

TEST_P(OrcOnDevice, ANullNeedsAValue) {
  const FileBytes file = bytes_of_orc_file("small_v12_zlib.orc");
  const OrcColumn column = read_orc_column(file, "c");
  const auto message_of = [&](auto&& function) -> std::string {
    try {
      function();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  FileBytes values;
  for (const std::optional<std::int64_t> null : {std::optional<std::int64_t>(), {std::int64_t{1} << 31}}) {
    const std::string expected =
        message_of([&] { decode_orc_column(file, column, null, format::writer_to(values)); });
    EXPECT_NE(expected, "");
    EXPECT_EQ(message_of([&] { decode(file, column, null); }), expected);
  }
}

// What the CPU says of column c.
std::string problem_on_cpu(std::span<const std::uint8_t> file, const OrcColumn& column, FileBytes& values) {
  values.clear();
  try {
    decode_orc_column(file, column, 77, format::writer_to(values));
    return "";
  } catch (const OrcError& error) {
    return error.what();
  }
}

// Only kernels read positions: they may refuse more than the CPU, and never less.
TEST_P(OrcOnDevice, ChangedBytesAreRefusedOrHaveTheValuesOfTheCpu) {
  std::size_t refused = 0;
  std::size_t decoded = 0;
  for (const char* const name :
       {"small_v11_uncompressed.orc", "small_v12_uncompressed.orc", "small_v12_zlib.orc"}) {
    const FileBytes file = bytes_of_orc_file(name);
    for (std::size_t i = 3; i < file.size(); i += 2) {
      FileBytes changed = file;
      constexpr std::array<unsigned, 3> changes = {0x01, 0x80, 0xff};
      changed[i] = static_cast<std::uint8_t>(changed[i] ^ changes[i % changes.size()]);
      OrcColumn column;
      try {
        column = read_orc_column(changed, "c");
      } catch (const OrcError&) {
        continue;
      }
      FileBytes expected;
      const std::string cpu = problem_on_cpu(changed, column, expected);
      const std::string device = problem(changed, column);
      if (device.empty()) {
        EXPECT_EQ(cpu, "") << name << ", byte " << i;
        EXPECT_EQ(decode(changed, column, 77), expected) << name << ", byte " << i;
        ++decoded;
      } else {
        EXPECT_TRUE(device.starts_with("stripe 0, column 'c', ")) << device;
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 20U);
  EXPECT_GT(decoded, 50U);
}

TEST_P(OrcOnDevice, PositionsThatAreWrongAreNamed) {
  const auto problem_of = [](const char* name, const std::function<void(OrcStripe&)>& edit) {
    const FileBytes file = bytes_of_orc_file(name);
    OrcColumn column = read_orc_column(file, "c");
    edit(column.stripes[0]);
    return problem(file, column);
  };
  const auto expect = [&](const std::string& start, const std::function<void(OrcRowGroup&)>& edit) {
    const std::string found =
        problem_of("small_v12_uncompressed.orc", [&](OrcStripe& stripe) { edit(stripe.row_groups[1]); });
    EXPECT_TRUE(found.starts_with("stripe 0, column 'c', row group " + start)) << found;
  };
  const std::string wrong = "does not begin or end where the row index and the numbers of rows say";
  expect("0, stream PRESENT: " + wrong, [](OrcRowGroup& group) { group.present->values = 512; });
  expect("0, stream PRESENT: " + wrong, [](OrcRowGroup& group) { group.present->bits = 1; });
  expect("0, stream PRESENT: " + wrong, [](OrcRowGroup& group) { group.present->byte = 10000; });
  expect("0, stream DATA: " + wrong, [](OrcRowGroup& group) { group.data.values = 512; });
  expect("0, stream DATA: " + wrong, [](OrcRowGroup& group) { group.data.bits = 1; });
  expect("0, stream DATA: " + wrong, [](OrcRowGroup& group) { group.data.byte = ~std::uint32_t{0}; });
  expect("0, stream DATA: ", [](OrcRowGroup& group) { ++group.data.values; });
  // The next row group begins at the same byte: in the same run.
  expect("1, stream DATA: " + wrong, [](OrcRowGroup& group) { ++group.data.byte; });
  EXPECT_EQ(
      problem_of("small_v12_uncompressed.orc",
                 [](OrcStripe& stripe) { stripe.row_groups[0].data.values = 1; }),
      "stripe 0, column 'c', row index, group 0: its position in stream DATA is not the stream's begin");
  EXPECT_EQ(
      problem_of("small_v12_zlib.orc", [](OrcStripe& stripe) { stripe.row_groups[1].present->chunk = 1; }),
      "stripe 0, column 'c', row index, group 1: its position in stream PRESENT, byte 1, is not where a "
      "chunk begins");
  // After the stream's end.
  EXPECT_EQ(problem_of("small_v12_zlib.orc",
                       [](OrcStripe& stripe) { stripe.row_groups[2].data.chunk = stripe.data.bytes; }),
            "stripe 0, column 'c', row group 1, stream DATA: as a payload of format orc_rle_v2: payload "
            "bytes: go on after the last value, at byte 0");
}

TEST_P(OrcOnDevice, WhatIsWrongInStreamsIsNamedAsOnTheCpu) {
  const auto expect = [](const char* name, const std::string& end,
                         const std::function<void(OrcColumn&)>& edit,
                         const std::function<void(FileBytes&, const OrcStripe&)>& damage = nullptr) {
    FileBytes file = bytes_of_orc_file(name);
    OrcColumn column = read_orc_column(file, "c");
    edit(column);
    if (damage) damage(file, column.stripes[0]);
    FileBytes values;
    const std::string found = problem(file, column);
    EXPECT_EQ(found, problem_on_cpu(file, column, values));
    EXPECT_TRUE(found.starts_with("stripe 0, column 'c', ") && found.ends_with(end)) << found;
  };
  const auto nothing = [](OrcColumn&) {};
  expect("no_row_index.orc", "and must be from -32768 to 32767",
         [](OrcColumn& column) { column.values = OrcValues::int16; });
  expect("small_v12_uncompressed.orc", " are too few for 125000000 values", [](OrcColumn& column) {
    column.stripes[0].rows = 1000000000;
    column.stripes[0].row_groups.clear();
  });
  expect("two_chunks.orc", ", chunk at byte 0: is no Deflate stream of at most 1000 bytes",
         [](OrcColumn& column) { column.chunk_bytes = 1000; });
  expect("two_chunks.orc", " follow", nothing,
         [](FileBytes& file, const OrcStripe& stripe) { file[stripe.data.offset + 2] = 0xff; });
  const FileBytes file = bytes_of_orc_file("no_row_index.orc");
  OrcColumn column = read_orc_column(file, "c");
  column.stripes[0].rows = std::uint64_t{1} << 31;
  EXPECT_EQ(problem(file, column),
            "stripe 0, column 'c', rows: 2147483648 are more than are decoded of a stripe");
  // Without an index a stripe is one part: a value is missing in it, or a run too many.
  for (const std::uint64_t rows : {499U, 501U}) {
    column.stripes[0].rows = rows;
    EXPECT_TRUE(problem(file, column).starts_with("stripe 0, column 'c', row group 0, stream DATA: "));
  }
}

TEST_P(OrcOnDevice, DamagedDeflateStreamsAreRefusedOrHaveTheValuesOfTheCpu) {
  const FileBytes file = bytes_of_orc_file("two_chunks.orc");
  const OrcColumn column = read_orc_column(file, "c");
  const OrcStream data = column.stripes[0].data;
  constexpr std::uint64_t changes = 6;
  std::size_t refused = 0;
  for (std::uint64_t i = 0; i < changes; ++i) {
    FileBytes changed = file;
    changed[data.offset + 3 + i * (data.bytes - 3) / changes] ^= 0x5a;
    FileBytes expected;
    const std::string cpu = problem_on_cpu(changed, column, expected);
    const std::string device = problem(changed, column);
    if (cpu.ends_with("bytes")) {
      EXPECT_EQ(device, cpu);
    }
    if (device.empty()) {
      EXPECT_EQ(decode(changed, column, 77), expected) << cpu;
    } else {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0U);
}

// A raw Deflate stream of `bytes` after the header of a chunk.
FileBytes deflated_chunk(FileBytes bytes) {
  constexpr std::size_t header = 3;
  FileBytes chunk(header + compressBound(static_cast<uLong>(bytes.size())));
  z_stream stream = {};
  constexpr int window_bits_of_raw_deflate = -15;
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, window_bits_of_raw_deflate, 8, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = bytes.data();
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = chunk.data() + header;
  stream.avail_out = static_cast<uInt>(chunk.size() - header);
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  const auto size = static_cast<std::size_t>(stream.total_out);
  EXPECT_EQ(deflateEnd(&stream), Z_OK);
  chunk.resize(header + size);
  for (std::size_t i = 0; i < header; ++i) chunk[i] = static_cast<std::uint8_t>(2 * size >> (8 * i));
  return chunk;
}

// Few bits of a chunk are more bytes than a lane has room for.
TEST_P(OrcOnDevice, RunsOfRunsHaveTheirValues) {
  FileBytes runs;
  FileBytes expected;
  for (std::size_t i = 0; i < 3000; ++i) {
    const auto value = static_cast<std::uint8_t>(i / 900);
    // A run of three.
    runs.insert(runs.end(), {0, value});
    expected.insert(expected.end(), 3, value);
  }
  const FileBytes file = deflated_chunk(runs);
  const OrcStripe stripe = {.rows = expected.size(),
                            .coding = OrcCoding::bytes,
                            .dictionary_entries = 0,
                            .present = std::nullopt,
                            .data = {.offset = 0, .bytes = file.size()},
                            .row_groups = {}};
  const OrcColumn column = {.name = "c",
                            .values = OrcValues::int8,
                            .compression = OrcCompression::zlib,
                            .chunk_bytes = std::uint64_t{1} << 16,
                            .rows = expected.size(),
                            .stripes = {stripe}};
  EXPECT_EQ(decode(file, column, std::nullopt), expected);
}

// The streams of a column in chunks of `size` bytes, stored as they are, which other writers than pyarrow's
// may leave before they are full.
TEST_P(OrcOnDevice, ChunksNeedNotBeFull) {
  const FileBytes file = bytes_of_orc_file("v12_uncompressed.orc");
  const OrcColumn column = read_orc_column(file, "int_or_null");
  const FileBytes expected = decode(file, column, 9);
  for (const std::uint64_t size : {7U, 64U}) {
    FileBytes stored;
    OrcColumn in_chunks = column;
    in_chunks.compression = OrcCompression::zlib;
    in_chunks.chunk_bytes = 64;
    const auto move = [&](OrcStream& stream) {
      const std::uint64_t begin = stored.size();
      for (std::uint64_t at = 0; at < stream.bytes; at += size) {
        const std::uint64_t count = std::min(size, stream.bytes - at);
        stored.insert(stored.end(), {static_cast<std::uint8_t>(2 * count + 1), 0, 0});
        const auto first = file.begin() + static_cast<std::ptrdiff_t>(stream.offset + at);
        stored.insert(stored.end(), first, first + static_cast<std::ptrdiff_t>(count));
      }
      stream = {.offset = begin, .bytes = stored.size() - begin};
    };
    const auto move_position = [&](OrcPosition& position) {
      position.chunk = position.byte / size * (size + 3);
      position.byte %= size;
    };
    for (OrcStripe& stripe : in_chunks.stripes) {
      move(*stripe.present);
      move(stripe.data);
      for (OrcRowGroup& group : stripe.row_groups) {
        move_position(*group.present);
        move_position(group.data);
      }
    }
    EXPECT_EQ(decode(stored, in_chunks, 9), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(, OrcOnDevice, testing::ValuesIn(executors_of_orc()),
                         [](const auto& test) { return std::string(stage::executor_name(test.param)); });

}  // namespace
}  // namespace gsst::codag::orc
