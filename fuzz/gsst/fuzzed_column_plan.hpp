#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>

#include "gsst/column.h"

namespace gsst::fuzz {

struct DestroyColumnPlan {
  void operator()(gsst_column_plan* plan) const { gsst_column_plan_destroy(plan); }
};
using ColumnPlan = std::unique_ptr<gsst_column_plan, DestroyColumnPlan>;

[[noreturn]] inline void fail(const char* what) {
  std::fputs(what, stderr);
  std::abort();
}

/// The plan of a column, which must outlive it; null if the column is rejected.
inline ColumnPlan open_column(std::span<const std::uint8_t> column, bool skips_checksums) {
  gsst_decompress_options options{};
  options.struct_bytes = sizeof(options);
  options.skip_checksums = skips_checksums ? 1 : 0;
  gsst_column_plan* plan = nullptr;
  // An error leaves null.
  gsst_column_plan_create(column.data(), column.size(), &options, &plan, nullptr);
  return ColumnPlan(plan);
}

inline gsst_column_info info_of(const ColumnPlan& plan) {
  gsst_column_info info{};
  info.struct_bytes = sizeof(info);
  gsst_column_plan_info(plan.get(), &info);
  return info;
}

}  // namespace gsst::fuzz
