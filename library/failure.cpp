#include "library/failure.hpp"

#include <algorithm>
#include <new>
#include <string_view>

#include "common/format/error.hpp"
#include "library/decompress_plan.hpp"

namespace gsst::library {
namespace {

void write_message(gsst_message* message, std::string_view text) noexcept {
  if (message == nullptr) return;
  const std::size_t length = std::min<std::size_t>(text.size(), GSST_MESSAGE_BYTES - 1);
  std::copy_n(text.begin(), length, message->text);
  message->text[length] = '\0';
}

gsst_error error_of(const format::FormatError& error) noexcept {
  if (!error.block() && (error.field() == "frame version" || error.field() == "format id" ||
                         error.field() == "column version")) {
    return GSST_ERROR_UNSUPPORTED_VERSION;
  }
  // A block's is called "checksum", others say what they are of before that.
  return error.field().ends_with("checksum") ? GSST_ERROR_WRONG_CHECKSUM : GSST_ERROR_DAMAGED;
}

}  // namespace

gsst_error report_current_exception(gsst_message* message) noexcept {
  try {
    throw;
  } catch (const ApiError& error) {
    write_message(message, error.what());
    return error.error();
  } catch (const WrongFormat& error) {
    write_message(message, error.what());
    return GSST_ERROR_WRONG_FORMAT;
  } catch (const format::FormatError& error) {
    write_message(message, error.what());
    return error_of(error);
  } catch (const std::invalid_argument& error) {
    write_message(message, error.what());
    return GSST_ERROR_INVALID_ARGUMENT;
  } catch (const std::bad_alloc&) {
    write_message(message, "out of memory");
    return GSST_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception& error) {
    write_message(message, error.what());
    return GSST_ERROR_INTERNAL;
  } catch (...) {
    write_message(message, "unknown exception");
    return GSST_ERROR_INTERNAL;
  }
}

}  // namespace gsst::library
