#include "experiments/measure_gzip/gzip_trial.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "common/cuda/device_buffer.hpp"
#include "common/format/codag/deflate.hpp"
#include "experiments/measure/shared/device_verification.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/event_timer.hpp"
#include "experiments/measure/shared/given.hpp"
#include "reference_cpu/codag/gzip_codec.hpp"
#include "reference_cpu/codag/gzip_file.hpp"
#include "stages/codag/gzip/crc32_plan.hpp"
#include "stages/codag/gzip/gzip_batch.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;
using stage::Role;

// A file of gzip in host memory.
struct GzipInput {
  std::vector<std::uint8_t> file;
  codag::gzip::GzipBatch members;
};

GzipInput make_gzip_input(const Input& input, std::span<const std::uint8_t> text) {
  format::EncodeSettings settings = {.block_bytes = input.block_bytes, .level = input.level};
  settings.options = input.options;
  // A larger member does not fit the field for its size.
  using reference::codag::GzipMembers;
  settings.options["members"] = static_cast<std::uint64_t>(
      input.block_bytes <= reference::codag::max_bgzf_bytes ? GzipMembers::bgzf : GzipMembers::plain);
  GzipInput made = {.file = reference::encode_file(reference::codag::gzip_codec, text, settings),
                    .members = {}};
  for (std::uint64_t offset = 0; offset < made.file.size(); offset = made.members.end()) {
    const std::optional<codag::gzip::GzipMember> member = codag::gzip::find_member(made.file, offset);
    if (!member) throw MismatchError("a member that was written is not found");
    made.members.members.push_back(*member);
    made.members.output_bytes += member->output_bytes;
  }
  return made;
}

// What the executor gets of it.
std::vector<std::uint8_t> bytes_of_frame(const GzipInput& input, const stage::FrameOnDevice& shape) {
  const auto begin = input.file.begin();
  std::vector<std::uint8_t> bytes(begin + static_cast<std::ptrdiff_t>(input.members.begin()),
                                  begin + static_cast<std::ptrdiff_t>(input.members.end()));
  bytes.resize(shape.frame_bytes);
  return bytes;
}

enum class GzipWork { decode, check, both };
constexpr std::array gzip_works = {GzipWork::decode, GzipWork::check, GzipWork::both};

const char* name_of(GzipWork work) {
  return work == GzipWork::decode ? "decode" : work == GzipWork::check ? "CRC-32" : "decode and CRC-32";
}

class GzipTrial : public Trial {
public:
  GzipTrial(const Point& point, const GzipInput& input, const Measurement& measurement)
      : point_(point),
        dataset_(measurement.dataset),
        file_bytes_(input.file.size()),
        shape_(codag::gzip::shape_of_batch(input.members)),
        decoding_(point.stage->decode.at(stage::Executor::gpu)
                      .make({.frame = shape_, .index_is_apart = true, .parameters = point.parameters})),
        checking_(
            codag::gzip::make_crc32_plan(stage::Executor::gpu, codag::gzip::output_sizes(input.members))),
        expected_(measurement.text),
        input_(bytes_of_frame(input, shape_)),
        index_(codag::gzip::build_member_index(input.members)),
        output_(shape_.uncompressed_bytes),
        scratch_(bytes_of(*decoding_, Role::scratch)),
        status_(bytes_of(*decoding_, Role::status)),
        crc_state_(bytes_of(*checking_, Role::state)),
        crc_scratch_(bytes_of(*checking_, Role::scratch)) {
    checking_->prepare(checked(), nullptr);
  }

  std::vector<Work> works() override {
    std::vector<Work> works;
    works.reserve(gzip_works.size());
    for (const GzipWork work : gzip_works) {
      works.push_back({.name = name_of(work), .seconds = [this, work] {
                         return timer_.seconds(nullptr, [this, work] { enqueue(work); });
                       }});
    }
    // The others do parts of this one, and what they leave is looked at after all of them.
    works.back().verification = verification_of(
        "gzip", output_, expected_, [this] { enqueue(GzipWork::both); },
        [this] { check_zero_statuses(status_); });
    return works;
  }

  std::vector<std::vector<Json>> rows(const Measured& measured) override {
    std::vector<Json> rows;
    for (std::size_t i = 0; i < gzip_works.size(); ++i) {
      Json row = row_to_json({.stage = point_.id,
                              .variant = point_.variant,
                              .parameters = decode_parameters(point_, shape_.block_count, 1),
                              .uncompressed_bytes = shape_.uncompressed_bytes,
                              .compressed_bytes = file_bytes_,
                              .seconds = summarize(measured.seconds[i])},
                             dataset_);
      row["work"] = name_of(gzip_works[i]);
      rows.push_back(std::move(row));
    }
    return {rows};
  }

private:
  std::array<stage::Given, 5> checked() {
    return {given(output_), given(crc_state_), given(crc_scratch_), given(status_), given(index_)};
  }

  void enqueue(GzipWork work) {
    if (work != GzipWork::check) {
      enqueue_all(*decoding_,
                  std::array{given(input_), given(output_), given(scratch_), given(status_), given(index_)},
                  nullptr);
    }
    if (work != GzipWork::decode) enqueue_all(*checking_, checked(), nullptr);
  }

  const Point& point_;
  const Dataset& dataset_;
  std::uint64_t file_bytes_;
  stage::FrameOnDevice shape_;
  std::unique_ptr<stage::Plan> decoding_;
  std::unique_ptr<stage::Plan> checking_;
  cuda::DeviceBuffer expected_;
  cuda::DeviceBuffer input_;
  cuda::DeviceBuffer index_;
  cuda::DeviceBuffer output_;
  cuda::DeviceBuffer scratch_;
  cuda::DeviceBuffer status_;
  cuda::DeviceBuffer crc_state_;
  cuda::DeviceBuffer crc_scratch_;
  EventTimer timer_;
};

class GzipKind : public Kind {
public:
  explicit GzipKind(const Measurement& measurement) : measurement_(measurement) {}

  std::vector<Preparation> prepare(std::span<const Point> group) override {
    const Input& input = group.front().input;
    if (input.format != format::codag::deflate_format)
      throw InputError("gzip: stages of format deflate only");
    const auto made = std::make_shared<GzipInput>(make_gzip_input(input, measurement_.text));
    std::vector<Preparation> preparations;
    for (std::size_t i = 0; i < group.size(); ++i) {
      const Point& point = group[i];
      preparations.push_back({.points = {i}, .make = [this, &point, made] {
                                return std::make_unique<GzipTrial>(point, *made, measurement_);
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
