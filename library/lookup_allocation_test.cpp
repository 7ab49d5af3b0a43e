#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "gsst/lookup.h"
#include "gsst/table.h"
#include "library/foreign_array.hpp"

namespace {

// Of all threads of the program.
std::atomic<std::uint64_t> allocations = 0;

void* allocate(std::size_t bytes) {
  ++allocations;
  // NOLINTNEXTLINE(cppcoreguidelines-no-malloc): what operator new stands on.
  if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}

}  // namespace

// All forms that the library calls: a sanitizer has its own in place of one that is missing.
void* operator new(std::size_t bytes) {
  return allocate(bytes);
}
void* operator new[](std::size_t bytes) {
  return allocate(bytes);
}
void* operator new(std::size_t bytes, const std::nothrow_t& /*nothrow*/) noexcept {
  ++allocations;
  return std::malloc(bytes == 0 ? 1 : bytes);  // NOLINT(cppcoreguidelines-no-malloc)
}
void operator delete[](void* memory) noexcept {
  std::free(memory);  // NOLINT(cppcoreguidelines-no-malloc)
}
void operator delete[](void* memory, std::size_t /*bytes*/) noexcept {
  std::free(memory);  // NOLINT(cppcoreguidelines-no-malloc)
}
void operator delete(void* memory) noexcept {
  std::free(memory);  // NOLINT(cppcoreguidelines-no-malloc)
}
void operator delete(void* memory, std::size_t /*bytes*/) noexcept {
  std::free(memory);  // NOLINT(cppcoreguidelines-no-malloc)
}

namespace gsst::library {
namespace {

TEST(LibraryLookupAllocations, NoneAfterTheFirstStringOfABlock) {
  Strings strings;
  for (int i = 0; i < 2'000; ++i) strings.emplace_back("string number " + std::to_string(i));
  const ForeignArray foreign("u", strings);
  const std::vector<std::pair<gsst_format, gsst_column_layout>> layouts = {
      {GSST_FORMAT_BLOCKS, GSST_COLUMN_DENSE},    {GSST_FORMAT_SPLITS, GSST_COLUMN_DENSE},
      {GSST_FORMAT_COALESCED, GSST_COLUMN_DENSE}, {GSST_FORMAT_TILES, GSST_COLUMN_DENSE},
      {GSST_FORMAT_BLOCKS, GSST_COLUMN_LOOKUP},   {GSST_FORMAT_SPLITS, GSST_COLUMN_LOOKUP}};
  for (const auto& [format, layout] : layouts) {
    gsst_compress_options options{};
    options.struct_bytes = sizeof(options);
    options.format = format;
    const gsst_column_options column_options{
        .struct_bytes = sizeof(column_options), .layout = layout, .has_separator = 0, .separator = 0};
    gsst_column_compress_plan* compress_plan = nullptr;
    ASSERT_EQ(gsst_column_compress_plan_create_with(&foreign.schema, &foreign.array, &options,
                                                    &column_options, &compress_plan, nullptr),
              GSST_OK);
    std::vector<std::uint8_t> column(gsst_column_compress_plan_output_bytes(compress_plan));
    std::size_t bytes = 0;
    ASSERT_EQ(gsst_column_compress_execute(compress_plan, column.data(), column.size(), &bytes, nullptr),
              GSST_OK);
    gsst_column_compress_plan_destroy(compress_plan);

    gsst_column_plan* plan = nullptr;
    ASSERT_EQ(gsst_column_plan_create(column.data(), bytes, nullptr, &plan, nullptr), GSST_OK);
    std::vector<char> output(100);
    const auto read = [&](std::uint64_t number) {
      std::size_t string_bytes = 0;
      return gsst_column_string(plan, number, output.data(), output.size(), &string_bytes, nullptr, nullptr);
    };
    const std::uint64_t before_first = allocations;
    ASSERT_EQ(read(0), GSST_OK);
    // The test counts at all.
    EXPECT_GT(allocations, before_first);
    const std::uint64_t before = allocations;
    for (std::uint64_t i = 0; i < strings.size(); ++i) ASSERT_EQ(read(i * 7 % strings.size()), GSST_OK);
    EXPECT_EQ(allocations, before) << "format " << format << ", layout " << layout;
    gsst_column_plan_destroy(plan);
  }
}

TEST(LibraryTableAllocations, NoneForShortValues) {
  const std::string text(4'096, 'x');
  const void* const sample = text.data();
  const std::size_t sample_bytes = text.size();
  gsst_table* table = nullptr;
  ASSERT_EQ(gsst_table_train(&sample, &sample_bytes, 1, &table, nullptr), GSST_OK);
  std::vector<char> value(gsst_value_bound(text.size()));
  std::vector<char> output(text.size());
  const std::uint64_t before = allocations;
  for (std::size_t text_bytes = 0; text_bytes <= text.size(); text_bytes += 64) {
    std::size_t bytes = 0;
    ASSERT_EQ(
        gsst_value_compress(table, text.data(), text_bytes, 0, value.data(), value.size(), &bytes, nullptr),
        GSST_OK);
    ASSERT_EQ(
        gsst_value_decompress(table, value.data(), bytes, output.data(), output.size(), &bytes, nullptr),
        GSST_OK);
    ASSERT_EQ(bytes, text_bytes);
  }
  EXPECT_EQ(allocations, before);
  gsst_table_destroy(table);
}

}  // namespace
}  // namespace gsst::library
