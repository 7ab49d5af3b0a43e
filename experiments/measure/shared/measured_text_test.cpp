#include "experiments/measure/shared/measured_text.hpp"

#include <gtest/gtest.h>

#include <set>

#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

TEST(CheckTextSize, RefusesWhatMayComeOutOfTheCache) {
  RunOptions options;
  EXPECT_NO_THROW(check_text_size(400, 100, options));
  EXPECT_THROW(check_text_size(399, 100, options), InputError);
  options.allow_small = true;
  EXPECT_NO_THROW(check_text_size(1, 100, options));
}

TEST(RowKey, AnotherWorkTextProgramOrDeviceHasAnotherKey) {
  const auto key = [](const char* work, const char* sha256, const char* sources, const char* commit,
                      unsigned repetitions, const char* gpu, const char* driver) {
    RunOptions options;
    options.sources_digest = sources;
    options.commit = commit;
    options.repetitions = repetitions;
    return row_key({{"stage", work}}, {"words", sha256}, options, gpu, driver).dump();
  };
  const std::set<std::string> keys = {
      key("a", "1", "2", "3", 4, "H200", "5"), key("b", "1", "2", "3", 4, "H200", "5"),
      key("a", "0", "2", "3", 4, "H200", "5"), key("a", "1", "0", "3", 4, "H200", "5"),
      key("a", "1", "2", "0", 4, "H200", "5"), key("a", "1", "2", "3", 0, "H200", "5"),
      key("a", "1", "2", "3", 4, "A100", "5"), key("a", "1", "2", "3", 4, "H200", "0")};
  EXPECT_EQ(keys.size(), 8u);
}

}  // namespace
}  // namespace gsst::experiments
