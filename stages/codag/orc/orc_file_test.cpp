#include "stages/codag/orc/orc_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/stream.hpp"
#include "common/frame/checksum.hpp"
#include "stages/codag/orc/edited_orc_file.hpp"
#include "stages/codag/orc/golden_orc_files.hpp"
#include "stages/codag/orc/orc_streams.hpp"
#include "stages/codag/orc/orc_values.hpp"
#include "stages/codag/orc/run_lengths.hpp"

// ORC files, of which pyarrow has written those that are valid.
namespace gsst::codag::orc {
namespace {

using FileBytes = std::vector<std::uint8_t>;

FileBytes decode(std::span<const std::uint8_t> file, const OrcColumn& column,
                 std::optional<std::int64_t> null_value, columns::ColumnTotals* totals = nullptr) {
  FileBytes values;
  const columns::ColumnTotals found = decode_orc_column(file, column, null_value, format::writer_to(values));
  if (totals != nullptr) *totals = found;
  return values;
}

// What is wrong with column `name`; empty if nothing is.
std::string orc_problem(std::span<const std::uint8_t> file, const std::string& name = "c") {
  try {
    decode(file, read_orc_column(file, name), 77);
    return "";
  } catch (const OrcError& error) {
    return error.what();
  }
}

// Calls `test(file, column, entry of the file, entry of the column)` for all columns of all listed files.
template <typename Test>
void for_each_listed_column(Test&& test) {
  for (const nlohmann::json& entry : listed_orc_files()) {
    const auto name = entry.at("file").get<std::string>();
    const FileBytes file = bytes_of_orc_file(name);
    for (const nlohmann::json& listed : entry.at("columns")) {
      const auto column_name = listed.at("name").get<std::string>();
      if (name == "snappy.orc" || name == "not_decoded.orc") continue;
      SCOPED_TRACE(name + ", " + column_name);
      test(file, read_orc_column(file, column_name), entry, listed);
    }
  }
}

TEST(OrcFile, MetadataSayWhatTheListSays) {
  const std::map<std::string, OrcValues> types = {
      {"bool", OrcValues::boolean},   {"int8", OrcValues::int8},   {"int16", OrcValues::int16},
      {"int32", OrcValues::int32},    {"int64", OrcValues::int64}, {"date32[day]", OrcValues::date},
      {"indices", OrcValues::indices}};
  std::size_t columns = 0;
  for_each_listed_column([&](const FileBytes&, const OrcColumn& column, const nlohmann::json& entry,
                             const nlohmann::json& listed) {
    ++columns;
    EXPECT_EQ(column.values, types.at(listed.at("type").get<std::string>()));
    const auto stripes = entry.at("stripes").get<std::vector<std::uint64_t>>();
    const auto stride = entry.at("row_index_stride").get<std::uint64_t>();
    ASSERT_EQ(column.stripes.size(), stripes.size());
    bool has_present = false;
    for (std::size_t i = 0; i < stripes.size(); ++i) {
      EXPECT_EQ(column.stripes[i].rows, stripes[i]);
      EXPECT_EQ(column.stripes[i].row_groups.size(), stride == 0 ? 0 : (stripes[i] + stride - 1) / stride);
      std::uint64_t rows = 0;
      for (const OrcRowGroup& group : column.stripes[i].row_groups) rows += group.rows;
      EXPECT_EQ(rows, stride == 0 ? 0 : stripes[i]);
      has_present = has_present || column.stripes[i].present.has_value();
    }
    EXPECT_EQ(has_present, listed.at("nulls").get<std::uint64_t>() != 0);
  });
  EXPECT_GT(columns, 60U);
}

TEST(OrcFile, ColumnsHaveTheListedValues) {
  for_each_listed_column([](const FileBytes& file, const OrcColumn& column, const nlohmann::json&,
                            const nlohmann::json& listed) {
    columns::ColumnTotals totals;
    const FileBytes values = decode(file, column, listed.at("null").get<std::int64_t>(), &totals);
    EXPECT_EQ(totals.rows, column.rows);
    EXPECT_EQ(totals.nulls, listed.at("nulls").get<std::uint64_t>());
    EXPECT_EQ(totals.output_bytes, values.size());
    EXPECT_EQ(values.size(), column.rows * value_bytes_of(column.values));
    const std::uint64_t digest = std::stoull(listed.at("xxh64").get<std::string>(), nullptr, 16);
    EXPECT_EQ(format::checksum(format::ChecksumKind::xxh64, values), digest);
  });
}

TEST(OrcFile, ANullNeedsAValue) {
  for_each_listed_column([](const FileBytes& file, const OrcColumn& column, const nlohmann::json&,
                            const nlohmann::json& listed) {
    if (listed.at("nulls").get<std::uint64_t>() == 0) {
      EXPECT_NO_THROW(decode(file, column, std::nullopt));
    } else {
      EXPECT_THROW(decode(file, column, std::nullopt), std::invalid_argument);
    }
    const std::map<OrcValues, std::int64_t> too_large = {{OrcValues::boolean, 2},
                                                         {OrcValues::int8, 128},
                                                         {OrcValues::int16, 32768},
                                                         {OrcValues::int32, std::int64_t{1} << 31},
                                                         {OrcValues::date, -(std::int64_t{1} << 31) - 1},
                                                         {OrcValues::indices, -1}};
    if (column.values != OrcValues::int64) {
      EXPECT_THROW(decode(file, column, too_large.at(column.values)), std::invalid_argument);
    }
  });
}

// A stream from a position in its row index on: what remains of it, decoded as a stream of its own.
class StreamTail {
public:
  StreamTail(std::span<const std::uint8_t> file, const OrcColumn& column, const OrcStream& stream,
             const OrcPosition& position)
      : position_(position) {
    const auto stored = file.subspan(stream.offset, stream.bytes).subspan(position.chunk);
    bytes_ = uncompressed_orc(stored, column.compression, column.chunk_bytes, "tail");
    EXPECT_LE(position.byte, bytes_.size());
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(position.byte));
  }

