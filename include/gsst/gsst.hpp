#pragma once

// 201703 is C++17: early compilers of C++20 say less than 202002.
#if __cplusplus <= 201703L
#error "gsst.hpp needs C++20: compile with -std=c++20, or call the C functions of gsst.h"
#endif

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gsst/gsst.h"

/// @file
/// The codec in C++20, over the C functions of gsst.h: what is said there of memory, threads and errors holds
/// here too. Nothing here throws but std::bad_alloc, and value() of a result that has none.

/// The library in C++20.
namespace gsst {

/// Why an operation failed; gsst.h says more of each.
enum class Error : int {
  /// A pointer is null that must not be.
  null_pointer = GSST_ERROR_NULL_POINTER,
  /// A value is out of its range, or does not fit the plan.
  invalid_argument = GSST_ERROR_INVALID_ARGUMENT,
  /// The output has fewer bytes than the plan needs.
  output_too_small = GSST_ERROR_OUTPUT_TOO_SMALL,
  /// Input and output share bytes, or two ranges of the output do.
  overlap = GSST_ERROR_OVERLAP,
  /// The compressed bytes have another format than the caller requested.
  wrong_format = GSST_ERROR_WRONG_FORMAT,
  /// The frame's version, or its blocks' format, is not known.
  unsupported_version = GSST_ERROR_UNSUPPORTED_VERSION,
  /// The compressed bytes break a rule of FORMAT.md.
  damaged = GSST_ERROR_DAMAGED,
  /// A stored checksum differs from that of its bytes; see gsst_error.
  wrong_checksum = GSST_ERROR_WRONG_CHECKSUM,
  /// The library could not allocate memory for its own work.
  out_of_memory = GSST_ERROR_OUT_OF_MEMORY,
  /// A mistake in the library.
  internal = GSST_ERROR_INTERNAL,
  /// The scratch memory has fewer bytes than the plan needs.
  scratch_too_small = GSST_ERROR_SCRATCH_TOO_SMALL,
  /// A pointer is to an address that is not a multiple of its alignment.
  misaligned = GSST_ERROR_MISALIGNED,
  /// A pointer to device memory is to host memory or to memory of another device.
  wrong_memory = GSST_ERROR_WRONG_MEMORY,
  /// The current device is not the plan's, or its compute capability is too low.
  wrong_device = GSST_ERROR_WRONG_DEVICE,
  /// A call of the CUDA runtime failed.
  cuda = GSST_ERROR_CUDA,
  /// A function of the caller stopped the call.
  stopped = GSST_ERROR_STOPPED,
};

/// What `error` means, in a few words.
inline const char* error_text(Error error) {
  return gsst_error_text(static_cast<gsst_error>(error));
}

/// An error with a line of text that says what is wrong and where.
struct Failure {
  /// What kind of error it is.
  Error error;
  /// What is wrong, and where, as gsst_message has it.
  std::string message;
};

/// A value, or why there is none.
template <typename Value>
class [[nodiscard]] Result {
public:
  /// The result of an operation that succeeded.
  Result(Value value) : content_(std::move(value)) {}  // NOLINT(google-explicit-constructor)
  /// The result of an operation that failed.
  Result(Failure failure) : content_(std::move(failure)) {}  // NOLINT(google-explicit-constructor)

  /// Whether the operation succeeded.
  bool has_value() const { return std::holds_alternative<Value>(content_); }
  /// As has_value().
  explicit operator bool() const { return has_value(); }

  /// The value. Throws std::bad_variant_access if there is none.
  Value& value() & { return std::get<Value>(content_); }
  /// The value. Throws std::bad_variant_access if there is none.
  const Value& value() const& { return std::get<Value>(content_); }
  /// The value, to be moved from. Throws std::bad_variant_access if there is none.
  Value&& value() && { return std::get<Value>(std::move(content_)); }

  /// The value, as value() has it.
  Value& operator*() & { return value(); }
  /// The value, as value() has it.
  const Value& operator*() const& { return value(); }
  /// The value, to be moved from, as value() has it.
  Value&& operator*() && { return std::move(*this).value(); }
  /// A member of the value. Throws std::bad_variant_access if there is none.
  Value* operator->() { return &value(); }
  /// A member of the value. Throws std::bad_variant_access if there is none.
  const Value* operator->() const { return &value(); }

