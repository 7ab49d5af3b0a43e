#include "reference_cpu/zero_length/marker_options.hpp"

namespace gsst::reference::zero_length {
namespace {

bool is_default(const format::CodecOptions& options, const CodecOption& option) {
  const auto found = options.find(option.name);
  return found == options.end() || found->second == 0;
}

}  // namespace

MarkerChoice marker_choice(const format::CodecOptions& options) {
  return {.is_rarest = is_default(options, marker_options[0]),
          .has_four_zeros = is_default(options, marker_options[1])};
}

}  // namespace gsst::reference::zero_length