  // The last `count` bits of the stream.
  std::vector<std::int64_t> bits(std::uint64_t count) const {
    const std::vector<std::int64_t> bytes =
        without_earlier(byte_values(bytes_, (position_.bits + count + 7) / 8 + position_.values, "tail"));
    std::vector<std::int64_t> found;
    for (std::uint64_t i = position_.bits; i < position_.bits + count; ++i) {
      found.push_back(bytes.at(i / 8) >> (7 - i % 8) & 1);
    }
    return found;
  }

  // The last `count` integers of the stream.
  std::vector<std::int64_t> integers(OrcCoding coding, bool is_signed, std::uint64_t count) const {
    return without_earlier(coding == OrcCoding::bytes
                               ? byte_values(bytes_, position_.values + count, "tail")
                               : integer_values(bytes_, coding, is_signed, position_.values + count, "tail"));
  }

private:
  std::vector<std::int64_t> without_earlier(std::vector<std::int64_t> values) const {
    values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(position_.values));
    return values;
  }

  OrcPosition position_;
  FileBytes bytes_;
};

// Values of all row groups from `group` on, which are `count`.
std::vector<std::int64_t> values_from(std::span<const std::uint8_t> file, const OrcColumn& column,
                                      const OrcStripe& stripe, std::size_t group, std::uint64_t count) {
  const StreamTail tail(file, column, stripe.data, stripe.row_groups[group].data);
  if (column.values == OrcValues::boolean) return tail.bits(count);
  return tail.integers(stripe.coding, column.values != OrcValues::indices, count);
}

// The last values of `values`.
std::vector<std::int64_t> last_of(const std::vector<std::int64_t>& values, std::uint64_t count) {
  return {values.end() - static_cast<std::ptrdiff_t>(count), values.end()};
}

