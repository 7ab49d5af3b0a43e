#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "gsst/gsst.h"
#include "library/arguments.hpp"
#include "library/compress_plan.hpp"
#include "library/decompress_plan.hpp"
#include "library/failure.hpp"
#include "library/frame_reader.hpp"
#include "library/options.hpp"

// The functions of gsst.h: they check pointers and sizes, and turn exceptions into codes.

struct gsst_compress_plan {
  gsst::library::CompressPlan plan;
};

struct gsst_decompress_plan {
  gsst::library::FrameReader reader;
};

namespace {

using gsst::library::check_no_overlap;
using gsst::library::check_not_null;
using gsst::library::check_size;
using gsst::library::frame_info;
using gsst::library::input_span;
using gsst::library::known_struct_bytes;
using gsst::library::output_span;
using gsst::library::report_errors;
using gsst::library::store_struct;

// The bytes of the frame.
std::size_t compress(const gsst_compress_plan& plan, const void* input, size_t input_bytes, void* output,
                     size_t output_capacity) {
  const auto from = input_span(input, input_bytes, "input");
  const auto to = output_span(output, output_capacity, plan.plan.output_bytes());
  check_no_overlap(from, "input", to, "output");
  return plan.plan.execute(from, to);
}

// The bytes of the output.
std::size_t decompress(const gsst_decompress_plan& reader, void* output, size_t output_capacity) {
  const gsst::library::DecompressPlan& plan = reader.reader.plan();
  const std::size_t bytes = plan.summary().uncompressed_bytes;
  const auto to = output_span(output, output_capacity, bytes);
  check_no_overlap(plan.frame(), "frame", to, "output");
  plan.execute(to);
  return bytes;
}

}  // namespace

const char* gsst_version() {
  return GSST_VERSION_STRING;
}

const char* gsst_error_text(gsst_error error) {
  switch (error) {
    case GSST_OK:
      return "no error";
    case GSST_ERROR_NULL_POINTER:
      return "a pointer is null";
    case GSST_ERROR_INVALID_ARGUMENT:
      return "an argument is out of its range";
    case GSST_ERROR_OUTPUT_TOO_SMALL:
      return "the output is too small";
    case GSST_ERROR_OVERLAP:
      return "input and output overlap";
    case GSST_ERROR_WRONG_FORMAT:
      return "the input is of another format";
    case GSST_ERROR_UNSUPPORTED_VERSION:
      return "the version of the frame is not supported";
    case GSST_ERROR_DAMAGED:
      return "the input is damaged";
    case GSST_ERROR_WRONG_CHECKSUM:
      return "a checksum differs";
    case GSST_ERROR_OUT_OF_MEMORY:
      return "out of memory";
    case GSST_ERROR_INTERNAL:
      return "internal error";
    case GSST_ERROR_SCRATCH_TOO_SMALL:
      return "the scratch memory is too small";
    case GSST_ERROR_MISALIGNED:
      return "a pointer is misaligned";
    case GSST_ERROR_WRONG_MEMORY:
      return "a pointer is not to memory of the device";
    case GSST_ERROR_WRONG_DEVICE:
      return "the device cannot do this";
    case GSST_ERROR_CUDA:
      return "a CUDA call failed";
    case GSST_ERROR_STOPPED:
      return "a function of the caller stopped the call";
  }
  return "unknown error";
}

gsst_error gsst_compress_plan_create(size_t input_bytes, const gsst_compress_options* options,
                                     gsst_compress_plan** plan, gsst_message* message) {
  if (plan != nullptr) *plan = nullptr;
  return report_errors(message, [&] {
    check_not_null(static_cast<const void*>(plan), "plan");
    auto made = std::make_unique<gsst_compress_plan>(gsst_compress_plan{
        gsst::library::CompressPlan(input_bytes, gsst::library::compress_options(options))});
    *plan = made.release();
  });
}

void gsst_compress_plan_destroy(gsst_compress_plan* plan) {
  const std::unique_ptr<gsst_compress_plan> owned(plan);
}

size_t gsst_compress_plan_output_bytes(const gsst_compress_plan* plan) {
  return plan == nullptr ? 0 : plan->plan.output_bytes();
}

gsst_error gsst_compress_execute(const gsst_compress_plan* plan, const void* input, size_t input_bytes,
                                 void* output, size_t output_capacity, size_t* output_bytes,
                                 gsst_message* message) {
  if (output_bytes != nullptr) *output_bytes = 0;
  return report_errors(message, [&] {
    check_not_null(plan, "plan");
    check_not_null(output_bytes, "output_bytes");
    check_size("input_bytes", input_bytes, plan->plan.input_bytes());
    *output_bytes = compress(*plan, input, input_bytes, output, output_capacity);
  });
}

