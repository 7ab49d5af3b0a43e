#include "experiments/measure/shared/row_text.hpp"

#include <gtest/gtest.h>

namespace gsst::experiments {
namespace {

TEST(RowText, SaysWhatWasMeasuredHowFastAndWhatItsKindAdds) {
  const nlohmann::ordered_json row = {{"stage", "gsst/07_tuned"},
                                      {"variant", "packed"},
                                      {"parameters", {{"splits", 64}}},
                                      {"dataset_sha256", "abc"},
                                      {"ratio", 2.5},
                                      {"seconds", {{"median", 1}}},
                                      {"throughput_gb_per_s", 400.5},
                                      {"streaming_limit_gb_per_s", nullptr},
                                      {"checksums", "compared"}};
  EXPECT_EQ(row_text(row),
            R"(gsst/07_tuned packed {"splits":64}: 400.5 GB/s, ratio 2.5, checksums compared)");
}

TEST(RowText, ARowWithoutTimesSaysNoThroughput) {
  const nlohmann::ordered_json row = {{"stage", "a"},
                                      {"variant", ""},
                                      {"parameters", nlohmann::ordered_json::object()},
                                      {"ratio", 2.5},
                                      {"throughput_gb_per_s", nullptr}};
  EXPECT_EQ(row_text(row), "a {}: ratio 2.5");
}

}  // namespace
}  // namespace gsst::experiments