TEST(OrcFile, RowGroupsBeginWhereTheIndexSays) {
  std::size_t groups = 0;
  for_each_listed_column([&](const FileBytes& file, const OrcColumn& column, const nlohmann::json&,
                             const nlohmann::json&) {
    for (const OrcStripe& stripe : column.stripes) {
      if (stripe.row_groups.empty()) continue;
      std::vector<std::int64_t> present(stripe.rows, 1);
      if (stripe.present) {
        present =
            StreamTail(file, column, *stripe.present, *stripe.row_groups.front().present).bits(stripe.rows);
      }
      const auto value_count = static_cast<std::uint64_t>(std::ranges::count(present, 1));
      const std::vector<std::int64_t> values = values_from(file, column, stripe, 0, value_count);
      std::uint64_t rows_left = stripe.rows;
      for (std::size_t i = 0; i < stripe.row_groups.size(); ++i) {
        const std::vector<std::int64_t> own = last_of(present, rows_left);
        const auto count = static_cast<std::uint64_t>(std::ranges::count(own, 1));
        if (stripe.present) {
          const StreamTail tail(file, column, *stripe.present, *stripe.row_groups[i].present);
          EXPECT_EQ(tail.bits(rows_left), own) << i;
        }
        EXPECT_EQ(values_from(file, column, stripe, i, count), last_of(values, count)) << i;
        rows_left -= stripe.row_groups[i].rows;
        ++groups;
      }
    }
  });
  EXPECT_GT(groups, 300U);
}

std::vector<std::string> small_orc_files() {
  return {"small_v11_uncompressed.orc", "small_v11_zlib.orc", "small_v12_uncompressed.orc",
          "small_v12_zlib.orc"};
}

TEST(OrcFile, CutFilesAreRefused) {
  for (const std::string& name : small_orc_files()) {
    const FileBytes file = bytes_of_orc_file(name);
    ASSERT_EQ(orc_problem(file), "");
    for (std::size_t size = 0; size < file.size(); ++size) {
      EXPECT_NE(orc_problem(std::span(file).first(size)), "") << name << ", " << size << " bytes";
      // With the end of the file, but without some bytes before it.
      FileBytes cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
      const std::size_t tail = file.back() + std::size_t{1};
      cut.insert(cut.end(), file.end() - static_cast<std::ptrdiff_t>(tail), file.end());
      if (size + tail < file.size()) {
        EXPECT_NE(orc_problem(cut), "") << name << ", " << size << " bytes and the last " << tail;
      }
    }
  }
}

// Whatever is wrong is an OrcError, or other values.
TEST(OrcFile, ChangedBytesDoNoHarm) {
  std::size_t refused = 0;
  for (const std::string& name : small_orc_files()) {
    const FileBytes file = bytes_of_orc_file(name);
    for (std::size_t i = 0; i < file.size(); ++i) {
      for (const unsigned change : {0x01U, 0x80U, 0xffU}) {
        FileBytes changed = file;
        changed[i] = static_cast<std::uint8_t>(changed[i] ^ change);
        if (!orc_problem(changed).empty()) ++refused;
      }
    }
  }
  EXPECT_GT(refused, 1000U);
}

// Changes one thing in the metadata of a small file without compression.
std::string problem_of_edit(const std::function<void(EditedOrcFile&)>& edit, const char* version = "v12") {
  return orc_problem(
      edited_orc_file(bytes_of_orc_file(std::string("small_") + version + "_uncompressed.orc"), edit));
}

TEST(OrcFile, AnEditOfNothingIsValid) {
  EXPECT_EQ(problem_of_edit([](EditedOrcFile&) {}), "");
}

