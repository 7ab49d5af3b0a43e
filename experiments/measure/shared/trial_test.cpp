#include "experiments/measure/shared/trial.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

using TrialJson = nlohmann::ordered_json;

// What happens, in its order; `wrong` is the name of a work that gives a wrong output when it has been timed.
struct TrialStory {
  std::vector<std::string> lines;
  std::string wrong;
  bool timed = false;
  std::size_t kept = 0;
};

Work told_work(TrialStory& story, const std::string& name) {
  const auto tell = [&story](const std::string& line) {
    return [&story, line] { story.lines.push_back(line); };
  };
  const auto check = [&story, name] {
    story.lines.push_back("check " + name);
    if (story.timed && story.wrong == name) throw MismatchError(name);
  };
  return {.name = name,
          .seconds =
              [&story] {
                story.timed = true;
                // Works are timed in random order.
                if (story.lines.back() != "time all") story.lines.emplace_back("time all");
                return 0.5;
              },
          .verification =
              Verification{.poison = tell("poison " + name), .run = tell("run " + name), .check = check}};
}

class ToldTrial : public Trial {
public:
  ToldTrial(TrialStory& story, std::size_t points, bool on_gpu)
      : story_(story), points_(points), on_gpu_(on_gpu) {}

  std::vector<Work> works() override {
    Work only_timed = told_work(story_, "b");
    only_timed.verification.reset();
    Work only_verified = told_work(story_, "c");
    only_verified.seconds = nullptr;
    return {told_work(story_, "a"), only_timed, only_verified};
  }
  void make_ready() override { story_.lines.emplace_back("make ready"); }
  bool on_gpu() const override { return on_gpu_; }
  std::vector<std::vector<TrialJson>> rows(const Measured& measured) override {
    EXPECT_EQ(measured.seconds, (std::vector<std::vector<double>>(2, std::vector<double>(3, 0.5))));
    return std::vector<std::vector<TrialJson>>(points_, {TrialJson{{"rows_of", points_}}});
  }

private:
  TrialStory& story_;
  std::size_t points_;
  bool on_gpu_;
};

// A trial of all points of a group, and one more of its second point, on the CPU.
class ToldKind : public Kind {
public:
  explicit ToldKind(TrialStory& story) : story_(story) {}
  std::vector<Preparation> prepare(std::span<const Point> group) override {
    EXPECT_EQ(group.size(), 2u);
    return {{.points = {0, 1}, .make = [this] { return std::make_unique<ToldTrial>(story_, 2, true); }},
            {.points = {1}, .make = [this] { return std::make_unique<ToldTrial>(story_, 1, false); }}};
  }

private:
  TrialStory& story_;
};

struct Kept {
  std::size_t point;
  std::vector<TrialJson> rows;
  std::size_t lines_before;
};

std::vector<Kept> measure_told(TrialStory& story) {
  std::vector<Point> points(2);
  points[1].row = {{"policy", "best"}};
  const TrialJson document;
  const Measurement measurement{.text = {},
                                .dataset = {},
                                .repetitions = 3,
                                .clocks_during =
                                    [&](const std::function<void()>& work) {
                                      work();
                                      return TrialJson("fast");
                                    },
                                .document = document};
  std::vector<Kept> kept;
  measure_trials(std::make_shared<ToldKind>(story), measurement)(
      points, [&](std::size_t point, const std::vector<TrialJson>& rows) {
        ++story.kept;
        kept.push_back({point, rows, story.lines.size()});
      });
  return kept;
}

TEST(Trials, AreVerifiedBeforeAndAfterTheTiming) {
  TrialStory story;
  measure_told(story);
  const std::vector<std::string> of_trial = {"poison a", "run a",      "check a",  "poison c", "run c",
                                             "check c",  "make ready", "time all", "poison a", "run a",
                                             "check a",  "poison c",   "run c",    "check c"};
  ASSERT_EQ(story.lines.size(), 2 * of_trial.size());
  for (std::size_t i = 0; i < story.lines.size(); ++i)
    EXPECT_EQ(story.lines[i], of_trial[i % of_trial.size()]);
}

TEST(Trials, RowsArePassedOnAsSoonAsAPointHasAll) {
  TrialStory story;
  const std::vector<Kept> kept = measure_told(story);
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].point, 0u);
  EXPECT_EQ(kept[0].lines_before, story.lines.size() / 2);
  EXPECT_EQ(kept[0].rows, (std::vector<TrialJson>{{{"rows_of", 2}, {"clocks", "fast"}}}));
  EXPECT_EQ(kept[1].point, 1u);
  EXPECT_EQ(kept[1].rows,
            (std::vector<TrialJson>{{{"rows_of", 2}, {"clocks", "fast"}, {"policy", "best"}},
                                    {{"rows_of", 1}, {"clocks", nullptr}, {"policy", "best"}}}));
}

TEST(Trials, AWorkThatIsWrongAfterTheTimingHasNoRow) {
  TrialStory story;
  story.wrong = "c";
  EXPECT_THROW(measure_told(story), MismatchError);
  EXPECT_EQ(story.kept, 0u);
}

}  // namespace
}  // namespace gsst::experiments
