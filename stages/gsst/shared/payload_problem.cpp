#include "stages/gsst/shared/payload_problem.hpp"

#include <array>
#include <cstddef>

namespace gsst::stage {
namespace {

constexpr auto first_payload_problem = static_cast<std::size_t>(frame::FrameProblem::first_of_payloads);
constexpr auto payload_problem_count =
    static_cast<std::size_t>(PayloadProblem::count) - first_payload_problem;

constexpr std::array<const char*, payload_problem_count> payload_field_names = {
    "raw block size",       "padding",          "block header",   "block size",      "uncompressed size",
    "number of splits",     "split locations",  "split location", "symbol table",    "version word",
    "zero-terminated flag", "length histogram", "symbols",        "code bits",       "codes per lane",
    "tiles per strip",      "escape-free flag", "dictionary id",  "length of class", "code count",
    "strip offset",
};
static_assert(payload_field_names.back() != nullptr);

}  // namespace

const char* field_name(PayloadProblem problem) {
  const std::size_t number = static_cast<std::size_t>(problem) - first_payload_problem;
  return number < payload_problem_count ? payload_field_names.at(number) : "unknown";
}

}  // namespace gsst::stage
