#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "orc_metadata.pb.h"

/// For tests: files whose metadata has been changed.
namespace gsst::codag::orc {

/// The metadata of a file of one stripe and one column, without compression.
struct EditedOrcFile {
  orc_proto::PostScript postscript;
  orc_proto::Footer footer;
  orc_proto::StripeFooter stripe_footer;
  /// Of the column; the first stream is that of all rows, which has no positions.
  orc_proto::RowIndex row_index;
};

/// The file after `edit(EditedOrcFile&)`. Lengths are changed by as much as what they are lengths of: one
/// that `edit` makes wrong stays wrong.
template <typename Edit>
std::vector<std::uint8_t> edited_orc_file(std::span<const std::uint8_t> file, Edit&& edit) {
  const auto parse = [&](google::protobuf::MessageLite& message, std::size_t offset, std::size_t size) {
    if (!message.ParseFromArray(file.subspan(offset, size).data(), static_cast<int>(size))) {
      throw std::logic_error("the metadata of a file for tests cannot be read");
    }
  };
  EditedOrcFile edited;
  const std::size_t postscript_offset = file.size() - 1 - file.back();
  parse(edited.postscript, postscript_offset, file.back());
  const std::size_t footer_size = edited.postscript.footerlength();
  parse(edited.footer, postscript_offset - footer_size, footer_size);
  const orc_proto::StripeInformation stripe = edited.footer.stripes(0);
  const std::size_t stripe_footer_offset = stripe.offset() + stripe.indexlength() + stripe.datalength();
  parse(edited.stripe_footer, stripe_footer_offset, stripe.footerlength());
  const std::size_t index_offset = stripe.offset() + edited.stripe_footer.streams(0).length();
  const std::size_t index_size = edited.stripe_footer.streams(1).length();
  parse(edited.row_index, index_offset, index_size);

  edit(edited);

  const std::string row_index = edited.row_index.SerializeAsString();
  const std::uint64_t index_growth = row_index.size() - index_size;
  auto& index_stream = *edited.stripe_footer.mutable_streams(1);
  index_stream.set_length(index_stream.length() + index_growth);
  const std::string stripe_footer = edited.stripe_footer.SerializeAsString();
  if (edited.footer.stripes_size() != 0) {
    auto& information = *edited.footer.mutable_stripes(0);
    information.set_indexlength(information.indexlength() + index_growth);
    information.set_footerlength(information.footerlength() + stripe_footer.size() - stripe.footerlength());
  }
  const std::string footer = edited.footer.SerializeAsString();
  edited.postscript.set_footerlength(edited.postscript.footerlength() + footer.size() - footer_size);
  const std::string postscript = edited.postscript.SerializeAsString();

  std::vector<std::uint8_t> written;
  const auto keep = [&](std::size_t begin, std::size_t end) {
    const auto part = file.subspan(begin, end - begin);
    written.insert(written.end(), part.begin(), part.end());
  };
  const auto append = [&](const std::string& bytes) {
    written.insert(written.end(), bytes.begin(), bytes.end());
  };
  keep(0, index_offset);
  append(row_index);
  keep(index_offset + index_size, stripe_footer_offset);
  append(stripe_footer);
  keep(stripe_footer_offset + stripe.footerlength(), postscript_offset - footer_size);
  append(footer);
  append(postscript);
  written.push_back(static_cast<std::uint8_t>(postscript.size()));
  return written;
}

}  // namespace gsst::codag::orc
