#include "experiments/measure_overlap/resident_frame.hpp"

#include <algorithm>

namespace gsst::experiments {

ResidentFrame::ResidentFrame(const pipeline::StageRun& run, std::span<const std::uint8_t> frame)
    : run_(run),
      plan_(frame),
      frame_(pipeline::Buffer::on_device(run.executor, frame.size())),
      statuses_(pipeline::Buffer::on_device(run.executor, plan_.block_count() * sizeof(std::uint32_t))),
      scratch_(pipeline::Buffer::on_device(
          run.executor, stage::scratch_bytes(run.stage->description, plan_.frame_at(frame_.data())))) {
  pipeline::Queue queue(run.executor);
  queue.copy(frame_.data(), frame);
  queue.wait();
}

void ResidentFrame::decode(std::uint8_t* output, pipeline::Queue& queue) {
  run_.stage->decode.at(run_.executor)({.frame = plan_.frame_at(frame_.data()),
                                        .output = output,
                                        .status = reinterpret_cast<std::uint32_t*>(statuses_.data()),
                                        .scratch = scratch_.data(),
                                        .parameters = run_.parameters,
                                        .stream = queue.stream()});
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