TEST(OrcFile, DamagedEndsAreNamed) {
  const auto expect = [](const std::string& start, const std::function<void(EditedOrcFile&)>& edit) {
    const std::string problem = problem_of_edit(edit);
    EXPECT_TRUE(problem.starts_with(start)) << problem;
  };
  expect("postscript: its magic is not ORC", [](auto& file) { file.postscript.set_magic("ORD"); });
  expect("postscript: footerLength is ", [](auto& file) { file.postscript.set_footerlength(1 << 20); });
  expect("postscript: metadataLength is ",
         [](auto& file) { file.postscript.set_metadatalength(~std::uint64_t{0}); });
  expect("postscript: the file is compressed with zstd",
         [](auto& file) { file.postscript.set_compression(5); });
  expect("postscript: the file is compressed with number 9",
         [](auto& file) { file.postscript.set_compression(9); });
  expect("postscript: compressionBlockSize is 8388608", [](auto& file) {
    file.postscript.set_compression(1);
    file.postscript.set_compressionblocksize(1 << 23);
  });
  expect("footer: the file is encrypted", [](auto& file) { file.footer.set_encryption(""); });
  expect("footer: the type of rows is no struct", [](auto& file) { file.footer.clear_types(); });
  expect("footer: the type of rows is no struct",
         [](auto& file) { file.footer.mutable_types(0)->set_kind(4); });
  expect("footer: the struct of rows has 1 columns and 2 names",
         [](auto& file) { file.footer.mutable_types(0)->add_fieldnames("d"); });
  expect("footer: column 'c' has type number 2, and there are 2 types",
         [](auto& file) { file.footer.mutable_types(0)->set_subtypes(0, 2); });
  expect("footer: column 'c' has type number 0",
         [](auto& file) { file.footer.mutable_types(0)->set_subtypes(0, 0); });
  expect("footer: column 'c' has type timestamp;",
         [](auto& file) { file.footer.mutable_types(1)->set_kind(9); });
  expect("footer: column 'c' has type number 99;",
         [](auto& file) { file.footer.mutable_types(1)->set_kind(99); });
  expect("footer: numberOfRows is 39, and the stripes have more",
         [](auto& file) { file.footer.set_numberofrows(39); });
  expect("footer: numberOfRows is 41, and the stripes have 40",
         [](auto& file) { file.footer.set_numberofrows(41); });
  expect("footer: has no column 'c'; its columns are 'd'",
         [](auto& file) { file.footer.mutable_types(0)->set_fieldnames(0, "d"); });
}

TEST(OrcFile, DamagedStripesAreNamed) {
  const auto expect = [](const std::string& start, const std::function<void(EditedOrcFile&)>& edit) {
    const std::string problem = problem_of_edit(edit);
    EXPECT_TRUE(problem.starts_with(start)) << problem;
  };
  const auto stripe = [](EditedOrcFile& file) { return file.footer.mutable_stripes(0); };
  expect("stripe 0: its offset is 2,", [&](auto& file) { stripe(file)->set_offset(2); });
  expect("stripe 0: its offset is 18446744073709551615,",
         [&](auto& file) { stripe(file)->set_offset(~std::uint64_t{0}); });
  expect("stripe 1: its offset is 3, and it must be in bytes ",
         [&](auto& file) { *file.footer.add_stripes() = file.footer.stripes(0); });
  expect("stripe 0: indexLength is ", [&](auto& file) { stripe(file)->set_indexlength(1 << 20); });
  expect("stripe 0: dataLength is ", [&](auto& file) { stripe(file)->set_datalength(~std::uint64_t{0}); });
  expect("stripe 0: footerLength is ", [&](auto& file) { stripe(file)->set_footerlength(1 << 20); });
  expect("stripe 0, footer: is no such message",
         [&](auto& file) { stripe(file)->set_indexlength(stripe(file)->indexlength() - 1); });
  expect("stripe 0, footer: a stream of column number 1 has 1000 bytes, and only ",
         [](auto& file) { file.stripe_footer.mutable_streams(3)->set_length(1000); });
  expect("stripe 0, footer: rows as a whole are null",
         [](auto& file) { file.stripe_footer.add_streams()->set_column(0); });
  expect("stripe 0, column 'c', footer: has two streams of kind 1", [](auto& file) {
    auto& stream = *file.stripe_footer.add_streams();
    stream.set_column(1);
    stream.set_kind(1);
  });
  expect("stripe 0, footer: has encodings of 1 columns",
         [](auto& file) { file.stripe_footer.mutable_columns()->RemoveLast(); });
  expect("stripe 0, column 'c', encoding: is DICTIONARY_V2, which this type never is",
         [](auto& file) { file.stripe_footer.mutable_columns(1)->set_kind(3); });
  expect("stripe 0, column 'c', encoding: is number 4",
         [](auto& file) { file.stripe_footer.mutable_columns(1)->set_kind(4); });
  expect("stripe 0, column 'c', encoding: is DIRECT_V2, which this type never is",
         [](auto& file) { file.footer.mutable_types(1)->set_kind(1); });
  expect("stripe 0, column 'c', encoding: is DIRECT_V2; only strings with a dictionary are decoded",
         [](auto& file) { file.footer.mutable_types(1)->set_kind(7); });
}

