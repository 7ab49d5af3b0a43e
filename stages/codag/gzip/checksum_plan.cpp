#include "stages/codag/gzip/checksum_plan.hpp"

#include <array>
#include <vector>

#include "common/format/codag/deflate.hpp"
#include "common/frame/index_entry.hpp"
#include "common/stage/block_statuses.hpp"
#include "stages/codag/gzip/checksum_check.hpp"

namespace gsst::codag::gzip {
namespace {

using stage::Given;
using stage::Part;
using stage::Role;

class ChecksumPlan final : public stage::Plan {
public:
  ChecksumPlan(StreamChecksum checksum, const ChecksumKernels& kernels,
               std::span<const std::uint32_t> block_bytes)
      : kernels_(kernels),
        phases_{stage::Phase{.name = name_of(checksum)}},
        table_bytes_(checksum == StreamChecksum::crc32 ? sizeof(Crc32Tables) : 0) {
    for (std::uint32_t block = 0; block < block_bytes.size(); ++block) {
      first_piece_.push_back(static_cast<std::uint32_t>(pieces_.size()));
      output_bytes_ += block_bytes[block];
      for (std::uint64_t begin = 0; begin < block_bytes[block]; begin += checksum_piece_bytes) {
        pieces_.push_back({.block = block, .begin = static_cast<std::uint32_t>(begin)});
      }
    }
    first_piece_.push_back(static_cast<std::uint32_t>(pieces_.size()));
    constexpr std::uint32_t alignment = alignof(Crc32Tables);
    parts_ = {{.name = "output", .role = Role::input, .bytes = output_bytes_, .alignment = 1},
              {.name = "tables",
               .role = Role::state,
               .bytes = table_bytes_ + pieces_.size() * sizeof(ChecksumPiece) +
                        first_piece_.size() * sizeof(std::uint32_t),
               .alignment = alignment},
              {.name = "scratch",
               .role = Role::scratch,
               .bytes = pieces_.size() * sizeof(std::uint32_t),
               .alignment = alignment},
              {.name = "status",
               .role = Role::status,
               .bytes = block_count() * sizeof(std::uint32_t),
               .alignment = alignment},
              {.name = "index",
               .role = Role::input,
               .bytes = block_count() * format::index_entry_bytes,
               .alignment = 1}};
  }

  std::span<const Part> parts() const override { return parts_; }

  std::span<const stage::Phase> phases() const override { return phases_; }

  void prepare(std::span<const Given> given, stage::Stream stream) const override {
    kernels_.prepare(check_of(given), {.pieces = pieces_, .first_piece = first_piece_}, stream);
  }

  void enqueue(std::span<const Given> given, stage::Stream stream, std::size_t /*phase*/) const override {
    kernels_.enqueue(check_of(given), stream);
  }

  stage::Outcome check(std::span<const std::byte> status, std::span<const std::byte> /*result*/,
                       std::uint64_t first) const override {
    stage::FrameOnDevice frame{};
    frame.format = format::codag::deflate_format;
    frame.uncompressed_bytes = output_bytes_;
    return stage::outcome_of_blocks(frame, status, first);
  }

private:
  std::uint64_t block_count() const { return first_piece_.size() - 1; }

  ChecksumCheck check_of(std::span<const Given> given) const {
    const auto* const state = static_cast<const std::uint8_t*>(given[1].data);
    const auto* const pieces = state + table_bytes_;
    const auto* const first_piece = pieces + pieces_.size() * sizeof(ChecksumPiece);
    return {.tables = table_bytes_ == 0 ? nullptr : reinterpret_cast<const Crc32Tables*>(state),
            .pieces = reinterpret_cast<const ChecksumPiece*>(pieces),
            .first_piece = reinterpret_cast<const std::uint32_t*>(first_piece),
            .index = static_cast<const std::uint8_t*>(given[4].data),
            .output = static_cast<const std::uint8_t*>(given[0].data),
            .piece_terms = static_cast<std::uint32_t*>(given[2].data),
            .status = static_cast<std::uint32_t*>(given[3].data),
            .piece_count = static_cast<std::uint32_t>(pieces_.size()),
            .block_count = static_cast<std::uint32_t>(block_count())};
  }

  ChecksumKernels kernels_;
  std::array<stage::Phase, 1> phases_;
  std::uint64_t table_bytes_;
  std::vector<ChecksumPiece> pieces_;
  std::vector<std::uint32_t> first_piece_;
  std::uint64_t output_bytes_ = 0;
  std::vector<Part> parts_;
};

}  // namespace

std::unique_ptr<stage::Plan> make_checksum_plan(StreamChecksum checksum, stage::Executor executor,
                                                std::span<const std::uint32_t> block_bytes) {
  const ChecksumKernels& kernels = checksum == StreamChecksum::crc32
                                       ? stage::KernelsOn<Crc32Kernels>::get(executor).kernels
                                       : stage::KernelsOn<Adler32Kernels>::get(executor).kernels;
  return std::make_unique<ChecksumPlan>(checksum, kernels, block_bytes);
}

}  // namespace gsst::codag::gzip
