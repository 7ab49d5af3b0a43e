#include "experiments/measure/kinds/decode/decode_on_device.hpp"

#include <algorithm>
#include <array>

#include "common/stage/frame_shape.hpp"
#include "experiments/measure/shared/given.hpp"

namespace gsst::experiments {

DecodeOnDevice::DecodeOnDevice(std::span<const Point> points, const std::vector<std::uint8_t>& frame)
    : shape_(stage::frame_shape(frame)), bytes_(frame), status_(shape_.block_count * sizeof(std::uint32_t)) {
  std::uint64_t most = 0;
  for (const Point& point : points) {
    plans_.push_back(
        point.stage->decode.at(stage::Executor::gpu).make({.frame = shape_, .parameters = point.parameters}));
    most = std::max(most, bytes_of(*plans_.back(), stage::Role::scratch));
  }
  scratch_ = cuda::DeviceBuffer(most);
}

void DecodeOnDevice::enqueue(std::size_t point, cuda::DeviceBuffer& output, cudaStream_t stream) {
  enqueue_all(*plans_[point], std::array{given(bytes_), given(output), given(scratch_), given(status_)},
              stream);
}

void DecodeOnDevice::check_statuses(std::size_t point) const {
  const std::vector<std::uint8_t> words = status_.to_host();
  throw_problem(plans_[point]->check(std::as_bytes(std::span(words)), {}, 0));
}

}  // namespace gsst::experiments
