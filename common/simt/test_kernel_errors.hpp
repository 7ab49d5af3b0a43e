#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "common/simt/executor.hpp"

/// For the tests of the executor: what it says of a kernel.
namespace gsst::simt {

/// The text of the error with which a grid ends; empty if it ends well.
inline std::string error_of(const Launch& launch, const std::function<void()>& body) {
  try {
    run_grid(launch, body);
  } catch (const KernelError& error) {
    return error.what();
  }
  return "";
}

inline void expect_part(const std::string& error, const std::string& part) {
  EXPECT_NE(error.find(part), std::string::npos) << "'" << part << "' is not in: " << error;
}

}  // namespace gsst::simt
