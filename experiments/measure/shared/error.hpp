#pragma once

#include <stdexcept>

namespace gsst::experiments {

/// The command line or the input cannot be measured; the message says what is wrong. Nothing has been
/// written.
class InputError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// A decoder gave other bytes than the input's, or gave up. No row is written.
class MismatchError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

}  // namespace gsst::experiments
