#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/stage/encode_plans.hpp"
#include "common/stage/stage.hpp"

/// How the encoders of this series whose work is done by kernels are written: functions of a typed request.
namespace gsst::zero_length {

/// Alignment of the address of an encoder's scratch memory, in bytes: what a GPU allocates has it.
inline constexpr std::uint32_t scratch_memory_alignment = 256;

/// One encoding, in memory of the caller: device memory for Executor::gpu, host memory for Executor::simt.
struct EncodeRequest {
  /// Checked: format, sizes and parameters are the stage's.
  stage::InputToEncode shape;
  /// shape.input_bytes bytes, at any address.
  const std::uint8_t* input;
  /// largest_file_bytes() bytes, at any address. The file starts at the first.
  std::uint8_t* output;
  /// As many bytes as Encoder::scratch_bytes() says, aligned to scratch_memory_alignment; what they hold does
  /// not matter.
  std::uint8_t* scratch;
  /// blocks_of() words, aligned to 4, set to 0.
  std::uint32_t* status;
  /// One word, aligned to 8, set to the number of bytes of the file.
  std::uint64_t* file_bytes;
  stage::Stream stream;
};

/// A part of the encoding that is timed by itself, once after each of those before it. `enqueue` puts it on
/// the request's stream: it allocates nothing and synchronises nothing.
struct EncodePhase {
  const char* name;
  void (*enqueue)(const EncodeRequest& request);
};

/// A stage's encoder on one executor.
struct Encoder {
  /// Bytes of scratch memory for any input of that shape. Throws std::invalid_argument for a shape that the
  /// kernels cannot count.
  std::uint64_t (*scratch_bytes)(const stage::InputToEncode& shape);
  /// The phases for inputs of that shape, in their order. The list lives as long as the program.
  std::span<const EncodePhase> (*phases)(const stage::InputToEncode& shape);
};

/// Blocks of an input of that shape, the last one of which may be shorter than the others.
std::uint64_t blocks_of(const stage::InputToEncode& shape);

/// Bytes of the largest file of an input of that shape (FORMAT.md, sections 6 and 11). In a frame, blocks
/// that their elements would make larger are stored raw.
std::uint64_t largest_file_bytes(const stage::InputToEncode& shape);

/// Plans of a stage for an executor of kernels. Writes frames, whose checksums are xxh64-tree, and bare
/// files, the same bytes as the codecs. The parts of a plan are those that stage::EncodePlans says: the
/// output at any address and not larger than the largest file, the state aligned to scratch_memory_alignment,
/// the status with a word for each block, always 0.
class KernelEncodePlans final : public stage::EncodePlans {
public:
  /// For the stage of that description on `executor`. `encoder` must live as long as the object.
  KernelEncodePlans(stage::Executor executor, const stage::Description& description, const Encoder& encoder);

  stage::Executor executor() const { return executor_; }

  std::span<const format::BlockFormat> formats() const override;
  void check(const stage::FileToEncode& file) const override;
  /// In pieces of whole blocks: 64 MiB or one block, and no more than the memory holds.
  format::EncodeTotals encode(const stage::FileToEncode& file, const format::ReadFunction& read,
                              const format::WriteFunction& write,
                              const format::ProgressFunction& progress) const override;
  std::vector<std::pair<std::string, std::uint64_t>> describe(
      const stage::InputToEncode& input) const override;
  std::unique_ptr<stage::Plan> plan_of(const stage::InputToEncode& input) const override;

private:
  stage::Executor executor_;
  stage::Description description_;
  const Encoder& encoder_;
};

}  // namespace gsst::zero_length
