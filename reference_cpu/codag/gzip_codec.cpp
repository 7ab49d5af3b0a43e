#include "reference_cpu/codag/gzip_codec.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "reference_cpu/codag/gzip_file.hpp"
#include "reference_cpu/parallel.hpp"

namespace gsst::reference::codag {

namespace {

bool has_bgzf_members(const EncodeSettings& settings) {
  const auto found = settings.options.find("members");
  return found != settings.options.end() && found->second == static_cast<std::uint64_t>(GzipMembers::bgzf);
}

}  // namespace

void GzipCodec::check(const EncodeSettings& settings) const {
  deflate_choice(settings);
}

EncodeTotals GzipCodec::encode(const format::ReadFunction& read, const format::WriteFunction& write,
                               const EncodeSettings& settings,
                               const format::ProgressFunction& progress) const {
  const bool is_bgzf = has_bgzf_members(settings);
  const std::uint64_t most_bytes = is_bgzf ? max_bgzf_bytes : traits().max_block_bytes;
  if (settings.block_bytes < 1 || settings.block_bytes > most_bytes) {
    throw std::invalid_argument("a member " + std::string(is_bgzf ? "of BGZF " : "") + "has 1 to " +
                                std::to_string(most_bytes) + " bytes, not " +
                                std::to_string(settings.block_bytes));
  }
  const auto encode_member = is_bgzf ? encode_bgzf_member : encode_gzip_member;
  const DeflateChoice choice = deflate_choice(settings);
  const unsigned threads = thread_count(settings.threads);
  EncodeTotals totals;
  totals.how = deflate_text(choice);
  totals.numbers = {{"level", choice.level}};
  for (bool may_follow = true; may_follow;) {
    std::vector<std::vector<std::uint8_t>> inputs;
    while (may_follow && inputs.size() < threads) {
      std::vector<std::uint8_t> input = format::read_up_to(read, settings.block_bytes);
      may_follow = input.size() == settings.block_bytes;
      if (!input.empty() || (!is_bgzf && totals.blocks == 0 && inputs.empty()))
        inputs.push_back(std::move(input));
    }
    std::vector<std::vector<std::uint8_t>> members(inputs.size());
    parallel_for(inputs.size(), threads,
                 [&](std::size_t i) { members[i] = encode_member(inputs[i], choice); });
    for (std::size_t i = 0; i < members.size(); ++i) {
      write(members[i]);
      totals.input_bytes += inputs[i].size();
      totals.output_bytes += members[i].size();
      ++totals.blocks;
    }
    if (progress && !members.empty()) progress(totals);
  }
  if (is_bgzf) {
    write(bgzf_end);
    totals.output_bytes += bgzf_end.size();
    ++totals.blocks;
  }
  return totals;
}

format::StreamTotals GzipCodec::decode(const format::ReadFunction& read, const format::WriteFunction& write,
                                       unsigned /*threads*/, const format::ProgressFunction& progress) const {
  return decode_gzip(read, write, {}, progress);
}

std::vector<std::uint8_t> GzipCodec::decode_payload(std::span<const std::uint8_t> /*payload*/,
                                                    const format::BlockExpectation& /*expected*/,
                                                    const format::PayloadPart& /*part*/,
                                                    std::uint64_t /*block*/) const {
  throw std::invalid_argument("no frame holds blocks of format gzip");
}

FileListing GzipCodec::list(std::span<const std::uint8_t> file) const {
  FileListing listing = {.checksum = "crc32"};
  std::uint64_t largest_member = 0;
  const format::StreamTotals totals = decode_gzip(
      format::reader_of(file), [](std::span<const std::uint8_t>) {},
      [&](std::uint64_t bytes) { largest_member = std::max(largest_member, bytes); }, {});
  listing.blocks = totals.blocks;
  listing.block_bytes = largest_member;
  listing.uncompressed_bytes = totals.output_bytes;
  return listing;
}

}  // namespace gsst::reference::codag