size_t gsst_compress_bound(size_t input_bytes, const gsst_compress_options* options) {
  size_t bytes = 0;
  (void)report_errors(nullptr, [&] {
    bytes = gsst::library::CompressPlan(input_bytes, gsst::library::compress_options(options)).output_bytes();
  });
  return bytes;
}

gsst_error gsst_compress(const void* input, size_t input_bytes, const gsst_compress_options* options,
                         void* output, size_t output_capacity, size_t* output_bytes, gsst_message* message) {
  if (output_bytes != nullptr) *output_bytes = 0;
  return report_errors(message, [&] {
    check_not_null(output_bytes, "output_bytes");
    const gsst_compress_plan plan{
        gsst::library::CompressPlan(input_bytes, gsst::library::compress_options(options))};
    *output_bytes = compress(plan, input, input_bytes, output, output_capacity);
  });
}

gsst_error gsst_inspect(const void* frame, size_t frame_bytes, gsst_frame_info* info, gsst_message* message) {
  return report_errors(message, [&] {
    check_not_null(info, "info");
    const auto bytes = input_span(frame, frame_bytes, "frame");
    store_struct("info", frame_info(gsst::library::summarize(gsst::library::parse_frame(bytes))), info);
  });
}

gsst_error gsst_decompress_plan_create(const void* frame, size_t frame_bytes,
                                       const gsst_decompress_options* options, gsst_decompress_plan** plan,
                                       gsst_message* message) {
  if (plan != nullptr) *plan = nullptr;
  return report_errors(message, [&] {
    check_not_null(static_cast<const void*>(plan), "plan");
    auto made = std::make_unique<gsst_decompress_plan>(gsst_decompress_plan{gsst::library::FrameReader(
        input_span(frame, frame_bytes, "frame"), gsst::library::decompress_options(options))});
    *plan = made.release();
  });
}

void gsst_decompress_plan_destroy(gsst_decompress_plan* plan) {
  const std::unique_ptr<gsst_decompress_plan> owned(plan);
}

size_t gsst_decompress_plan_output_bytes(const gsst_decompress_plan* plan) {
  return plan == nullptr ? 0 : plan->reader.plan().summary().uncompressed_bytes;
}

gsst_error gsst_decompress_plan_info(const gsst_decompress_plan* plan, gsst_frame_info* info) {
  return report_errors(nullptr, [&] {
    check_not_null(plan, "plan");
    check_not_null(info, "info");
    store_struct("info", frame_info(plan->reader.plan().summary()), info);
  });
}

gsst_error gsst_decompress_plan_block(const gsst_decompress_plan* plan, uint64_t block,
                                      gsst_block_info* info) {
  return report_errors(nullptr, [&] {
    check_not_null(plan, "plan");
    check_not_null(info, "info");
    store_struct("info", gsst::library::block_info(plan->reader.plan().block(block)), info);
  });
}

gsst_error gsst_decompress_execute(const gsst_decompress_plan* plan, void* output, size_t output_capacity,
                                   gsst_message* message) {
  return report_errors(message, [&] {
    check_not_null(plan, "plan");
    decompress(*plan, output, output_capacity);
  });
}

gsst_error gsst_decompress(const void* frame, size_t frame_bytes, const gsst_decompress_options* options,
                           void* output, size_t output_capacity, size_t* output_bytes,
                           gsst_message* message) {
  if (output_bytes != nullptr) *output_bytes = 0;
  return report_errors(message, [&] {
    check_not_null(output_bytes, "output_bytes");
    const gsst_decompress_plan plan{gsst::library::FrameReader(input_span(frame, frame_bytes, "frame"),
                                                               gsst::library::decompress_options(options))};
    *output_bytes = decompress(plan, output, output_capacity);
  });
}

gsst_error gsst_decompress_ranges(const gsst_decompress_plan* plan, const gsst_range* ranges,
                                  size_t range_count, void* output, size_t output_capacity,
                                  gsst_read_info* info, gsst_message* message) {
  return report_errors(message, [&] {
    check_not_null(plan, "plan");
    if (range_count != 0) check_not_null(ranges, "ranges");
    if (info != nullptr) known_struct_bytes("info", info);
    const auto to = output_span(output, output_capacity, output_capacity);
    check_no_overlap(plan->reader.plan().frame(), "frame", to, "output");
    const std::span wanted(ranges, range_count);
    plan->reader.check_ranges(wanted, to.size());
    // Before: what is remembered of a block changes what is decoded of it.
    const auto count = info == nullptr ? gsst::library::ReadCount{} : plan->reader.count(wanted);
    plan->reader.read(wanted, to);
    if (info != nullptr) store_struct("info", gsst::library::read_info(count), info);
  });
}
