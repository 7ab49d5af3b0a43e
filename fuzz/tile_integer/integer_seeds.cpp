#include "fuzz/tile_integer/integer_seeds.hpp"

#include <algorithm>
#include <string>

#include "common/format/tile_integer/tile_integer.hpp"
#include "fuzz/byte_changes.hpp"

namespace gsst::fuzz {
namespace {

namespace integers = format::tile_integer;
using integers::Type;

// What follows each other in one part of a block.
enum class Pattern : std::uint8_t { equal, narrow, ascending, runs, borders, any };
constexpr std::uint32_t pattern_count = 6;

std::uint64_t low_bits(std::uint32_t bits) {
  return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

// Makes values one after the other.
class ValueMaker {
public:
  ValueMaker(std::uint32_t max_width, Random& random) : max_width_(max_width), random_(random) { turn(); }

  std::uint64_t next() {
    if (random_.one_in(300)) turn();
    switch (pattern_) {
      case Pattern::equal:
        break;
      case Pattern::narrow:
        return first_ + (random_.number() & low_bits(width_));
      case Pattern::ascending:
        first_ += random_.number() & low_bits(width_);
        break;
      case Pattern::runs:
        if (random_.one_in(mean_run_)) first_ = random_.number() & low_bits(width_);
        break;
      case Pattern::borders:
        // The largest of signed types, or one more, which is their smallest.
        return low_bits(max_width_ - 1) + random_.below(2);
      default:
        return random_.number();
    }
    return first_;
  }

private:
  void turn() {
    // Few of those that make blocks raw.
    pattern_ = static_cast<Pattern>(random_.below(random_.one_in(4) ? pattern_count : pattern_count - 2));
    first_ = random_.number();
    width_ = random_.below(max_width_);
    mean_run_ = 1 + random_.below(200);
  }

  std::uint32_t max_width_;
  Random& random_;
  Pattern pattern_ = Pattern::equal;
  std::uint64_t first_ = 0;
  std::uint32_t width_ = 0;
  std::uint32_t mean_run_ = 1;
};

// Values have `width` bits at most.
std::vector<std::uint8_t> make_values(Type type, std::size_t bytes, std::uint32_t width, Random& random) {
  const integers::TypeShape& shape = integers::shape_of(type);
  ValueMaker values(shape.max_width(), random);
  std::vector<std::uint8_t> input;
  while (input.size() < bytes) {
    const std::uint64_t value = values.next() & low_bits(width);
    for (std::uint32_t byte = 0; byte < shape.value_bytes; ++byte) {
      input.push_back(static_cast<std::uint8_t>(value >> (8 * byte)));
    }
  }
  input.resize(bytes);
  return input;
}

format::CodecOptions options_for(const reference::Codec& codec, Type type) {
  return codec.has_option("type")
             ? format::CodecOptions{{"type", static_cast<std::uint64_t>(type)}}
             : format::CodecOptions{{"value-bytes", integers::shape_of(type).value_bytes}};
}

}  // namespace

Seeds make_integer_seeds(const reference::Codec& codec, std::size_t count, Random& random) {
  // Now and then enough for several units of the largest values.
  std::uint64_t block_bytes = choose_block_bytes(random);
  if (random.one_in(8)) block_bytes *= 5;
  Seeds seeds = {.header = {}, .blocks = {}};
  for (std::size_t i = 0; i < count; ++i) {
    const auto type = static_cast<Type>(random.below(integers::type_count));
    const std::uint32_t most = integers::shape_of(type).max_width();
    // Without a reference, values take as many bits as the largest of them.
    const std::uint32_t width = codec.has_option("type") ? most : random.below(most);
    const std::vector<std::uint8_t> frame = reference::encode_file(
        codec, make_values(type, block_bytes, width, random),
        {.block_bytes = block_bytes, .options = options_for(codec, type), .threads = 1});
    const format::FrameView view = format::parse_frame(frame);
    seeds.header = view.header;
    const auto payload = view.payload(0);
    seeds.blocks.push_back(
        {.layout = view.index.entries[0].record.layout, .bytes = {payload.begin(), payload.end()}});
  }
  return seeds;
}

}  // namespace gsst::fuzz
