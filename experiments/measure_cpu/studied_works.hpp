#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

namespace gsst::experiments {

/// Something that a study measures by itself: its rows are kept as soon as they are there.
struct StudiedWork {
  /// Keys are unique per study.
  nlohmann::ordered_json key;
  /// Rows in the form that results have.
  std::function<std::vector<nlohmann::ordered_json>()> measure;
};

/// Measures `works` in their order and writes all their rows as a JSON array to `output`, whole or not at
/// all. What an interrupted run has kept beside it (PartialRows) is taken over where `settings`, all that the
/// rows depend on besides their work, are the same. Says on standard error how many works there are,
/// `points: 12`, and what each has given. Throws InputError where a file cannot be written, and what
/// the works throw.
void measure_works(std::span<const StudiedWork> works, const nlohmann::ordered_json& settings,
                   const std::filesystem::path& output);

}  // namespace gsst::experiments