TEST(OrcFile, DamagedRowIndexesAreNamed) {
  const auto expect = [](const std::string& end, const std::function<void(orc_proto::RowIndex&)>& edit) {
    const std::string problem = problem_of_edit([&](EditedOrcFile& file) { edit(file.row_index); });
    EXPECT_TRUE(problem.starts_with("stripe 0, column 'c', row index" + end)) << problem;
  };
  expect(": has 2 entries, and 40 rows are 3 groups of 16",
         [](auto& index) { index.mutable_entry()->RemoveLast(); });
  expect(": has 4 entries,", [](auto& index) { index.add_entry(); });
  expect(", group 1: has 4 positions, fewer than its streams",
         [](auto& index) { index.mutable_entry(1)->mutable_positions()->RemoveLast(); });
  expect(", group 2: has 6 positions, and the streams 5",
         [](auto& index) { index.mutable_entry(2)->add_positions(0); });
  expect(", group 0: position 100 in stream PRESENT is more than ",
         [](auto& index) { index.mutable_entry(0)->set_positions(0, 100); });
  expect(", group 0: position 513 in stream PRESENT is more than 512",
         [](auto& index) { index.mutable_entry(0)->set_positions(1, 513); });
  expect(", group 0: position 8 in stream PRESENT is more than 7",
         [](auto& index) { index.mutable_entry(0)->set_positions(2, 8); });
  expect(", group 1: position 10000 in stream DATA is more than ",
         [](auto& index) { index.mutable_entry(1)->set_positions(3, 10000); });
}

TEST(OrcFile, ValuesThatTheTypeDoesNotHaveAreNamed) {
  // The values go up to 42. Of a dictionary there is none.
  const std::string of_dictionary = problem_of_edit([](EditedOrcFile& file) {
    file.footer.mutable_types(1)->set_kind(7);
    file.stripe_footer.mutable_columns(1)->set_kind(3);
  });
  EXPECT_TRUE(of_dictionary.starts_with("stripe 0, column 'c', stream DATA: value 0 is ")) << of_dictionary;
  EXPECT_TRUE(of_dictionary.ends_with("and must be from 0 to -1")) << of_dictionary;
  const FileBytes file = edited_orc_file(bytes_of_orc_file("no_row_index.orc"), [](EditedOrcFile& edited) {
    edited.footer.mutable_types(1)->set_kind(2);
  });
  const std::string of_type = orc_problem(file);
  EXPECT_TRUE(of_type.starts_with("stripe 0, column 'c', stream DATA: value ")) << of_type;
  EXPECT_TRUE(of_type.ends_with("and must be from -32768 to 32767")) << of_type;
}

