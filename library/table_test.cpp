#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/frame/checksum.hpp"
#include "gsst/table.hpp"
#include "reference_cpu/test_inputs.hpp"

// Tables as objects and small values: values come back whichever bytes they have, a table is the same after
// it was saved, and everything else is refused.
namespace gsst::library::tables {
namespace {

using Bytes = std::vector<std::uint8_t>;
using reference::test::make_random;
using reference::test::make_text;

constexpr std::uint8_t untouched = 0x5a;

struct DestroyTable {
  void operator()(gsst_table* table) const { gsst_table_destroy(table); }
};
using OwnedTable = std::unique_ptr<gsst_table, DestroyTable>;

Bytes bytes_of(std::string_view text) {
  return {text.begin(), text.end()};
}

OwnedTable train(const std::vector<Bytes>& samples) {
  std::vector<const void*> places;
  std::vector<std::size_t> sizes;
  for (const Bytes& sample : samples) {
    places.push_back(sample.data());
    sizes.push_back(sample.size());
  }
  gsst_table* table = nullptr;
  gsst_message message;
  EXPECT_EQ(gsst_table_train(places.data(), sizes.data(), samples.size(), &table, &message), GSST_OK)
      << message.text;
  return OwnedTable(table);
}

Bytes save(const OwnedTable& table) {
  Bytes saved(GSST_MAX_TABLE_BYTES);
  std::size_t bytes = 0;
  EXPECT_EQ(gsst_table_save(table.get(), saved.data(), saved.size(), &bytes, nullptr), GSST_OK);
  saved.resize(bytes);
  return saved;
}

gsst_error load(const Bytes& saved, OwnedTable& table, gsst_message& message) {
  gsst_table* loaded = nullptr;
  const gsst_error error = gsst_table_load(saved.data(), saved.size(), &loaded, &message);
  table.reset(loaded);
  EXPECT_EQ(error == GSST_OK, loaded != nullptr);
  return error;
}

OwnedTable load(const Bytes& saved) {
  OwnedTable table;
  gsst_message message;
  EXPECT_EQ(load(saved, table, message), GSST_OK) << message.text;
  return table;
}

Bytes compress(const OwnedTable& table, const Bytes& text, std::uint32_t flags = 0) {
  Bytes value(gsst_value_bound(text.size()));
  std::size_t bytes = 0;
  gsst_message message;
  EXPECT_EQ(gsst_value_compress(table.get(), text.data(), text.size(), flags, value.data(), value.size(),
                                &bytes, &message),
            GSST_OK)
      << message.text;
  value.resize(bytes);
  return value;
}

gsst_error decompress(const OwnedTable& table, const Bytes& value, Bytes& text, gsst_message& message) {
  std::size_t bytes = 0;
  gsst_error error =
      gsst_value_decompress(table.get(), value.data(), value.size(), nullptr, 0, &bytes, &message);
  text.clear();
  if (error != GSST_ERROR_OUTPUT_TOO_SMALL) return error;
  // Bytes behind the text stay as they are.
  text.assign(bytes + 9, untouched);
  error = gsst_value_decompress(table.get(), value.data(), value.size(), text.data(), text.size(), &bytes,
                                &message);
  if (error != GSST_OK) return error;
  EXPECT_TRUE(
      std::ranges::all_of(std::span(text).subspan(bytes), [](auto byte) { return byte == untouched; }));
  text.resize(bytes);
  return error;
}

Bytes decompress(const OwnedTable& table, const Bytes& value) {
  Bytes text;
  gsst_message message;
  EXPECT_EQ(decompress(table, value, text, message), GSST_OK) << message.text;
  return text;
}

std::vector<Bytes> samples_of_text(std::size_t count) {
  const Bytes text = make_text(count * 50, 1);
  std::vector<Bytes> samples;
  for (std::size_t i = 0; i < count; ++i) {
    samples.emplace_back(text.begin() + static_cast<std::ptrdiff_t>(50 * i),
                         text.begin() + static_cast<std::ptrdiff_t>(50 * i + i % 51));
  }
  return samples;
}

TEST(LibraryTable, ValuesComeBackAndAreNeverMoreThanAByteLarger) {
  std::vector<Bytes> texts = samples_of_text(300);
  for (const std::size_t bytes : {0U, 1U, 2U, 240U, 4095U, 4096U, 4097U, 100'000U}) {
    texts.push_back(make_text(bytes, 2));
    texts.push_back(make_random(bytes, 3));
    texts.emplace_back(bytes, std::uint8_t{255});
  }
  const OwnedTable table = train(samples_of_text(300));
  for (const Bytes& text : texts) {
    for (const std::uint32_t flags : {0U, GSST_VALUE_NAMES_TABLE}) {
      const Bytes value = compress(table, text, flags);
      EXPECT_LE(value.size(), text.size() + 1);
      EXPECT_EQ(decompress(table, value), text);
    }
  }
}

TEST(LibraryTable, ATrainedTableMakesSmallTextsSmaller) {
  const std::vector<Bytes> samples = samples_of_text(2'000);
  const OwnedTable table = train(samples);
  std::size_t texts = 0;
  std::size_t values = 0;
  for (const Bytes& sample : samples) {
    texts += sample.size();
    values += compress(table, sample).size();
  }
  EXPECT_LT(values * 3, texts * 2);
  const Bytes text = make_text(240, 9);
  EXPECT_LT(compress(table, text).size(), 200);
  EXPECT_EQ(compress(table, text, GSST_VALUE_NAMES_TABLE).size(), compress(table, text).size() + 4);
}

TEST(LibraryTable, TheSameSamplesGiveTheSameTableAndASavedOneIsTheSame) {
  // Less than the trainer looks at, and much more.
  for (const std::size_t count : {0U, 1U, 100U, 5'000U}) {
    const OwnedTable table = train(samples_of_text(count));
    const Bytes saved = save(table);
    EXPECT_LE(saved.size(), GSST_MAX_TABLE_BYTES);
    EXPECT_EQ(save(train(samples_of_text(count))), saved);
    const OwnedTable loaded = load(saved);
    EXPECT_EQ(save(loaded), saved);
    EXPECT_EQ(gsst_table_id(loaded.get()), gsst_table_id(table.get()));
    const Bytes text = make_text(3'000, 4);
    EXPECT_EQ(compress(loaded, text), compress(table, text));
    EXPECT_EQ(decompress(loaded, compress(table, text)), text);
  }
}

TEST(LibraryTable, SamplesOfAnySizesAreTrainedOn) {
  std::vector<Bytes> samples(1'000);
  samples.push_back(make_text(100'000, 5));
  samples.insert(samples.end(), 1'000, bytes_of("x"));
  samples.emplace_back();
  const OwnedTable table = train(samples);
  EXPECT_LT(compress(table, make_text(240, 6)).size(), 200);
}

TEST(LibraryTable, CanBeUsedByThreadsAtOnce) {
  const OwnedTable table = train(samples_of_text(300));
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&table, seed] {
      for (std::size_t bytes = 0; bytes < 500; ++bytes) {
        const Bytes text = make_text(bytes, seed);
        EXPECT_EQ(decompress(table, compress(table, text)), text);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Tables that no trainer makes: symbols twice, of any bytes, as many as there may be.
TEST(LibraryTable, AnyTableThatCanBeLoadedCompresses) {
  std::mt19937 random(7);
  for (int i = 0; i < 200; ++i) {
    Bytes stored(8 + 4 + 17);
    const Bytes magic = {0x89, 'G', 'S', 'S', 'B', '\r', '\n', 0x1a, 1, 0, 0, 0};
    std::ranges::copy(magic, stored.begin());
    unsigned symbols = 0;
    for (const unsigned length : {2U, 3U, 4U, 5U, 6U, 7U, 8U, 1U}) {
      const unsigned count = std::min(static_cast<unsigned>(random() % 64), 255 - symbols);
      stored[12 + 9 + length - 1] = static_cast<std::uint8_t>(count);
      symbols += count;
      for (unsigned byte = 0; byte < count * length; ++byte) {
        stored.push_back(static_cast<std::uint8_t>("aab"[random() % 3]));
      }
    }
    format::store_little_endian<8>(stored.data() + 12, std::uint64_t{20190218} << 32 | symbols << 8 | 1);
    stored.resize(stored.size() + 8);
    format::store_little_endian<8>(stored.data() + stored.size() - 8,
                                   format::checksum(std::span(stored).first(stored.size() - 8)));
    const OwnedTable table = load(stored);
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(save(table), stored);
    for (std::size_t bytes = 0; bytes < 200; bytes += 7) {
      Bytes text(bytes);
      for (auto& byte : text) byte = static_cast<std::uint8_t>("aabc"[random() % 4]);
      EXPECT_EQ(decompress(table, compress(table, text)), text);
    }
  }
}

TEST(LibraryTable, CppInterface) {
  std::string sample;
  for (int i = 0; i < 50; ++i) sample += "the boxes carry packages ";
  const auto bytes = std::as_bytes(std::span(sample));
  const std::array<std::span<const std::byte>, 2> samples = {bytes, bytes};
  const auto table = Table::train(samples);
  ASSERT_TRUE(table);
  const auto loaded = Table::load(table->save());
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->id(), table->id());
  const auto value = table->compress(bytes, GSST_VALUE_NAMES_TABLE);
  ASSERT_TRUE(value);
  EXPECT_LT(value->size(), bytes.size());
  const auto text = loaded->decompress(*value);
  ASSERT_TRUE(text);
  EXPECT_TRUE(std::ranges::equal(*text, bytes));
  std::vector<std::byte> output(bytes.size() - 1);
  const auto refused = loaded->decompress(*value, output);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.failure().error, Error::output_too_small);
  const auto empty = table->compress({});
  ASSERT_TRUE(empty);
  const auto nothing = table->decompress(*empty);
  ASSERT_TRUE(nothing);
  EXPECT_TRUE(nothing->empty());
  EXPECT_EQ(Table::load({}).failure().error, Error::wrong_format);
}

TEST(LibraryTableMisuse, WrongArgumentsAreRefusedByName) {
  const OwnedTable owned = train(samples_of_text(100));
  const gsst_table* const table = owned.get();
  gsst_message message;
  gsst_table* made = owned.get();
  const void* const null_sample = nullptr;
  const std::size_t size = 1;
  EXPECT_EQ(gsst_table_train(&null_sample, &size, 1, &made, &message), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(made, nullptr);
  EXPECT_EQ(std::string(message.text), "a sample is null");
  EXPECT_EQ(gsst_table_train(nullptr, &size, 1, &made, nullptr), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_table_train(&null_sample, nullptr, 1, &made, nullptr), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_table_train(nullptr, nullptr, 0, nullptr, nullptr), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_table_load(nullptr, 1, &made, nullptr), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_table_load(nullptr, 0, nullptr, nullptr), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_table_load(nullptr, 0, &made, nullptr), GSST_ERROR_WRONG_FORMAT);
  EXPECT_EQ(gsst_table_id(nullptr), 0U);
  gsst_table_destroy(nullptr);

  Bytes output(GSST_MAX_TABLE_BYTES, untouched);
  std::size_t bytes = 77;
  EXPECT_EQ(gsst_table_save(nullptr, output.data(), output.size(), &bytes, nullptr), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(bytes, 0U);
  EXPECT_EQ(gsst_table_save(table, output.data(), output.size(), nullptr, nullptr), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_table_save(table, nullptr, output.size(), &bytes, nullptr), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_table_save(table, output.data(), 20, &bytes, nullptr), GSST_ERROR_OUTPUT_TOO_SMALL);
  EXPECT_EQ(bytes, save(owned).size());

  const Bytes text = make_text(100, 1);
  const auto compress_as = [&](const gsst_table* with, const void* input, std::size_t input_bytes,
                               std::uint32_t flags, void* to, std::size_t capacity) {
    bytes = 77;
    const gsst_error error =
        gsst_value_compress(with, input, input_bytes, flags, to, capacity, &bytes, &message);
    EXPECT_EQ(bytes, 0U);
    return error;
  };
  EXPECT_EQ(compress_as(nullptr, text.data(), 100, 0, output.data(), 101), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(compress_as(table, nullptr, 100, 0, output.data(), 101), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(compress_as(table, text.data(), 100, 0, nullptr, 101), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(compress_as(table, text.data(), 100, 2, output.data(), 101), GSST_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(message.text), "flags is 2, expected 0 or 1");
  EXPECT_EQ(compress_as(table, text.data(), ~std::size_t{0}, 0, output.data(), 101),
            GSST_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(compress_as(table, text.data(), 100, 0, output.data(), 100), GSST_ERROR_OUTPUT_TOO_SMALL);
  EXPECT_EQ(compress_as(table, output.data() + 50, 100, 0, output.data(), 101), GSST_ERROR_OVERLAP);
  EXPECT_EQ(gsst_value_compress(table, text.data(), 100, 0, output.data(), 101, nullptr, nullptr),
            GSST_ERROR_NULL_POINTER);
  EXPECT_TRUE(std::ranges::all_of(output, [](auto byte) { return byte == untouched; }));

  Bytes value = compress(owned, text);
  const auto decompress_as = [&](const gsst_table* with, const void* from, void* to, std::size_t capacity) {
    bytes = 77;
    return gsst_value_decompress(with, from, value.size(), to, capacity, &bytes, &message);
  };
  EXPECT_EQ(decompress_as(nullptr, value.data(), output.data(), 100), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(decompress_as(table, nullptr, output.data(), 100), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(decompress_as(table, value.data(), nullptr, 100), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(decompress_as(table, value.data(), value.data(), 100), GSST_ERROR_OVERLAP);
  EXPECT_EQ(bytes, 0U);
  EXPECT_EQ(decompress_as(table, value.data(), output.data(), 99), GSST_ERROR_OUTPUT_TOO_SMALL);
  EXPECT_EQ(bytes, 100U);
  EXPECT_EQ(gsst_value_decompress(table, value.data(), value.size(), output.data(), 100, nullptr, nullptr),
            GSST_ERROR_NULL_POINTER);
  EXPECT_TRUE(std::ranges::all_of(output, [](auto byte) { return byte == untouched; }));
}

// Whatever the bytes are: an error, or a text that is no longer than eight bytes for each of them.
TEST(LibraryTableMisuse, NoDamageOfAValueDoesHarm) {
  const OwnedTable table = train(samples_of_text(300));
  std::mt19937 random(8);
  for (int i = 0; i < 20'000; ++i) {
    Bytes value = compress(table, make_text(random() % 100, static_cast<unsigned>(i)), random() % 2);
    value[random() % value.size()] ^= static_cast<std::uint8_t>(1 + random() % 255);
    if (random() % 3 == 0) value.resize(random() % (value.size() + 1));
    Bytes text;
    gsst_message message;
    const gsst_error error = decompress(table, value, text, message);
    EXPECT_NE(error, GSST_ERROR_INTERNAL) << message.text;
    EXPECT_TRUE(error != GSST_OK || text.size() <= 8 * value.size());
  }
}

TEST(LibraryTableMisuse, NoDamageOfASavedTableIsAccepted) {
  const Bytes saved = save(train(samples_of_text(300)));
  for (std::size_t at = 0; at < saved.size(); ++at) {
    Bytes damaged = saved;
    damaged[at] ^= static_cast<std::uint8_t>(1 + at % 255);
    OwnedTable table;
    gsst_message message;
    EXPECT_NE(load(damaged, table, message), GSST_OK);
    damaged.resize(at);
    EXPECT_NE(load(damaged, table, message), GSST_OK);
  }
}

Bytes bytes_of_digits(const std::string& digits) {
  Bytes bytes;
  for (std::size_t at = 0; at < digits.size(); at += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(digits.substr(at, 2), nullptr, 16)));
  }
  return bytes;
}

nlohmann::json golden_tables(const char* list_name) {
  std::ifstream list("data/golden/values/golden.json");
  return nlohmann::json::parse(list).at(list_name);
}

Bytes read_golden_table(const nlohmann::json& entry) {
  return reference::test::read_file("data/golden/values/" + entry.at("file").get<std::string>());
}

void expect_refusal(gsst_error error, const gsst_message& message, const nlohmann::json& entry) {
  SCOPED_TRACE(entry.at("why").get<std::string>());
  EXPECT_NE(error, GSST_OK);
  EXPECT_NE(error, GSST_ERROR_OUTPUT_TOO_SMALL);
  EXPECT_NE(error, GSST_ERROR_INTERNAL);
  const std::string field = entry.at("field");
  EXPECT_NE(std::string(message.text).find(field), std::string::npos) << message.text;
  EXPECT_EQ(error == GSST_ERROR_WRONG_CHECKSUM, field.ends_with("checksum"));
  const bool is_later = entry.at("why").get<std::string>().ends_with("is not known");
  EXPECT_EQ(error == GSST_ERROR_UNSUPPORTED_VERSION, is_later);
}

TEST(LibraryTable, GoldenTablesGiveTheTextsOfTheirValues) {
  const nlohmann::json entries = golden_tables("valid");
  ASSERT_GT(entries.size(), 3);
  for (const nlohmann::json& entry : entries) {
    SCOPED_TRACE(entry.at("file").get<std::string>());
    const Bytes saved = read_golden_table(entry);
    const OwnedTable table = load(saved);
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(save(table), saved);
    EXPECT_EQ(gsst_table_id(table.get()), entry.at("id"));
    for (const nlohmann::json& value : entry.at("values")) {
      const Bytes text = bytes_of_digits(value.at("text"));
      EXPECT_EQ(decompress(table, bytes_of_digits(value.at("value"))), text);
      EXPECT_EQ(decompress(table, compress(table, text)), text);
    }
    for (const nlohmann::json& value : entry.at("refused")) {
      Bytes text;
      gsst_message message;
      expect_refusal(decompress(table, bytes_of_digits(value.at("value")), text, message), message, value);
    }
  }
}

TEST(LibraryTable, GoldenInvalidTablesAreRefusedWithTheirField) {
  const nlohmann::json entries = golden_tables("invalid");
  ASSERT_GT(entries.size(), 7);
  for (const nlohmann::json& entry : entries) {
    SCOPED_TRACE(entry.at("file").get<std::string>());
    OwnedTable table;
    gsst_message message;
    expect_refusal(load(read_golden_table(entry), table, message), message, entry);
  }
}

}  // namespace
}  // namespace gsst::library::tables
