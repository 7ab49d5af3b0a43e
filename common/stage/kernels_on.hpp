#pragma once

#include <map>
#include <stdexcept>
#include <string>

#include "common/stage/stage.hpp"

namespace gsst::stage {

/// What the host calls of a source that is compiled once for each executor (launch.hpp) and is no stage:
/// `Functions`, a struct of function pointers. An object of this type in the source registers them when the
/// program starts.
template <typename Functions>
class KernelsOn {
public:
  KernelsOn(Executor executor, const Functions& functions) { all()[executor] = functions; }

  /// Those of `executor`. Throws std::logic_error if the program was not linked with them.
  static const Functions& get(Executor executor) {
    const auto found = all().find(executor);
    if (found != all().end()) return found->second;
    throw std::logic_error("this program has no kernels for executor " +
                           std::string(executor_name(executor)));
  }

private:
  static std::map<Executor, Functions>& all() {
    static std::map<Executor, Functions> functions;
    return functions;
  }
};

}  // namespace gsst::stage