TEST(OrcFile, StreamsWithoutEnoughBytesAreNamed) {
  const auto set_rows = [](std::uint64_t rows) {
    return [rows](EditedOrcFile& file) {
      file.footer.set_rowindexstride(0);
      file.footer.set_numberofrows(rows);
      file.footer.mutable_stripes(0)->set_numberofrows(rows);
    };
  };
  const std::string place = "stripe 0, column 'c', stream PRESENT: ";
  EXPECT_TRUE(problem_of_edit(set_rows(1000)).starts_with(place + "as a payload of format byte_rle: "));
  const std::string far_too_many = problem_of_edit(set_rows(~std::uint64_t{0}));
  EXPECT_TRUE(far_too_many.starts_with(place)) << far_too_many;
  EXPECT_TRUE(far_too_many.ends_with("are too few for 2305843009213693952 values")) << far_too_many;
}

TEST(OrcFile, OtherFilesAreNone) {
  EXPECT_EQ(orc_problem({}), "file: does not start with ORC, as ORC files do");
  EXPECT_EQ(orc_problem(FileBytes{'O', 'R', 'C'}), "file: has nothing after its first bytes");
  EXPECT_EQ(orc_problem(FileBytes{'O', 'R', 'C', 200}),
            "postscript: its length is 200 bytes, more than the file has");
  EXPECT_EQ(orc_problem(bytes_of_orc_file("snappy.orc")),
            "postscript: the file is compressed with snappy; only zlib is read");
  const FileBytes others = bytes_of_orc_file("not_decoded.orc");
  EXPECT_TRUE(orc_problem(others, "f").starts_with("footer: column 'f' has type double;"));
  EXPECT_TRUE(orc_problem(others, "l").starts_with("footer: column 'l' has type list;"));
  EXPECT_TRUE(orc_problem(others, "s").starts_with("stripe 0, column 's', encoding: is DIRECT_V2; only"));
}

std::string chunk_problem(const FileBytes& stored, std::uint64_t chunk_bytes) {
  try {
    uncompressed_orc(stored, OrcCompression::zlib, chunk_bytes, "here");
    return "";
  } catch (const OrcError& error) {
    return error.what();
  }
}

TEST(OrcStreams, ChunksThatAreDamagedAreNamed) {
  // Three bytes as they are, and an empty Deflate stream.
  const FileBytes valid = {7, 0, 0, 'a', 'b', 'c', 4, 0, 0, 3, 0};
  EXPECT_EQ(uncompressed_orc(valid, OrcCompression::zlib, 3, "here"), (FileBytes{'a', 'b', 'c'}));
  EXPECT_EQ(chunk_problem(valid, 2), "here, chunk at byte 0: holds 3 bytes, and the file's chunks at most 2");
  EXPECT_EQ(chunk_problem({7, 0, 0, 'a', 'b'}, 3),
            "here, chunk at byte 0: its header says 3 bytes, and 2 follow");
  EXPECT_EQ(chunk_problem({7, 0, 0, 'a', 'b', 'c', 4, 0}, 3), "here, chunk at byte 6: its header is cut off");
  // A byte after the Deflate stream's end; a stream without its end; one of two letters.
  EXPECT_NE(chunk_problem({6, 0, 0, 3, 0, 0}, 3), "");
  EXPECT_NE(chunk_problem({2, 0, 0, 3}, 3), "");
  EXPECT_EQ(chunk_problem({8, 0, 0, 0x4b, 0x4c, 0x04, 0x00}, 1),
            "here, chunk at byte 0: is no Deflate stream of at most 1 bytes");
  EXPECT_EQ(uncompressed_orc(FileBytes{8, 0, 0, 0x4b, 0x4c, 0x04, 0x00}, OrcCompression::zlib, 2, "here"),
            (FileBytes{'a', 'a'}));
}

}  // namespace
}  // namespace gsst::codag::orc
