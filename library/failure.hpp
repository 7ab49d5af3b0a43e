#pragma once

#include <stdexcept>
#include <string>

#include "gsst/gsst.h"

namespace gsst::library {

/// A call that is refused with a code of its own.
class ApiError : public std::runtime_error {
public:
  ApiError(gsst_error error, const std::string& message) : std::runtime_error(message), error_(error) {}

  gsst_error error() const { return error_; }

private:
  gsst_error error_;
};

/// The code for the exception that is being handled. Writes its text to `message`, which may be null.
gsst_error report_current_exception(gsst_message* message) noexcept;

/// Calls `work` and turns what it throws into a code and a text; `message` may be null.
template <typename Work>
gsst_error report_errors(gsst_message* message, const Work& work) noexcept {
  if (message != nullptr) message->text[0] = '\0';
  try {
    work();
    return GSST_OK;
  } catch (...) {
    return report_current_exception(message);
  }
}

}  // namespace gsst::library
