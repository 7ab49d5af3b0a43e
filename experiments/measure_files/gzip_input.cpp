#include "experiments/measure_files/gzip_input.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "experiments/measure/shared/error.hpp"
#include "reference_cpu/codec.hpp"
#include "stages/codag/gzip/gzip_members.hpp"

namespace gsst::experiments {

reference::codag::GzipMembers members_of_point(const Point& point) {
  const std::string wanted = point.row.value("members", std::string());
  const auto found = std::ranges::find(reference::codag::gzip_member_names, wanted);
  if (found == reference::codag::gzip_member_names.end()) {
    throw InputError("row: members is '" + wanted + "', not plain or bgzf");
  }
  return static_cast<reference::codag::GzipMembers>(found - reference::codag::gzip_member_names.begin());
}

GzipInput make_gzip_input(const Input& input, std::span<const std::uint8_t> text,
                          reference::codag::GzipMembers members) {
  format::EncodeSettings settings = {.block_bytes = input.block_bytes, .level = input.level};
  settings.options = input.options;
  settings.options["members"] = static_cast<std::uint64_t>(members);
  GzipInput made = {.file = reference::encode_file(reference::codag::gzip_codec, text, settings),
                    .members = {}};
  for (std::uint64_t offset = 0; offset < made.file.size(); offset = made.members.end()) {
    const std::optional<codag::gzip::GzipMember> member = codag::gzip::find_member(made.file, offset);
    if (!member) throw MismatchError("a member that was written is not found");
    made.members.members.push_back(*member);
    made.members.output_bytes += member->output_bytes;
  }
  if (made.members.output_bytes != text.size()) throw MismatchError("the members have other bytes");
  return made;
}

}  // namespace gsst::experiments
