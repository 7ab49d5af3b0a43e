#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "common/encode_stage/encode_stage.hpp"

namespace gsst::stage {

/// A registered encoder stage: what it is, and how it runs on each executor that this program was built with.
struct RegisteredEncoder {
  Description description;
  std::map<Executor, Encoder> encoders;
};

/// All encoder stages, by rising id.
const std::vector<RegisteredEncoder>& registered_encoders();

/// The encoder stage of that id, or nullptr.
const RegisteredEncoder* find_encoder(std::string_view id);

/// Whether the stage writes format tiles too.
bool writes_tiles(const RegisteredEncoder& stage);

/// Registers an encoder stage when the program starts: one object of this type in its stage.cu.
class EncoderRegistration {
public:
  /// Throws std::logic_error if the stage is registered for `executor` already.
  EncoderRegistration(Executor executor, const Description& description, const Encoder& encoder);
};

}  // namespace gsst::stage
