#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "common/stage/encode_plans.hpp"
#include "stages/gsst/encode/encode_settings.hpp"

/// How the encoders of this series are written: functions of a typed request. GsstEncodePlans makes the plans
/// that everybody else sees.
namespace gsst::stage {

/// Memory that an encoding needs, whatever the input's bytes are.
struct EncodeSpace {
  /// At least the largest frame, and more where the encoder works in it before it writes the frame.
  std::uint64_t output_bytes;
  std::uint64_t scratch_bytes;
};

/// One encoding, in memory of the caller: device memory for Executor::gpu, host memory for Executor::simt.
struct EncodeRequest {
  EncodeSettings settings;
  /// settings.input_bytes bytes, at any address.
  const std::uint8_t* input;
  /// EncodeSpace::output_bytes bytes, aligned to encode_alignment. The frame starts at its first byte.
  std::uint8_t* output;
  /// EncodeSpace::scratch_bytes bytes, aligned to encode_alignment; keeps the tables between executions.
  std::uint8_t* scratch;
  /// block_count() words, set to EncodedBlock values.
  std::uint32_t* status;
  /// One word, set to the number of bytes of the frame.
  std::uint64_t* frame_bytes;
  Stream stream;
};

/// A part of the encoding that can be timed by itself. `enqueue` puts it on the request's stream: it
/// allocates nothing and synchronises nothing. Throws std::invalid_argument for settings that the stage does
/// not take.
struct EncodePhase {
  const char* name;
  void (*enqueue)(const EncodeRequest& request);
};

/// A stage's encoder on one executor. An encoding is train() or load_tables(), and then all phases in their
/// order.
struct Encoder {
  /// Throws std::invalid_argument for settings that are out of range.
  EncodeSpace (*space)(const EncodeSettings& settings);
  /// Trains one table for each table_count(), and makes the kernel's lookup tables of them in the scratch
  /// memory. On the host it waits for the stream; on the executor it is enqueued, as a phase is.
  void (*train)(const EncodeRequest& request);
  /// Whether train() trains on the executor.
  bool (*trains_on_executor)(const EncodeSettings& settings);
  /// Makes the kernel's lookup tables of `tables`, table_count() of them or one for all blocks, and enqueues
  /// their copy to the scratch memory.
  void (*load_tables)(const EncodeRequest& request, std::span<const format::SymbolTable> tables);
  /// As load_tables() for a request whose settings have tiles: `table` is for codes of that width. nullptr if
  /// the stage does not write format tiles.
  void (*load_tile_table)(const EncodeRequest& request, const format::TileTable& table) = nullptr;
  /// The table of each table_count(), trained or loaded; none for format tiles. Waits for the stream.
  std::vector<format::SymbolTable> (*tables)(const EncodeRequest& request);
  std::vector<EncodePhase> phases;
};

/// A plan that calls an encoder.
class EncodePlan : public Plan {
public:
  /// `encoder` must outlive the plan.
  EncodePlan(const Encoder& encoder, const EncodeSubject& subject)
      : encoder_(encoder),
        subject_(subject),
        trains_in_a_phase_(std::holds_alternative<TrainedTables>(subject.tables) &&
                           encoder.trains_on_executor(subject.settings)) {
    const EncodeSpace space = encoder.space(subject.settings);
    parts_ = {
        {.name = "input", .role = Role::input, .bytes = subject.settings.input_bytes, .alignment = 1},
        {.name = "output", .role = Role::output, .bytes = space.output_bytes, .alignment = encode_alignment},
        {.name = "tables", .role = Role::state, .bytes = space.scratch_bytes, .alignment = encode_alignment},
        {.name = "status",
         .role = Role::status,
         .bytes = std::uint64_t{block_count(subject.settings)} * sizeof(std::uint32_t),
         .alignment = alignof(std::uint32_t)},
        {.name = "frame_bytes",
         .role = Role::result,
         .bytes = sizeof(std::uint64_t),
         .alignment = alignof(std::uint64_t)}};
    if (trains_in_a_phase_) phases_.push_back({.name = training_phase});
    for (const EncodePhase& phase : encoder.phases) phases_.push_back({.name = phase.name});
  }

  std::span<const Part> parts() const override { return parts_; }
  std::span<const Phase> phases() const override { return phases_; }

  void prepare(std::span<const Given> given, Stream stream) const override {
    const EncodeRequest request = request_in(subject_.settings, given, stream);
    if (const auto* const tables = std::get_if<std::vector<format::SymbolTable>>(&subject_.tables)) {
      encoder_.load_tables(request, *tables);
    } else if (const auto* const table = std::get_if<format::TileTable>(&subject_.tables)) {
      encoder_.load_tile_table(request, *table);
    } else if (std::holds_alternative<TrainedTables>(subject_.tables) && !trains_in_a_phase_) {
      encoder_.train(request);
    }
  }

  void enqueue(std::span<const Given> given, Stream stream, std::size_t phase) const override {
    const EncodeRequest request = request_in(subject_.settings, given, stream);
    if (!trains_in_a_phase_) return encoder_.phases[phase].enqueue(request);
    if (phase == 0) return encoder_.train(request);
    encoder_.phases[phase - 1].enqueue(request);
  }

  Outcome check(std::span<const std::byte> /*status*/, std::span<const std::byte> result,
                std::uint64_t /*first*/) const override {
    Outcome outcome;
    std::memcpy(&outcome.count, result.data(), sizeof outcome.count);
    outcome.is_complete = outcome.count <= bytes_of(*this, Role::output);
    return outcome;
  }

  /// The request that `given` is memory for.
  static EncodeRequest request_in(const EncodeSettings& settings, std::span<const Given> given,
                                  Stream stream) {
    return {.settings = settings,
            .input = static_cast<const std::uint8_t*>(given[0].data),
            .output = static_cast<std::uint8_t*>(given[1].data),
            .scratch = static_cast<std::uint8_t*>(given[2].data),
            .status = static_cast<std::uint32_t*>(given[3].data),
            .frame_bytes = static_cast<std::uint64_t*>(given[4].data),
            .stream = stream};
  }

private:
  const Encoder& encoder_;
  EncodeSubject subject_;
  bool trains_in_a_phase_;
  std::vector<Part> parts_;
  std::vector<Phase> phases_;
};

/// Throws std::invalid_argument for settings and tables that do not go together.
inline void check_subject(const Description& description, const Encoder& encoder,
                          const EncodeSubject& subject) {
  const EncodeSettings& settings = subject.settings;
  const auto refuse = [&](const std::string& problem) {
    throw std::invalid_argument("stage " + description.id + ": " + problem);
  };
  check_settings(description, settings);
  if (settings.tiles && encoder.load_tile_table == nullptr) refuse("does not write format tiles");
  if (const auto* const tables = std::get_if<std::vector<format::SymbolTable>>(&subject.tables)) {
    if (settings.tiles || (tables->size() != 1 && tables->size() != table_count(settings))) {
      refuse(std::to_string(tables->size()) + " tables are given, expected " +
             (settings.tiles ? "none for format tiles" : "1 or " + std::to_string(table_count(settings))));
    }
  } else if (const auto* const table = std::get_if<format::TileTable>(&subject.tables)) {
    if (!settings.tiles || settings.tiles->code_bits != table->code_bits) {
      refuse("the settings are not for a table of " + std::to_string(table->code_bits) + "-bit codes");
    }
  }
}

}  // namespace gsst::stage
