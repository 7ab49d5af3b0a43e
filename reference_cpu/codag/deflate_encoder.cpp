#include "reference_cpu/codag/deflate_encoder.hpp"

#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#if GSST_WITH_DEFLATE_LIBRARIES
#include <libdeflate.h>
#include <zlib.h>
#endif

namespace gsst::reference::codag {
namespace {

#if GSST_WITH_DEFLATE_LIBRARIES

std::vector<std::uint8_t> encode_with_libdeflate(std::span<const std::uint8_t> bytes, unsigned level,
                                                 std::uint64_t most_bytes) {
  const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
      libdeflate_alloc_compressor(static_cast<int>(level)), libdeflate_free_compressor);
  if (!compressor) throw std::bad_alloc();
  std::vector<std::uint8_t> stream(most_bytes);
  stream.resize(libdeflate_deflate_compress(compressor.get(), bytes.data(), bytes.size(), stream.data(),
                                            stream.size()));
  return stream;
}

std::vector<std::uint8_t> encode_with_zlib(std::span<const std::uint8_t> bytes, const DeflateChoice& choice,
                                           std::uint64_t most_bytes) {
  constexpr int raw_with_whole_window = -15;
  constexpr int usual_memory_level = 8;
  if (most_bytes > std::numeric_limits<uInt>::max() || bytes.size() > std::numeric_limits<uInt>::max()) {
    throw std::invalid_argument("encode_deflate: more bytes than zlib takes at a time");
  }
  z_stream state{};
  if (deflateInit2(&state, static_cast<int>(choice.level), Z_DEFLATED, raw_with_whole_window,
                   usual_memory_level, static_cast<int>(choice.strategy)) != Z_OK) {
    throw std::bad_alloc();
  }
  std::vector<std::uint8_t> stream(most_bytes);
  state.next_in = const_cast<Bytef*>(bytes.data());  // NOLINT: zlib's type is not const, the use is
  state.avail_in = static_cast<uInt>(bytes.size());
  state.next_out = stream.data();
  state.avail_out = static_cast<uInt>(stream.size());
  const bool fits = ::deflate(&state, Z_FINISH) == Z_STREAM_END;
  stream.erase(stream.begin() + static_cast<std::ptrdiff_t>(fits ? state.total_out : 0), stream.end());
  deflateEnd(&state);
  return stream;
}

#endif

}  // namespace

DeflateChoice deflate_choice(const format::EncodeSettings& settings) {
  if (settings.level > max_deflate_level) {
    throw std::invalid_argument("level " + std::to_string(settings.level) + " is above " +
                                std::to_string(max_deflate_level));
  }
  DeflateChoice choice = {.level = settings.level};
  if (const auto level = settings.options.find("level"); level != settings.options.end()) {
    if (settings.level != EncodeSettings().level) {
      throw std::invalid_argument("--level and -" + std::to_string(settings.level) + " both say a level");
    }
    choice.level = static_cast<unsigned>(level->second);
  }
  if (const auto strategy = settings.options.find("strategy"); strategy != settings.options.end()) {
    choice.strategy = static_cast<unsigned>(strategy->second);
  }
  if (choice.level > max_zlib_level && choice.strategy != 0) {
    throw std::invalid_argument("--strategy is zlib's, and --level " + std::to_string(choice.level) +
                                " is not");
  }
  return choice;
}

std::string deflate_text(const DeflateChoice& choice) {
  const char* const library = choice.level > max_zlib_level ? "libdeflate" : "zlib";
  const std::string strategy =
      choice.strategy == 0 ? "" : " with strategy " + std::string(deflate_strategies[choice.strategy]);
  return "level " + std::to_string(choice.level) + " of " + library + strategy + ", ";
}

std::vector<std::uint8_t> encode_deflate([[maybe_unused]] std::span<const std::uint8_t> bytes,
                                         [[maybe_unused]] const DeflateChoice& choice,
                                         [[maybe_unused]] std::uint64_t most_bytes) {
#if GSST_WITH_DEFLATE_LIBRARIES
  return choice.level > max_zlib_level ? encode_with_libdeflate(bytes, choice.level, most_bytes)
                                       : encode_with_zlib(bytes, choice, most_bytes);
#else
  throw std::runtime_error("format deflate: this build is without zlib and libdeflate, which encode it");
#endif
}

}  // namespace gsst::reference::codag
