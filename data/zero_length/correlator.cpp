#include "data/zero_length/correlator.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>

#include "data/shared/random_words.hpp"

namespace gsst::data {
namespace {

constexpr std::size_t antennas = 7;
constexpr std::size_t polarisations = 2;
constexpr std::size_t inputs = antennas * polarisations;
/// Accumulated in a visibility. The sum of an input's product with itself is about sqrt(2 * samples) times
/// the standard deviation of other sums.
constexpr std::size_t samples = 128;
/// Of a sum of four bytes.
constexpr std::int32_t mean_of_four_bytes = 510;
constexpr std::uint32_t fewest_flagged_floats = 16;
constexpr std::uint32_t most_flagged_floats = 76;
/// Of gains of inputs, in 1/256: they differ by an eighth at most.
constexpr std::uint32_t lowest_input_gain = 224;
/// The source's phase at an antenna changes by a quarter turn after so many dumps, and so many channels.
constexpr std::uint64_t dumps_per_turn = 8;
constexpr std::size_t channels_per_turn = 64;

/// Real parts, then imaginary parts.
using Voltages = std::array<std::int16_t, 2 * samples>;

/// Sums of four random bytes without their mean: nearly normal, with a standard deviation of 147.8.
void fill_with_noise(RandomWords& random, Voltages& noise) {
  constexpr std::uint64_t low_bytes = 0x00FF00FF00FF00FF;
  for (std::size_t index = 0; index < noise.size(); index += 4) {
    const std::uint64_t first = random.next();
    const std::uint64_t second = random.next();
    // Four sums of 16 bits, none above 4 * 255.
    const std::uint64_t sums =
        (first & low_bytes) + ((first >> 8) & low_bytes) + (second & low_bytes) + ((second >> 8) & low_bytes);
    std::memcpy(noise.data() + index, &sums, sizeof(sums));
  }
  for (std::int16_t& voltage : noise) voltage = static_cast<std::int16_t>(voltage - mean_of_four_bytes);
}

/// The source as an antenna sees it, turned by `quarters` quarter turns.
Voltages turned(const Voltages& source, std::uint64_t quarters) {
  const bool is_swapped = (quarters & 1) != 0;
  const std::size_t real = is_swapped ? samples : 0;
  const std::size_t imaginary = samples - real;
  const std::int32_t sign_of_real = ((quarters + 1) & 2) != 0 ? -1 : 1;
  const std::int32_t sign_of_imaginary = (quarters & 2) != 0 ? -1 : 1;
  Voltages seen;
  for (std::size_t sample = 0; sample < samples; ++sample) {
    seen[sample] = static_cast<std::int16_t>(sign_of_real * source[real + sample]);
    seen[samples + sample] = static_cast<std::int16_t>(sign_of_imaginary * source[imaginary + sample]);
  }
  return seen;
}

std::int32_t dot_product(const Voltages& left, const Voltages& right) {
  std::int32_t sum = 0;
  for (std::size_t index = 0; index < left.size(); ++index) sum += std::int32_t{left[index]} * right[index];
  return sum;
}

/// The voltages of all inputs in one channel of one dump.
struct ChannelVoltages {
  std::array<Voltages, inputs> voltages;
  /// Each times -i, so that an imaginary part of a product is a dot product too.
  std::array<Voltages, inputs> turned_back;
};

/// Gain of each channel at each input, in 1/65536.
class Gains {
public:
  explicit Gains(const Correlator& correlator) : correlator_(correlator) {
    // A part that no dump has.
    RandomWords random(correlator.seed, ~std::uint64_t{0});
    for (std::uint32_t& gain : of_inputs_)
      gain = lowest_input_gain + random.below(2 * (256 - lowest_input_gain));
  }

