#include "experiments/measure/kinds/decode/decode_on_device.hpp"

#include <algorithm>
#include <cstring>

#include "common/format/frame.hpp"
#include "common/format/tiles_header.hpp"

namespace gsst::experiments {
namespace {

std::optional<format::TileShape> first_tile_shape(std::span<const std::uint8_t> bytes) {
  const format::FrameView frame = format::parse_frame(bytes);
  if (frame.header.format != format::BlockFormat::tiles) return std::nullopt;
  for (const format::IndexEntry& entry : frame.index.entries) {
    if (entry.record.layout == format::BlockLayout::raw) continue;
    return format::TilesHeader(bytes.data() + entry.payload_offset).shape();
  }
  return std::nullopt;
}

}  // namespace

DecodeOnDevice::DecodeOnDevice(std::span<const Point> points, const std::vector<std::uint8_t>& frame)
    : points_(points),
      plan_(frame),
      tile_shape_(first_tile_shape(frame)),
      bytes_(frame),
      status_(plan_.block_count() * sizeof(std::uint32_t)) {
  std::size_t most = 0;
  for (const Point& point : points) {
    const stage::FrameOnDevice on_device = plan_.frame_at(bytes_.data());
    most = std::max(most, stage::scratch_bytes(point.stage->description, on_device));
  }
  scratch_ = cuda::DeviceBuffer(most);
}

void DecodeOnDevice::enqueue(std::size_t point, std::uint8_t* output, cudaStream_t stream) {
  const Point& of = points_[point];
  of.stage->decode.at(stage::Executor::gpu)({.frame = plan_.frame_at(bytes_.data()),
                                             .output = output,
                                             .status = reinterpret_cast<std::uint32_t*>(status_.data()),
                                             .scratch = scratch_.data(),
                                             .parameters = of.parameters,
                                             .stream = stream});
}

void DecodeOnDevice::check_statuses() const {
  const std::vector<std::uint8_t> bytes = status_.to_host();
  std::vector<std::uint32_t> statuses(plan_.block_count());
  std::memcpy(statuses.data(), bytes.data(), bytes.size());
  stage::check_statuses(statuses);
}

}  // namespace gsst::experiments
