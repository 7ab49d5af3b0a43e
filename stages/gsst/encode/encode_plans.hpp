#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/format/gsst/symbol_table.hpp"
#include "common/stage/encode_plans.hpp"
#include "common/stage/registry.hpp"
#include "stages/gsst/encode/encode_settings.hpp"

namespace gsst::stage {

struct Encoder;

/// What the encoders of this series register: one or several plans a file. The parts of a plan are, in this
/// order,
///   input        input    settings.input_bytes bytes, at any address
///   output       output   aligned to encode_alignment: at least the largest frame, and more where the
///                         encoder works in it before it writes the frame, which starts at its first byte
///   tables       state    aligned to encode_alignment: the tables, and scratch memory beside them
///   status       status   a word for each block, aligned to 4, set to EncodedBlock values
///   frame_bytes  result   one word of 8 bytes, set to the number of bytes of the frame
/// Plan::check() counts the bytes of the frame.
class GsstEncodePlans final : public EncodePlans {
public:
  /// For the stage of that description on `executor`. `encoder` must live as long as the object.
  GsstEncodePlans(Executor executor, const Description& description, const Encoder& encoder);

  const Description& description() const { return description_; }
  Executor executor() const { return executor_; }

  /// Throws std::invalid_argument for settings that are out of range, and for tables that are not for them.
  std::unique_ptr<Plan> make(const EncodeSubject& subject) const;

  /// Reads the table of each table_count() from the state of an execution; none for format tiles. Waits for
  /// the stream.
  std::vector<format::SymbolTable> tables(const EncodeSettings& settings, std::span<const Given> given,
                                          Stream stream) const;

  std::span<const format::BlockFormat> formats() const override { return formats_; }
  void check(const FileToEncode& file) const override;

  /// The input's first reference::planned_bytes() say how codes of format tiles are laid out, and give the
  /// table that all blocks share; where the stage can train on the executor what the level asks for, it
  /// trains one for each piece instead.
  format::EncodeTotals encode(const FileToEncode& file, const format::ReadFunction& read,
                              const format::WriteFunction& write,
                              const format::ProgressFunction& progress) const override;

  /// `blocks-per-table` is EncodeSettings::blocks_per_table.
  std::span<const std::string_view> options() const override;
  std::vector<std::pair<std::string, std::uint64_t>> describe(const InputToEncode& input) const override;
  std::unique_ptr<Plan> plan_of(const InputToEncode& input) const override;

private:
  // Throws std::invalid_argument for what the stage does not take.
  EncodeSettings settings_of(const InputToEncode& input) const;

  Executor executor_;
  Description description_;
  const Encoder& encoder_;
  std::vector<format::BlockFormat> formats_;
};

/// The plans of an encoder of this series, which is registered for `executor`. Throws std::invalid_argument
/// for a stage that is not.
const GsstEncodePlans& gsst_encode_plans(const RegisteredStage& stage, Executor executor);

}  // namespace gsst::stage