  std::int32_t gain(std::size_t channel, std::size_t input) const {
    const auto from_edge = static_cast<std::uint32_t>(std::min(channel, Correlator::channels - 1 - channel));
    std::uint32_t of_channel = 256;
    if (from_edge < correlator_.edge_channels) {
      of_channel =
          correlator_.edge_gain + (256 - correlator_.edge_gain) * from_edge / correlator_.edge_channels;
    }
    return static_cast<std::int32_t>(std::uint64_t{correlator_.gain} * of_channel * of_inputs_[input] >> 16);
  }

private:
  Correlator correlator_;
  std::array<std::uint32_t, inputs> of_inputs_{};
};

void receive(const Correlator& correlator, const Gains& gains, std::uint64_t dump, std::size_t channel,
             RandomWords& random, ChannelVoltages& received) {
  Voltages source;
  fill_with_noise(random, source);
  for (std::int16_t& voltage : source) {
    voltage = static_cast<std::int16_t>(voltage * static_cast<std::int32_t>(correlator.source) / 256);
  }
  const std::uint64_t turns = dump / dumps_per_turn + channel / channels_per_turn;
  for (std::size_t input = 0; input < inputs; ++input) {
    const Voltages seen = turned(source, input / polarisations * turns);
    Voltages& voltages = received.voltages[input];
    fill_with_noise(random, voltages);
    const std::int32_t gain = gains.gain(channel, input);
    for (std::size_t index = 0; index < voltages.size(); ++index) {
      voltages[index] = static_cast<std::int16_t>(((voltages[index] + seen[index]) * gain + (1 << 15)) >> 16);
    }
    Voltages& back = received.turned_back[input];
    for (std::size_t sample = 0; sample < samples; ++sample) {
      back[sample] = voltages[samples + sample];
      back[samples + sample] = static_cast<std::int16_t>(-voltages[sample]);
    }
  }
}

using Visibilities = std::array<float, Correlator::floats_per_channel>;

/// Baselines by their first antenna, products XX, YY, XY, YX.
void correlate(const ChannelVoltages& received, float scale, Visibilities& visibilities) {
  constexpr std::array<std::pair<std::size_t, std::size_t>, 4> products = {{{0, 0}, {1, 1}, {0, 1}, {1, 0}}};
  auto next = visibilities.begin();
  for (std::size_t first = 0; first < antennas; ++first) {
    for (std::size_t second = first; second < antennas; ++second) {
      for (const auto& [of_first, of_second] : products) {
        const std::size_t left = first * polarisations + of_first;
        const std::size_t right = second * polarisations + of_second;
        *next++ = scale * static_cast<float>(dot_product(received.voltages[left], received.voltages[right]));
        *next++ =
            scale * static_cast<float>(dot_product(received.turned_back[left], received.voltages[right]));
      }
    }
  }
}

void shuffle(RandomWords& random, Visibilities& visibilities) {
  for (std::uint32_t last = Correlator::floats_per_channel - 1; last > 0; --last) {
    std::swap(visibilities[last], visibilities[random.below(last + 1)]);
  }
}

void discard_flagged(const Correlator& correlator, RandomWords& random, Visibilities& visibilities) {
  if (random.below(1'000'000) >= correlator.flagged_per_million) return;
  const std::uint32_t first = random.below(Correlator::floats_per_channel);
  const std::uint32_t count =
      fewest_flagged_floats + random.below(most_flagged_floats - fewest_flagged_floats + 1);
  const std::uint32_t end = std::min(first + count, Correlator::floats_per_channel);
  std::fill(visibilities.begin() + first, visibilities.begin() + end, 0.0f);
}

}  // namespace

Parts correlator_parts(const Correlator& correlator) {
  const auto fill = [correlator, gains = Gains(correlator)](std::uint64_t dump,
                                                            std::span<std::uint8_t> output) {
    RandomWords random(correlator.seed, dump);
    // Other random numbers than those of the voltages, so that shuffled floats are the same floats.
    RandomWords order(~correlator.seed, dump);
    ChannelVoltages received;
    Visibilities visibilities;
    for (std::size_t channel = 0; channel < Correlator::channels; ++channel) {
      receive(correlator, gains, dump, channel, random, received);
      correlate(received, correlator.scale, visibilities);
      if (correlator.shuffled) shuffle(order, visibilities);
      discard_flagged(correlator, random, visibilities);
      std::memcpy(output.data() + channel * sizeof(visibilities), visibilities.data(), sizeof(visibilities));
    }
  };
  return {
      .bytes = correlator.dumps * Correlator::dump_bytes, .part_bytes = Correlator::dump_bytes, .fill = fill};
}

}  // namespace gsst::data
