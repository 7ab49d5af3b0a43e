#include "experiments/measure_gzip/gzip_trial.hpp"

#include <cstddef>
#include <string>
#include <utility>

#include "common/cuda/device_buffer.hpp"
#include "common/format/codag/deflate.hpp"
#include "experiments/measure/shared/device_verification.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/event_timer.hpp"
#include "experiments/measure/shared/given.hpp"
#include "experiments/measure_gzip/gzip_works.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;
using codag::gzip::StreamChecksum;

class GzipTrial : public Trial {
public:
  GzipTrial(const Point& point, std::shared_ptr<const GzipFileOfWorks> input, const Measurement& measurement)
      : point_(point),
        dataset_(measurement.dataset),
        gzip_(std::move(input)),
        works_(stage::Executor::gpu, point, *gzip_),
        expected_(measurement.text),
        file_(works_.file_bytes()),
        index_(works_.index(StreamChecksum::crc32)),
        index_with_adler32_(works_.index(StreamChecksum::adler32)),
        output_(works_.shape().uncompressed_bytes),
        status_(works_.status_bytes()),
        scratch_(works_.scratch_bytes()),
        checksum_scratch_(works_.checksum_scratch_bytes()),
        crc32_state_(works_.state_bytes(StreamChecksum::crc32)),
        adler32_state_(works_.state_bytes(StreamChecksum::adler32)) {
    works_.prepare(memory());
  }

  std::vector<Work> works() override {
    std::vector<Work> works;
    works.reserve(gzip_works.size());
    for (const GzipWork work : gzip_works) {
      works.push_back({.name = name_of(work), .seconds = [this, work] {
                         return timer_.seconds(nullptr, [this, work] { works_.enqueue(work, memory()); });
                       }});
      // The others do parts of these, and what they leave is looked at after all of them.
      if (work != GzipWork::decode_and_crc32 && work != GzipWork::decode_and_adler32) continue;
      works.back().verification = verification_of(
          "gzip", output_, expected_, [this, work] { works_.enqueue(work, memory()); },
          [this] { check_zero_statuses(status_); });
    }
    return works;
  }

  std::vector<std::vector<Json>> rows(const Measured& measured) override {
    std::vector<Json> rows;
    for (std::size_t i = 0; i < gzip_works.size(); ++i) {
      Json row = row_to_json({.stage = point_.id,
                              .variant = point_.variant,
                              .parameters = decode_parameters(point_, works_.shape().block_count, 1),
                              .uncompressed_bytes = works_.shape().uncompressed_bytes,
                              .compressed_bytes = gzip_->file.size(),
                              .seconds = summarize(measured.seconds[i])},
                             dataset_);
      row["work"] = name_of(gzip_works[i]);
      rows.push_back(std::move(row));
    }
    return {rows};
  }

private:
  GzipWorks::Memory memory() {
    return {.file = given(file_),
            .index = given(index_),
            .index_with_adler32 = given(index_with_adler32_),
            .output = given(output_),
            .status = given(status_),
            .scratch = given(scratch_),
            .checksum_scratch = given(checksum_scratch_),
            .crc32_state = given(crc32_state_),
            .adler32_state = given(adler32_state_)};
  }

  const Point& point_;
  const Dataset& dataset_;
  std::shared_ptr<const GzipFileOfWorks> gzip_;
  GzipWorks works_;
  cuda::DeviceBuffer expected_;
  cuda::DeviceBuffer file_;
  cuda::DeviceBuffer index_;
  cuda::DeviceBuffer index_with_adler32_;
  cuda::DeviceBuffer output_;
  cuda::DeviceBuffer status_;
  cuda::DeviceBuffer scratch_;
  cuda::DeviceBuffer checksum_scratch_;
  cuda::DeviceBuffer crc32_state_;
  cuda::DeviceBuffer adler32_state_;
  EventTimer timer_;
};

class GzipKind : public Kind {
public:
  explicit GzipKind(const Measurement& measurement) : measurement_(measurement) {}

  std::vector<Preparation> prepare(std::span<const Point> group) override {
    const Input& input = group.front().input;
    if (input.format != format::codag::deflate_format)
      throw InputError("gzip: stages of format deflate only");
    const auto made = std::make_shared<GzipFileOfWorks>(make_gzip_file_of_works(input, measurement_.text));
    std::vector<Preparation> preparations;
    for (std::size_t i = 0; i < group.size(); ++i) {
      const Point& point = group[i];
      preparations.push_back({.points = {i}, .make = [this, &point, made] {
                                return std::make_unique<GzipTrial>(point, made, measurement_);
                              }});
    }
    return preparations;
  }

private:
  Measurement measurement_;
};

}  // namespace

std::shared_ptr<Kind> gzip_kind(const Measurement& measurement) {
  return std::make_shared<GzipKind>(measurement);
}

}  // namespace gsst::experiments
