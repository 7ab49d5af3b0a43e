#include "experiments/measure_gzip/gzip_works.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <optional>

#include "experiments/measure/shared/error.hpp"
#include "reference_cpu/codag/gzip_codec.hpp"
#include "reference_cpu/codag/gzip_file.hpp"

namespace gsst::experiments {
namespace {

using codag::gzip::StreamChecksum;
using stage::Role;

bool decodes(GzipWork work) {
  return work != GzipWork::crc32 && work != GzipWork::adler32;
}

std::optional<StreamChecksum> checksum_of(GzipWork work) {
  if (work == GzipWork::decode) return std::nullopt;
  const bool is_crc32 = work == GzipWork::crc32 || work == GzipWork::decode_and_crc32;
  return is_crc32 ? StreamChecksum::crc32 : StreamChecksum::adler32;
}

codag::gzip::GzipBatch with_adler32(codag::gzip::GzipBatch members, std::span<const std::uint8_t> text) {
  members.checksum = StreamChecksum::adler32;
  for (codag::gzip::GzipMember& member : members.members) {
    member.checksum = static_cast<std::uint32_t>(adler32_z(1, text.data(), member.output_bytes));
    text = text.subspan(member.output_bytes);
  }
  return members;
}

std::array<stage::Given, 5> checked_memory(const GzipWorks::Memory& memory, StreamChecksum checksum) {
  const bool is_crc32 = checksum == StreamChecksum::crc32;
  return {memory.output, is_crc32 ? memory.crc32_state : memory.adler32_state, memory.checksum_scratch,
          memory.status, is_crc32 ? memory.index : memory.index_with_adler32};
}

}  // namespace

const char* name_of(GzipWork work) {
  switch (work) {
    case GzipWork::decode:
      return "decode";
    case GzipWork::crc32:
      return "CRC-32";
    case GzipWork::adler32:
      return "Adler-32";
    case GzipWork::decode_and_crc32:
      return "decode and CRC-32";
    case GzipWork::decode_and_adler32:
      break;
  }
  return "decode and Adler-32";
}

GzipFileOfWorks make_gzip_file_of_works(const Input& input, std::span<const std::uint8_t> text) {
  format::EncodeSettings settings = {.block_bytes = input.block_bytes, .level = input.level};
  settings.options = input.options;
  // A larger member does not fit the field for its size.
  using reference::codag::GzipMembers;
  settings.options["members"] = static_cast<std::uint64_t>(
      input.block_bytes <= reference::codag::max_bgzf_bytes ? GzipMembers::bgzf : GzipMembers::plain);
  GzipFileOfWorks made = {.file = reference::encode_file(reference::codag::gzip_codec, text, settings),
                          .members = {},
                          .members_with_adler32 = {}};
  for (std::uint64_t offset = 0; offset < made.file.size(); offset = made.members.end()) {
    const std::optional<codag::gzip::GzipMember> member = codag::gzip::find_member(made.file, offset);
    if (!member) throw MismatchError("a member that was written is not found");
    made.members.members.push_back(*member);
    made.members.output_bytes += member->output_bytes;
  }
  if (made.members.output_bytes != text.size()) throw MismatchError("members have other sizes than the text");
  made.members_with_adler32 = with_adler32(made.members, text);
  return made;
}

GzipWorks::GzipWorks(stage::Executor executor, const Point& point, const GzipFileOfWorks& input)
    : input_(input),
      shape_(codag::gzip::shape_of_batch(input.members)),
      decoding_(point.stage->decode.at(executor).make(
          {.frame = shape_, .index_is_apart = true, .parameters = point.parameters})),
      crc32_(codag::gzip::make_checksum_plan(StreamChecksum::crc32, executor,
                                             codag::gzip::output_sizes(input.members))),
      adler32_(codag::gzip::make_checksum_plan(StreamChecksum::adler32, executor,
                                               codag::gzip::output_sizes(input.members))) {}

const stage::Plan& GzipWorks::plan_of(StreamChecksum checksum) const {
  return checksum == StreamChecksum::crc32 ? *crc32_ : *adler32_;
}

std::uint64_t GzipWorks::status_bytes() const {
  return bytes_of(*decoding_, Role::status);
}

std::uint64_t GzipWorks::scratch_bytes() const {
  return bytes_of(*decoding_, Role::scratch);
}

std::uint64_t GzipWorks::checksum_scratch_bytes() const {
  return std::max(bytes_of(*crc32_, Role::scratch), bytes_of(*adler32_, Role::scratch));
}

std::uint64_t GzipWorks::state_bytes(StreamChecksum checksum) const {
  return bytes_of(plan_of(checksum), Role::state);
}

std::vector<std::uint8_t> GzipWorks::file_bytes() const {
  const auto begin = input_.file.begin();
  std::vector<std::uint8_t> bytes(begin + static_cast<std::ptrdiff_t>(input_.members.begin()),
                                  begin + static_cast<std::ptrdiff_t>(input_.members.end()));
  bytes.resize(shape_.frame_bytes);
  return bytes;
}

std::vector<std::uint8_t> GzipWorks::index(StreamChecksum checksum) const {
  return codag::gzip::build_member_index(checksum == StreamChecksum::crc32 ? input_.members
                                                                           : input_.members_with_adler32);
}

void GzipWorks::prepare(const Memory& memory) const {
  crc32_->prepare(checked_memory(memory, StreamChecksum::crc32), nullptr);
  adler32_->prepare(checked_memory(memory, StreamChecksum::adler32), nullptr);
}

void GzipWorks::enqueue(GzipWork work, const Memory& memory) const {
  if (decodes(work)) {
    enqueue_all(*decoding_,
                std::array{memory.file, memory.output, memory.scratch, memory.status, memory.index}, nullptr);
  }
  if (const std::optional<StreamChecksum> checksum = checksum_of(work)) {
    enqueue_all(plan_of(*checksum), checked_memory(memory, *checksum), nullptr);
  }
}

}  // namespace gsst::experiments
