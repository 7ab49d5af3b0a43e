#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/format/block_format.hpp"
#include "common/format/block_status.hpp"

/// What a format says of the payloads of its blocks. The frame around them, its reader and the pipeline ask
/// these rules and know no format.
namespace gsst::format {

/// What is known of a block before its payload is read: from its record in the frame.
struct BlockExpectation {
  BlockFormat format;
  BlockLayout layout;
  std::uint32_t uncompressed_bytes;
  /// 1 for formats without splits.
  std::uint32_t split_count;
};

/// What a block leaves for later blocks, in the format's own form: a payload without codes, say, that holds a
/// table. Host memory.
using PayloadPart = std::shared_ptr<const std::vector<std::uint8_t>>;

/// What the check of a payload finds.
struct CheckedPayload {
  /// Bits of PayloadRules::Limits::all_traits: what a decoder should know of the block before it starts.
  std::uint32_t traits = 0;
  /// The block, itself or an earlier one, that holds `part`; counts where `part` is not null.
  std::uint64_t holder = 0;
  /// What the block is decoded with besides its payload; null: nothing. Where the holder is not among the
  /// blocks that are decoded together, this stands in its place.
  PayloadPart part;
};

/// Checks the payloads of one frame, in order, and keeps what later ones need of earlier ones.
class PayloadPass {
public:
  virtual ~PayloadPass() = default;

  /// Checks `payload`, all bytes of block `block`, which is not raw. After it, decoding needs to check
  /// nothing but the codes. Raw blocks are left out. Throws FormatError naming `block`; a payload that is
  /// refused leaves nothing for later ones, and another may be checked in its place.
  virtual CheckedPayload check(std::span<const std::uint8_t> payload, const BlockExpectation& expected,
                               std::uint64_t block) = 0;
};

/// The rules of one format. Objects are constants of the format's series (formats.hpp).
class PayloadRules {
public:
  /// What a frame's header and the records of blocks may say.
  struct Limits {
    /// Most splits per block, 1 for a format without.
    std::uint32_t max_split_count;
    /// Layouts besides raw, rising.
    std::span<const BlockLayout> layouts;
    /// Payloads start at multiples of this many bytes from the frame's start: a power of two, 64 at most.
    std::uint32_t payload_alignment;
    /// Most bytes that a byte of codes decodes to.
    std::uint32_t max_bytes_per_code_byte;
    /// All bits of CheckedPayload::traits that there are.
    std::uint32_t all_traits;
  };

  constexpr explicit PayloadRules(const Limits& limits) : limits_(limits) {}

  const Limits& limits() const { return limits_; }

  /// More bytes than any payload has of a block of `uncompressed_bytes` bytes in `split_count` splits, or as
  /// many.
  virtual std::uint64_t max_payload_bytes(std::uint32_t split_count,
                                          std::uint64_t uncompressed_bytes) const = 0;

  /// The same for payloads that are not larger than the format's encoders make them, who store raw what
  /// coding does not make smaller. Batches of blocks leave as much room for each.
  virtual std::uint64_t usual_payload_bytes(std::uint32_t split_count,
                                            std::uint64_t uncompressed_bytes) const = 0;

  /// Starts the check of a frame's payloads.
  virtual std::unique_ptr<PayloadPass> start_pass() const = 0;

  /// Says what `status` means, a word other than 0 that a decoder of the format has left for a block.
  virtual StatusText describe(std::uint32_t status) const = 0;

protected:
  // Nobody owns rules by a pointer to this class.
  ~PayloadRules() = default;

private:
  Limits limits_;
};

/// Bytes that a payload of `bytes` bytes takes in a frame whose payloads start at multiples of `alignment`:
/// so many that the next block's payload, after its record, does.
std::uint64_t padded_payload_bytes(std::uint64_t bytes, std::uint32_t alignment);

/// Bytes that a block of `uncompressed_bytes` bytes takes where it is stored raw.
std::uint64_t raw_payload_bytes(BlockFormat format, std::uint64_t uncompressed_bytes);

/// Checks the size and the padding of a raw payload. Throws FormatError naming `block`.
void check_raw_payload(std::span<const std::uint8_t> payload, const BlockExpectation& expected,
                       std::optional<std::uint64_t> block);

}  // namespace gsst::format
