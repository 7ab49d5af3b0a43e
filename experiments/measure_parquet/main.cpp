// gsst_measure_parquet: measures on a GPU how pages of a Parquet file and frames of the same column are
// decoded and writes a result as JSON.
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/registry.hpp"
#include "experiments/measure/shared/point_measurer.hpp"
#include "experiments/measure_parquet/paged_column.hpp"
#include "experiments/measure_parquet/pages_trial.hpp"

namespace gsst::experiments {

/// Of experiments/measure/kinds/decode.
PointMeasurer decode_kind();

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* stage_of_pages = "tile_integer/12_parquet_delta";

// Points name registered stages. That of pages decodes no frames and is registered nowhere else; what its
// points say of a frame is not used.
const stage::Registration registration_of_pages(
    stage::Executor::gpu,
    {.id = stage_of_pages,
     .base = "tile_integer/05_delta",
     .title = "Pages of Parquet files",
     .section = "past the tile-based paper",
     .format = format::tile_integer::dfor_format,
     .operation = stage::Operation::decode,
     .minimum_compute_capability = 80,
     .parameters = {}},
    {.make = [](const stage::DecodeSubject&) -> std::unique_ptr<stage::Plan> {
      throw std::invalid_argument(std::string(stage_of_pages) + " decodes no frames");
    }});

// What all points of a file share.
class PagesAndFrames {
public:
  explicit PagesAndFrames(const Measurement& measurement)
      : column_(read_paged_column(measurement.text)),
        pages_(measure_trials(pages_kind(measurement, column_), measurement)),
        of_values_{.text = column_.values,
                   .dataset = measurement.dataset,
                   .repetitions = measurement.repetitions,
                   .clocks_during = measurement.clocks_during,
                   .document = measurement.document},
        frames_(decode_kind().make(of_values_)),
        keys_(pages_in_rows(column_.column)) {}

  void measure(std::span<const Point> group, const KeepRows& keep) const {
    std::vector<std::size_t> of_pages;
    std::vector<std::size_t> of_frames;
    for (std::size_t i = 0; i < group.size(); ++i) {
      (group[i].id == stage_of_pages ? of_pages : of_frames).push_back(i);
    }
    measure_some(pages_, group, of_pages, keep);
    measure_some(frames_, group, of_frames, keep);
  }

private:
  void measure_some(const MeasureGroup& measure_group, std::span<const Point> group,
                    std::span<const std::size_t> places, const KeepRows& keep) const {
    if (places.empty()) return;
    std::vector<Point> points;
    points.reserve(places.size());
    for (const std::size_t place : places) points.push_back(group[place]);
    measure_group(points, [&](std::size_t point, std::vector<Json> rows) {
      for (Json& row : rows) row.update(keys_);
      keep(places[point], std::move(rows));
    });
  }

  PagedColumn column_;
  MeasureGroup pages_;
  Measurement of_values_;
  MeasureGroup frames_;
  Json keys_;
};

const PointMeasurer parquet_measurer = {.kind = "parquet",
                                        .description =
                                            "Measures how the pages of a Parquet file's column 'c' are "
                                            "decoded, next to frames of the same values; "
                                            "every output is compared with the oracle's before and after.",
                                        .operations = {stage::Operation::decode},
                                        .make = [](const Measurement& measurement) -> MeasureGroup {
                                          return [both = std::make_shared<const PagesAndFrames>(measurement)](
                                                     std::span<const Point> group, const KeepRows& keep) {
                                            both->measure(group, keep);
                                          };
                                        }};

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_point_program("gsst_measure_parquet", gsst::experiments::parquet_measurer,
                                              argc, argv);
}
