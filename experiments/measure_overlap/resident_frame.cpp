#include "experiments/measure_overlap/resident_frame.hpp"

#include <algorithm>
#include <array>

#include "common/stage/frame_shape.hpp"

namespace gsst::experiments {

ResidentFrame::ResidentFrame(const pipeline::StageRun& run, std::span<const std::uint8_t> frame)
    : plan_(run.stage->decode.at(run.executor)
                .make({.frame = stage::frame_shape(frame), .parameters = run.parameters})),
      frame_(pipeline::Buffer::on_device(run.executor, frame.size())),
      statuses_(pipeline::Buffer::on_device(run.executor, bytes_of(*plan_, stage::Role::status))),
      scratch_(pipeline::Buffer::on_device(run.executor, bytes_of(*plan_, stage::Role::scratch))) {
  pipeline::Queue queue(run.executor);
  queue.copy(frame_.data(), frame);
  queue.wait();
}

void ResidentFrame::decode(std::uint8_t* output, pipeline::Queue& queue) {
  const auto given = [](const pipeline::Buffer& buffer) {
    return stage::Given{.data = buffer.data(), .bytes = buffer.size()};
  };
  enqueue_all(*plan_,
              std::array{given(frame_), stage::Given{.data = output, .bytes = uncompressed_bytes()},
                         given(scratch_), given(statuses_)},
              queue.stream());
}

std::vector<std::uint8_t> frame_of(const pipeline::Batch& batch, const format::FrameHeader& header) {
  const auto front = format::build_frame_header(header);
  const std::vector<std::uint8_t> end = format::build_frame_end(batch.index);
  std::vector<std::uint8_t> frame(front.size() + batch.bytes.size() + end.size());
  const auto blocks = std::copy(front.begin(), front.end(), frame.begin());
  std::copy(end.begin(), end.end(), std::copy(batch.bytes.begin(), batch.bytes.end(), blocks));
  return frame;
}

}  // namespace gsst::experiments
