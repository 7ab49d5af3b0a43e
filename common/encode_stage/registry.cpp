#include "common/encode_stage/registry.hpp"

#include <algorithm>
#include <stdexcept>

namespace gsst::stage {
namespace {

// Constructed by whichever registration comes first.
std::vector<RegisteredEncoder>& encoders() {
  static std::vector<RegisteredEncoder> registered;
  return registered;
}

}  // namespace

const std::vector<RegisteredEncoder>& registered_encoders() {
  return encoders();
}

const RegisteredEncoder* find_encoder(std::string_view id) {
  const auto found = std::find_if(encoders().begin(), encoders().end(),
                                  [&](const RegisteredEncoder& stage) { return stage.description.id == id; });
  return found == encoders().end() ? nullptr : &*found;
}

bool writes_tiles(const RegisteredEncoder& stage) {
  return std::any_of(stage.encoders.begin(), stage.encoders.end(),
                     [](const auto& encoder) { return encoder.second.load_tile_table != nullptr; });
}

EncoderRegistration::EncoderRegistration(Executor executor, const Description& description,
                                         const Encoder& encoder) {
  auto place = std::lower_bound(
      encoders().begin(), encoders().end(), description.id,
      [](const RegisteredEncoder& stage, const std::string& id) { return stage.description.id < id; });
  if (place == encoders().end() || place->description.id != description.id) {
    place = encoders().insert(place, {.description = description, .encoders = {}});
  }
  if (!place->encoders.emplace(executor, encoder).second) {
    throw std::logic_error("stage " + description.id + " is registered twice");
  }
}

}  // namespace gsst::stage
