#include "common/frame/checksum_plan.hpp"

#include <array>
#include <vector>

#include "common/format/part_size.hpp"
#include "common/frame/checksum_check.hpp"
#include "common/frame/index_entry.hpp"
#include "common/stage/block_statuses.hpp"

namespace gsst::frame {
namespace {

using stage::Given;
using stage::Part;
using stage::Role;

// Pieces that the checksum of a block is made of; 0 where it is made of the whole.
std::uint64_t pieces_per_block(const ChecksumSubject& subject) {
  if (subject.kind == format::ChecksumKind::xxh64) return 0;
  return format::part_size(subject.longest_block_bytes, format::checksum_piece_bytes);
}

class ChecksumPlan : public stage::Plan {
public:
  ChecksumPlan(const ChecksumKernels& kernels, const ChecksumSubject& subject)
      : kernels_(kernels), subject_(subject), pieces_per_block_(pieces_per_block(subject)) {
    const stage::FrameOnDevice& frame = subject.frame;
    const std::uint64_t blocks = frame.block_count;
    parts_ = {{.name = "frame", .role = Role::input, .bytes = frame.frame_bytes, .alignment = 1},
              {.name = "output", .role = Role::input, .bytes = frame.uncompressed_bytes, .alignment = 1},
              {.name = "scratch",
               .role = Role::scratch,
               .bytes = blocks * pieces_per_block_ * sizeof(std::uint64_t),
               .alignment = alignof(std::uint64_t)},
              {.name = "status",
               .role = Role::status,
               .bytes = blocks * sizeof(std::uint32_t),
               .alignment = alignof(std::uint32_t)}};
    if (subject.index_is_apart) {
      parts_.push_back({.name = "index",
                        .role = Role::input,
                        .bytes = blocks * format::index_entry_bytes,
                        .alignment = 1});
    }
    if (subject.kind_is_stored) {
      parts_.push_back({.name = "kind",
                        .role = Role::input,
                        .bytes = sizeof(format::ChecksumKind),
                        .alignment = alignof(format::ChecksumKind)});
    }
  }

  std::span<const Part> parts() const override { return parts_; }

  std::span<const stage::Phase> phases() const override {
    static constexpr std::array phases = {stage::Phase{.name = "checksums"}};
    return phases;
  }

  void enqueue(std::span<const Given> given, stage::Stream stream, std::size_t /*phase*/) const override {
    // A grid of no blocks is an error in CUDA.
    if (subject_.frame.block_count == 0) return;
    ChecksumCheck check = {.frame = subject_.frame,
                           .kind = subject_.kind,
                           .stored_kind = subject_.kind_is_stored ? static_cast<const format::ChecksumKind*>(
                                                                        given[parts_.size() - 1].data)
                                                                  : nullptr,
                           .pieces_per_block = pieces_per_block_,
                           .output = static_cast<std::uint8_t*>(given[1].data),
                           .piece_checksums = static_cast<std::uint64_t*>(given[2].data),
                           .status = static_cast<std::uint32_t*>(given[3].data)};
    check.frame.bytes = static_cast<const std::uint8_t*>(given[0].data);
    if (subject_.index_is_apart) {
      check.frame.index_offset = stage::offset_between(given[0].data, given[4].data);
    }
    kernels_.enqueue(check, stream);
  }

  stage::Outcome check(std::span<const std::byte> status, std::span<const std::byte> /*result*/,
                       std::uint64_t first) const override {
    return stage::outcome_of_blocks(subject_.frame, status, first);
  }

private:
  ChecksumKernels kernels_;
  ChecksumSubject subject_;
  std::uint64_t pieces_per_block_;
  std::vector<Part> parts_;
};

}  // namespace

std::unique_ptr<stage::Plan> make_checksum_plan(stage::Executor executor, const ChecksumSubject& subject) {
  return std::make_unique<ChecksumPlan>(stage::KernelsOn<ChecksumKernels>::get(executor), subject);
}

}  // namespace gsst::frame
