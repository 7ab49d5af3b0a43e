#include "experiments/measure_sums/sums_on_device.hpp"

#include <array>
#include <cstring>
#include <stdexcept>

#include "common/stage/frame_shape.hpp"
#include "experiments/measure/shared/given.hpp"

namespace gsst::experiments {
namespace {

constexpr std::uint8_t poison_byte = 0xa5;

}  // namespace

SumsOnDevice::SumsOnDevice(std::span<const Point> points, const std::vector<std::uint8_t>& frame)
    : shape_(stage::frame_shape(frame)),
      bytes_(frame),
      answer_(sizeof(std::uint64_t)),
      status_(shape_.block_count * sizeof(std::uint32_t)) {
  for (const Point& point : points) {
    const stage::QuerySubject subject = {.frames = {shape_},
                                         .question = "sum",
                                         .output_bytes = answer_.size(),
                                         .parameters = point.parameters};
    plans_.push_back(point.stage->query.at(stage::Executor::gpu).make(subject));
    for (const stage::Role role : {stage::Role::result, stage::Role::state, stage::Role::scratch}) {
      if (bytes_of(*plans_.back(), role) == 0) continue;
      throw std::invalid_argument("stage " + point.id + " needs more memory than a sum has here");
    }
  }
}

void SumsOnDevice::poison() {
  answer_.fill(poison_byte);
  status_.fill(poison_byte);
}

void SumsOnDevice::enqueue(std::size_t point) {
  constexpr stage::Given none = {.data = nullptr, .bytes = 0};
  enqueue_all(*plans_[point],
              std::array{stage::to_read(bytes_.data(), bytes_.size()), given(answer_), none, none, none,
                         given(status_)},
              nullptr);
}

std::uint64_t SumsOnDevice::sum(std::size_t point) const {
  const std::vector<std::uint8_t> words = status_.to_host();
  throw_problem(plans_[point]->check(std::as_bytes(std::span(words)), {}, 0));
  const std::vector<std::uint8_t> bytes = answer_.to_host();
  std::uint64_t sum = 0;
  std::memcpy(&sum, bytes.data(), sizeof sum);
  return sum;
}

}  // namespace gsst::experiments
