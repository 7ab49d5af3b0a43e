#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>

#include "reference_cpu/decoder.hpp"
#include "reference_cpu/encoder.hpp"
#include "reference_cpu/fast_decoder.hpp"

namespace gsst::reference {
namespace {

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;

// Memory that is all zero and takes pages only where it is written.
class ZeroPages {
public:
  explicit ZeroPages(std::size_t size)
      : memory_(
            mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)),
        size_(size) {
    if (memory_ == MAP_FAILED) throw std::runtime_error("mmap failed");
  }
  ~ZeroPages() { munmap(memory_, size_); }
  ZeroPages(const ZeroPages&) = delete;
  ZeroPages& operator=(const ZeroPages&) = delete;

  std::span<std::uint8_t> span() const { return {static_cast<std::uint8_t*>(memory_), size_}; }

private:
  void* memory_;
  std::size_t size_;
};

std::uint64_t available_memory_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::uint64_t kibibytes = 0;
  std::string unit;
  while (file >> name >> kibibytes >> unit) {
    if (name == "MemAvailable:") return kibibytes << 10;
  }
  return 0;
}

// One span of more than 4 GiB: no position inside the codec may have 32 bits.
TEST(Codec, RoundTripsOneSpanOfMoreThan4GiB) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the shadow of 17 GiB is too large; the plain build runs this";
#endif
  if (available_memory_bytes() < 8 * gibibyte) GTEST_SKIP() << "needs 8 GiB of free memory";
  format::SymbolTable table;
  table.symbol_count = 2;
  table.symbols = {0, 0};
  table.lengths = {8, 1};
  const ZeroPages input(4 * gibibyte + 101);
  const std::size_t late = 4 * gibibyte + 17;
  input.span()[late] = 'x';
  const ZeroPages codes(Encoder::max_encoded_bytes(input.span().size()));
  const std::size_t code_bytes = Encoder(table).encode_fast(input.span(), codes.span());
  EXPECT_LT(code_bytes, input.span().size() / 8 + 200);

  const ZeroPages output(input.span().size());
  ASSERT_EQ(decode_fast(table, codes.span().first(code_bytes), output.span()), DecodeProblem::none);
  EXPECT_EQ(output.span()[late], 'x');
  output.span()[late] = 0;
  // All zero: the first byte is, and each byte is the one after it.
  EXPECT_EQ(output.span()[0], 0);
  EXPECT_EQ(std::memcmp(output.span().data(), output.span().data() + 1, output.span().size() - 1), 0);
  EXPECT_EQ(decoded_size(table, codes.span().first(code_bytes)).bytes, input.span().size());
}

}  // namespace
}  // namespace gsst::reference
