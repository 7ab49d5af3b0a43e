#pragma once

#include <concepts>
#include <cstddef>
#include <exception>
#include <span>
#include <type_traits>

#include "gsst/gsst.hpp"
#include "gsst/stream.h"

/// @file
/// The codec on streams in C++20, over the C functions of stream.h: what is said there holds here too.

namespace gsst {

/// What went through a stream.
using StreamInfo = gsst_stream_info;

/// Puts the next bytes of an input into the span, which is not empty, and returns how many: 0 at the end.
template <typename Function>
concept StreamReader = requires(Function& read, std::span<std::byte> buffer) {
  { read(buffer) } -> std::convertible_to<std::size_t>;
};

/// Writes all bytes of the span, which is not empty.
template <typename Function>
concept StreamWriter = requires(Function& write, std::span<const std::byte> bytes) {
  write(bytes);
};

namespace detail {

// The two functions as C calls them. What they throw cannot pass through C: it waits until the call is over.
template <StreamReader Read, StreamWriter Write>
class StreamFunctions {
public:
  StreamFunctions(Read& read, Write& write) : read_(read), write_(write) {}

  gsst_stream c_stream() {
    return {.struct_bytes = sizeof(gsst_stream),
            .reserved = 0,
            .read = &read_into,
            .read_context = this,
            .write = &write_from,
            .write_context = this};
  }

  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

private:
  template <typename Work>
  int run(const Work& work) noexcept {
    try {
      work();
      return 0;
    } catch (...) {
      thrown_ = std::current_exception();
      return 1;
    }
  }

  static int read_into(void* context, void* buffer, std::size_t capacity, std::size_t* bytes) {
    auto& self = *static_cast<StreamFunctions*>(context);
    return self.run([&] { *bytes = self.read_(std::span(static_cast<std::byte*>(buffer), capacity)); });
  }

  static int write_from(void* context, const void* bytes, std::size_t byte_count) {
    auto& self = *static_cast<StreamFunctions*>(context);
    return self.run([&] { self.write_(std::span(static_cast<const std::byte*>(bytes), byte_count)); });
  }

  Read& read_;
  Write& write_;
  std::exception_ptr thrown_;
};

template <typename Read, typename Write, typename COptions>
Result<StreamInfo> run_stream(gsst_error (*call)(const gsst_stream*, const COptions*, gsst_stream_info*,
                                                 gsst_message*),
                              Read& read, Write& write, const COptions& options) {
  StreamFunctions<Read, Write> functions(read, write);
  const gsst_stream stream = functions.c_stream();
  auto info = sized<StreamInfo>();
  gsst_message message;
  const gsst_error error = call(&stream, &options, &info, &message);
  functions.rethrow();
  if (error != GSST_OK) return failure(error, message);
  return info;
}

}  // namespace detail

/// Compresses what `read` gives into one frame, which goes to `write`. Throws what the two throw. Errors:
/// gsst_compress_stream().
template <StreamReader Read, StreamWriter Write>
Result<StreamInfo> compress_stream(Read&& read, Write&& write, const CompressOptions& options = {}) {
  return detail::run_stream(gsst_compress_stream, read, write, detail::c_options(options));
}

/// Decompresses the frame that `read` gives and writes what it holds to `write`. Throws what the two throw.
/// Errors: gsst_decompress_stream().
template <StreamReader Read, StreamWriter Write>
Result<StreamInfo> decompress_stream(Read&& read, Write&& write, const DecompressOptions& options = {}) {
  return detail::run_stream(gsst_decompress_stream, read, write, detail::c_options(options));
}

}  // namespace gsst
