#include "experiments/measure_files/gzip_on_device.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "common/cuda/device_buffer.hpp"
#include "experiments/measure/shared/device_verification.hpp"
#include "experiments/measure/shared/given.hpp"
#include "stages/codag/gzip/checksum_plan.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;
using stage::Role;

// What the executor gets of the file.
std::vector<std::uint8_t> bytes_of_members(const GzipInput& input, const stage::FrameOnDevice& shape) {
  const auto begin = input.file.begin();
  std::vector<std::uint8_t> bytes(begin + static_cast<std::ptrdiff_t>(input.members.begin()),
                                  begin + static_cast<std::ptrdiff_t>(input.members.end()));
  bytes.resize(shape.frame_bytes);
  return bytes;
}

class GzipFileOnDevice final : public FileOnDevice {
public:
  GzipFileOnDevice(const Point& point, const GzipInput& input)
      : point_(point),
        file_bytes_(input.file.size()),
        shape_(codag::gzip::shape_of_batch(input.members)),
        decoding_(point.stage->decode.at(stage::Executor::gpu)
                      .make({.frame = shape_, .index_is_apart = true, .parameters = point.parameters})),
        checking_(codag::gzip::make_checksum_plan(codag::gzip::StreamChecksum::crc32, stage::Executor::gpu,
                                                  codag::gzip::output_sizes(input.members))),
        input_(bytes_of_members(input, shape_)),
        index_(codag::gzip::build_member_index(input.members)),
        output_(shape_.uncompressed_bytes),
        scratch_(bytes_of(*decoding_, Role::scratch)),
        status_(bytes_of(*decoding_, Role::status)),
        crc_state_(bytes_of(*checking_, Role::state)),
        crc_scratch_(bytes_of(*checking_, Role::scratch)) {
    checking_->prepare(checked(), nullptr);
  }

  void enqueue(stage::Stream stream) override {
    enqueue_all(*decoding_,
                std::array{given(input_), given(output_), given(scratch_), given(status_), given(index_)},
                stream);
    enqueue_all(*checking_, checked(), stream);
  }

  void check() const override { check_zero_statuses(status_); }
  std::span<const std::uint8_t> input() const override { return {input_.data(), input_.size()}; }
  std::span<std::uint8_t> output() override { return {output_.data(), output_.size()}; }
  std::uint64_t file_bytes() const override { return file_bytes_; }
  Json parameters() const override { return decode_parameters(point_, shape_.block_count, 1); }
  Json keys() const override { return Json::object(); }

private:
  std::array<stage::Given, 5> checked() {
    return {given(output_), given(crc_state_), given(crc_scratch_), given(status_), given(index_)};
  }

  const Point& point_;
  std::uint64_t file_bytes_;
  stage::FrameOnDevice shape_;
  std::unique_ptr<stage::Plan> decoding_;
  std::unique_ptr<stage::Plan> checking_;
  cuda::DeviceBuffer input_;
  cuda::DeviceBuffer index_;
  cuda::DeviceBuffer output_;
  cuda::DeviceBuffer scratch_;
  cuda::DeviceBuffer status_;
  cuda::DeviceBuffer crc_state_;
  cuda::DeviceBuffer crc_scratch_;
};

}  // namespace

std::unique_ptr<FileOnDevice> make_gzip_on_device(const Point& point, const GzipInput& input) {
  return std::make_unique<GzipFileOnDevice>(point, input);
}

}  // namespace gsst::experiments
