#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>

#include "experiments/measure/shared/points.hpp"

/// What rows say of how a frame was made, besides its parameters. A series may bring its own: a folder
/// experiments/measure/series/<series>/ with a file frame_in_rows.cpp, which defines
/// `nlohmann::ordered_json frame_in_rows_of_<series>(const Input& input, std::span<const std::uint8_t>
/// frame)`. CMake makes the table of these functions (cmake/GsstSeries.cmake); nothing else names a series.
namespace gsst::experiments {

/// Keys of rows of a frame that was made of `input`; no key for formats of other series.
using FrameInRows = nlohmann::ordered_json (*)(const Input& input, std::span<const std::uint8_t> frame);

/// The functions of all series that bring one.
std::span<const FrameInRows> series_with_frames_in_rows();

/// The keys of all series, an object.
inline nlohmann::ordered_json frame_in_rows(const Input& input, std::span<const std::uint8_t> frame) {
  auto keys = nlohmann::ordered_json::object();
  for (const FrameInRows of_series : series_with_frames_in_rows()) keys.update(of_series(input, frame));
  return keys;
}

}  // namespace gsst::experiments
