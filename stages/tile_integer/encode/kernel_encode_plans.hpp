#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/format/tile_integer/for_rules.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/encode_plans.hpp"
#include "common/stage/stage.hpp"

/// How the encoders of this series are written whose work is done by kernels: functions of a typed request.
namespace gsst::tile_integer {

/// Alignment of the address of an encoder's scratch memory, in bytes: what a GPU allocates has it.
inline constexpr std::uint32_t scratch_memory_alignment = 256;

/// An input that is encoded at once, checked.
struct InputShape {
  format::BlockFormat format;
  format::tile_integer::Packing packing;
  format::tile_integer::Type type;
  std::uint64_t input_bytes;
  /// Uncompressed bytes of every block but the last.
  std::uint64_t block_bytes;
  stage::ParameterValues parameters;

  /// Blocks, the last one of which may be shorter than the others.
  std::uint64_t blocks() const;
};

/// One encoding, in memory of the caller: device memory for Executor::gpu, host memory for Executor::simt.
struct EncodeRequest {
  InputShape shape;
  /// shape.input_bytes bytes, at any address; at a multiple of 16 it is read fastest.
  const std::uint8_t* input;
  /// largest_frame_bytes() bytes, at any address; written fastest at a multiple of 4. The frame starts at the
  /// first.
  std::uint8_t* output;
  /// Encoder::scratch_bytes() bytes, aligned to scratch_memory_alignment, whatever they hold.
  std::uint8_t* scratch;
  /// A word for each block, aligned to 4, set to 0.
  std::uint32_t* status;
  /// One word, aligned to 8, set to the number of bytes of the frame.
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
  std::uint64_t (*scratch_bytes)(const InputShape& shape);
  /// The phases for inputs of that shape, in their order. The list lives as long as the program.
  std::span<const EncodePhase> (*phases)(const InputShape& shape);
};

/// Bytes of the largest frame of an input of that shape (FORMAT.md, sections 6 and 12): blocks that coding
/// does not make smaller are stored raw.
std::uint64_t largest_frame_bytes(const InputShape& shape);

/// Plans of a stage for an executor of kernels. It writes frames of formats `for`, `dfor` and `rfor`, whose
/// checksums are xxh64-tree, with the bytes of the codecs' frames. The option `type` is that of the codecs.
/// The parts of a plan are those that stage::EncodePlans says: the state aligned to scratch_memory_alignment,
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
  // Checks all of it.
  InputShape shape_of(const stage::InputToEncode& input) const;

  stage::Executor executor_;
  stage::Description description_;
  const Encoder& encoder_;
};

}  // namespace gsst::tile_integer
