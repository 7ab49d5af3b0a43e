#include "experiments/measure/shared/interleaved_timing.hpp"

#include <benchmark/benchmark.h>

#include <array>
#include <exception>
#include <map>

namespace gsst::experiments {
namespace {

// Google Benchmark reads its flags once and keeps them.
void set_flags_once() {
  static const bool done = [] {
    std::string program = "gsst_measure";
    std::string interleaving = "--benchmark_enable_random_interleaving=true";
    std::array<char*, 3> arguments = {program.data(), interleaving.data(), nullptr};
    int count = 2;
    benchmark::Initialize(&count, arguments.data());
    return true;
  }();
  static_cast<void>(done);
}

// Keeps the seconds of each repetition by the benchmark's name.
class SecondsReporter : public benchmark::BenchmarkReporter {
public:
  bool ReportContext(const Context& /*context*/) override { return true; }

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type == Run::RT_Iteration) {
        seconds_[run.run_name.function_name].push_back(run.real_accumulated_time);
      }
    }
  }

  std::vector<double> seconds(const std::string& name) const { return seconds_.at(name); }

private:
  std::map<std::string, std::vector<double>> seconds_;
};

// Two works may have the same name.
std::string benchmark_name(std::size_t index, const TimedWork& work) {
  return std::to_string(index) + " " + work.name;
}

}  // namespace

std::vector<std::vector<double>> time_interleaved(std::span<const TimedWork> works, unsigned repetitions) {
  set_flags_once();
  benchmark::ClearRegisteredBenchmarks();
  // An exception must not pass through the library.
  std::exception_ptr failure;
  for (std::size_t i = 0; i < works.size(); ++i) {
    const auto run = [&work = works[i], &failure](benchmark::State& state) {
      for (auto iteration : state) {
        static_cast<void>(iteration);
        try {
          state.SetIterationTime(work.seconds());
        } catch (...) {
          if (!failure) failure = std::current_exception();
          state.SkipWithError("failed");
          break;
        }
      }
    };
    benchmark::RegisterBenchmark(benchmark_name(i, works[i]).c_str(), run)
        ->UseManualTime()
        ->Iterations(1)
        ->Repetitions(static_cast<int>(repetitions));
  }
  SecondsReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter, ".");
  if (failure) std::rethrow_exception(failure);
  std::vector<std::vector<double>> seconds;
  for (std::size_t i = 0; i < works.size(); ++i) {
    seconds.push_back(reporter.seconds(benchmark_name(i, works[i])));
  }
  return seconds;
}

}  // namespace gsst::experiments
