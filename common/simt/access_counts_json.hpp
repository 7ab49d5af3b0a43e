#pragma once

#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

#include "common/simt/warp_accesses.hpp"

/// What accesses cost, as JSON: in a trace (docs/tracing.md) and in rows of gsst_measure_accesses.
namespace gsst::simt {

/// By AccessClass.
inline constexpr std::array<std::string_view, access_class_count> access_class_names = {
    "global_load", "global_store", "global_atomic", "global_copy",
    "shared_load", "shared_store", "shared_atomic", "shared_copy"};

/// `requests`, `lanes` and `bytes`, and `sectors` of global memory, or `passes` and
/// `passes_without_conflicts` of shared memory.
inline nlohmann::ordered_json counts_json(AccessClass access_class, const AccessCounts& counts) {
  nlohmann::ordered_json json = {
      {"requests", counts.requests}, {"lanes", counts.lanes}, {"bytes", counts.bytes}};
  if (is_shared(access_class)) {
    json["passes"] = counts.passes;
    json["passes_without_conflicts"] = counts.passes_without_conflicts;
  } else {
    json["sectors"] = counts.sectors;
  }
  return json;
}

}  // namespace gsst::simt
