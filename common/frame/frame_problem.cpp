#include "common/frame/frame_problem.hpp"

#include <array>
#include <cstddef>

namespace gsst::frame {
namespace {

constexpr auto problem_count = static_cast<std::size_t>(FrameProblem::first_of_payloads);

constexpr std::array<const char*, problem_count> frame_field_names = {
    "none",
    "frame bytes",
    "format id",
    "splits per block",
    "block size",
    "index block count",
    "index uncompressed bytes",
    "magic",
    "frame header",
    "frame version",
    "frame header checksum",
    "flags",
    "checksum kind",
    "format id",
    "block size",
    "splits per block",
    "frame",
    "trailer magic",
    "trailer frame bytes",
    "trailer index bytes",
    "index record kind",
    "record header",
    "index record layout",
    "index record uncompressed bytes",
    "index size",
    "index checksum",
    "index block count",
    "index entry record kind",
    "layout",
    "uncompressed bytes",
    "payload bytes",
    "index entry uncompressed bytes",
    "index entry payload offset",
    "index entry uncompressed offset",
    "index uncompressed bytes",
    "record kind",
    "index entry",
    "index end of blocks",
};
static_assert(frame_field_names.back() != nullptr);

}  // namespace

const char* field_name(FrameProblem problem) {
  const auto number = static_cast<std::size_t>(problem);
  return number < problem_count ? frame_field_names.at(number) : "unknown";
}

}  // namespace gsst::frame
