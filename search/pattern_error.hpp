#pragma once

#include <stdexcept>
#include <string>

namespace gsst::search {

/// A pattern that breaks a rule of its syntax, or asks for what this search does not do. The message names
/// the pattern and what is wrong with it.
class PatternError : public std::runtime_error {
public:
  explicit PatternError(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace gsst::search