  /// Why there is no value. Throws std::bad_variant_access if there is one.
  const Failure& failure() const { return std::get<Failure>(content_); }

private:
  std::variant<Value, Failure> content_;
};

/// How blocks are stored; see gsst_format.
enum class Format : std::uint32_t {
  /// Compression: tiles. Decompression: any frame.
  automatic = GSST_FORMAT_DEFAULT,
  /// Each block is decoded from its start to its end.
  blocks = GSST_FORMAT_BLOCKS,
  /// Blocks are cut into splits, which can be decoded concurrently.
  splits = GSST_FORMAT_SPLITS,
  /// As splits, with the codes of a block's splits interleaved.
  coalesced = GSST_FORMAT_COALESCED,
  /// Blocks are cut into strips, and these into tiles of codes that name the lengths of their symbols.
  tiles = GSST_FORMAT_TILES,
  /// The file of FSST's own tool.
  fsst = GSST_FORMAT_FSST,
};

/// How blocks and index are checked; see gsst_checksum.
enum class Checksum : std::uint32_t {
  /// xxh64_tree for tiles at levels 1 and 2, else xxh64.
  automatic = GSST_CHECKSUM_DEFAULT,
  /// One over all bytes of a block.
  xxh64 = GSST_CHECKSUM_XXH64,
  /// One over those of its pieces, which a GPU compares concurrently.
  xxh64_tree = GSST_CHECKSUM_XXH64_TREE,
};

/// Requests one thread for each core that the process may use.
inline constexpr std::uint32_t all_threads = GSST_THREADS_ALL;

/// How to compress; 0 takes the default. See gsst_compress_options for the ranges.
struct CompressOptions {
  /// How blocks are stored.
  Format format = Format::automatic;
  /// Uncompressed bytes of each block but the last.
  std::uint64_t block_bytes = 0;
  /// Splits of each block, for a format that is named and has them.
  std::uint32_t splits = 0;
  /// Work done for a smaller output.
  std::uint32_t level = 0;
  /// Threads to work with.
  std::uint32_t threads = 0;
  /// Most codes of a strip, for format tiles: fewer for random access.
  std::uint32_t strip_codes = 0;
  /// How blocks and index are checked.
  Checksum checksum = Checksum::automatic;
};

/// How to decompress; see gsst_decompress_options.
struct DecompressOptions {
  /// Frames of another one are refused. Format::fsst must be set explicitly.
  Format format = Format::automatic;
  /// Threads to work with; 0 takes the default.
  std::uint32_t threads = 0;
  /// True: do not compare the stored checksums. Damage that still decodes is not detected then.
  bool skip_checksums = false;
};

/// What a frame says about itself.
using FrameInfo = gsst_frame_info;
/// Where a block is.
using BlockInfo = gsst_block_info;

/// Bytes to decompress out of a frame, and where they go.
using Range = gsst_range;
/// What was decoded for a list of ranges.
using ReadInfo = gsst_read_info;

namespace detail {

// Zeros, and the size that the C functions require in a struct.
template <typename Struct>
Struct sized() {
  Struct made{};
  made.struct_bytes = sizeof(Struct);
  return made;
}

inline Failure failure(gsst_error error, const gsst_message& message) {
  return {static_cast<Error>(error), message.text};
}

inline gsst_compress_options c_options(const CompressOptions& options) {
  return {.struct_bytes = sizeof(gsst_compress_options),
          .format = static_cast<std::uint32_t>(options.format),
          .block_bytes = options.block_bytes,
          .splits = options.splits,
          .level = options.level,
          .threads = options.threads,
          .strip_codes = options.strip_codes,
          .checksum = static_cast<std::uint32_t>(options.checksum),
          .reserved = 0};
}

inline gsst_decompress_options c_options(const DecompressOptions& options) {
  return {.struct_bytes = sizeof(gsst_decompress_options),
          .format = static_cast<std::uint32_t>(options.format),
          .threads = options.threads,
          .skip_checksums = options.skip_checksums ? 1U : 0U};
}

struct Destroy {
  void operator()(gsst_compress_plan* plan) const { gsst_compress_plan_destroy(plan); }
  void operator()(gsst_decompress_plan* plan) const { gsst_decompress_plan_destroy(plan); }
};

}  // namespace detail

/// How an input of a size is compressed.
class CompressPlan {
public:
  /// Plans the compression of any input of `input_bytes` bytes. Errors: gsst_compress_plan_create().
  static Result<CompressPlan> create(std::size_t input_bytes, const CompressOptions& options = {}) {
    const gsst_compress_options c_options = detail::c_options(options);
    gsst_compress_plan* plan = nullptr;
    gsst_message message;
    const gsst_error error = gsst_compress_plan_create(input_bytes, &c_options, &plan, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return CompressPlan(plan);
  }

  /// Bytes that the output must have room for, whatever the input is.
  std::size_t output_bytes() const { return gsst_compress_plan_output_bytes(plan_.get()); }

  /// Compresses `input`, which has the planned number of bytes, to the start of `output`, which has at least
  /// output_bytes() bytes, none of them of `input`. Returns the part of `output` that is the frame. Errors:
  /// gsst_compress_execute().
  Result<std::span<std::byte>> execute(std::span<const std::byte> input, std::span<std::byte> output) const {
    std::size_t bytes = 0;
    gsst_message message;
    const gsst_error error = gsst_compress_execute(plan_.get(), input.data(), input.size(), output.data(),
                                                   output.size(), &bytes, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return output.first(bytes);
  }

private:
  explicit CompressPlan(gsst_compress_plan* plan) : plan_(plan) {}

  std::unique_ptr<gsst_compress_plan, detail::Destroy> plan_;
};

/// How a frame is decompressed. Refers to the frame's bytes, which must outlive it unchanged.
class DecompressPlan {
public:
  /// Checks `frame`, the whole frame and nothing more, and the header of every block. Errors:
  /// gsst_decompress_plan_create().
  static Result<DecompressPlan> create(std::span<const std::byte> frame,
                                       const DecompressOptions& options = {}) {
    const gsst_decompress_options c_options = detail::c_options(options);
    gsst_decompress_plan* plan = nullptr;
    gsst_message message;
    const gsst_error error =
        gsst_decompress_plan_create(frame.data(), frame.size(), &c_options, &plan, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return DecompressPlan(plan);
  }

  /// Bytes of the output, exactly.
  std::size_t output_bytes() const { return gsst_decompress_plan_output_bytes(plan_.get()); }

  /// What the frame says about itself. Not for a plan that was moved from.
  FrameInfo info() const {
    auto info = detail::sized<FrameInfo>();
    gsst_decompress_plan_info(plan_.get(), &info);
    return info;
  }

  /// Where block `block` is, which counts from 0. Errors: gsst_decompress_plan_block().
  Result<BlockInfo> block(std::uint64_t block) const {
    auto info = detail::sized<BlockInfo>();
    const gsst_error error = gsst_decompress_plan_block(plan_.get(), block, &info);
    if (error != GSST_OK) return Failure{static_cast<Error>(error), gsst_error_text(error)};
    return info;
  }

  /// Decompresses to the start of `output`, which has at least output_bytes() bytes, none of them of the
  /// frame. Returns the part of `output` that was written. Errors: gsst_decompress_execute().
  Result<std::span<std::byte>> execute(std::span<std::byte> output) const {
    gsst_message message;
    const gsst_error error = gsst_decompress_execute(plan_.get(), output.data(), output.size(), &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return output.first(output_bytes());
  }

  /// Decompresses `ranges` to their places in `output` and as little of the rest of the frame as it can.
  /// Returns what was decoded. Errors: gsst_decompress_ranges().
  Result<ReadInfo> execute_ranges(std::span<const Range> ranges, std::span<std::byte> output) const {
    auto info = detail::sized<ReadInfo>();
    gsst_message message;
    const gsst_error error = gsst_decompress_ranges(plan_.get(), ranges.data(), ranges.size(), output.data(),
                                                    output.size(), &info, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return info;
  }

private:
  explicit DecompressPlan(gsst_decompress_plan* plan) : plan_(plan) {}

  std::unique_ptr<gsst_decompress_plan, detail::Destroy> plan_;
};

/// Reads what `frame` says about itself. Errors: gsst_inspect().
inline Result<FrameInfo> inspect(std::span<const std::byte> frame) {
  auto info = detail::sized<FrameInfo>();
  gsst_message message;
  const gsst_error error = gsst_inspect(frame.data(), frame.size(), &info, &message);
  if (error != GSST_OK) return detail::failure(error, message);
  return info;
}

/// Plans and compresses into memory that is allocated here. Errors: those of the two steps.
inline Result<std::vector<std::byte>> compress(std::span<const std::byte> input,
                                               const CompressOptions& options = {}) {
  const Result<CompressPlan> plan = CompressPlan::create(input.size(), options);
  if (!plan) return plan.failure();
  std::vector<std::byte> output(plan.value().output_bytes());
  const Result<std::span<std::byte>> frame = plan.value().execute(input, output);
  if (!frame) return frame.failure();
  output.resize(frame.value().size());
  return output;
}

/// Plans and decompresses into memory that is allocated here. Errors: those of the two steps.
inline Result<std::vector<std::byte>> decompress(std::span<const std::byte> frame,
                                                 const DecompressOptions& options = {}) {
  const Result<DecompressPlan> plan = DecompressPlan::create(frame, options);
  if (!plan) return plan.failure();
  std::vector<std::byte> output(plan.value().output_bytes());
  const Result<std::span<std::byte>> written = plan.value().execute(output);
  if (!written) return written.failure();
  return output;
}

}  // namespace gsst
