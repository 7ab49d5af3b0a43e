#include <array>

#include "common/format/codag/deflate.hpp"
#include "fuzz/codag/deflate_mutator.hpp"
#include "fuzz/payload_mutator.hpp"

/// The mutators of series codag.
namespace gsst::fuzz {

std::span<const FormatMutator> mutators_of_codag() {
  static const std::array<FormatMutator, 1> codag_mutators = {
      {{.format = format::codag::deflate_format, .mutator = &deflate_mutator()}}};
  return codag_mutators;
}

}  // namespace gsst::fuzz
