#include "experiments/measure_disk/disk_works.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "common/format/zero_length/zero_length.hpp"
#include "common/stage/encode_plans.hpp"
#include "common/stage/registry.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/input_file.hpp"
#include "experiments/measure_cpu/verified_timing.hpp"
#include "experiments/measure_disk/disk_file.hpp"
#include "experiments/measure_disk/storage.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/parallel.hpp"

namespace gsst::experiments {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* stage_id = "zero_length/03_simd";
constexpr std::uint64_t disk_block_bytes = std::uint64_t{1} << 20;
// Of one read or write where nothing is compressed: more than the most that the kernel reads ahead.
constexpr std::size_t disk_piece_bytes = std::size_t{4} << 20;
// Of one number of threads, all four rows together.
constexpr double seconds_limit_per_work = 120;
constexpr std::size_t least_repetitions_of_work = 3;
// Pages that somebody else reads meanwhile come back.
constexpr double most_cached_share = 0.01;

// The copy of the input, what the stage writes and what is written alone; they go with the object.
class FilesOnDisk {
public:
  FilesOnDisk(const fs::path& folder, const Bytes& input)
      : input_(folder / "gsst_measure_disk_input"),
        output_(folder / "gsst_measure_disk_output"),
        written_(folder / "gsst_measure_disk_written") {
    DiskFile file = DiskFile::to_write(input_);
    file.writer()(input);
    file.flush();
  }
  FilesOnDisk(const FilesOnDisk&) = delete;
  FilesOnDisk& operator=(const FilesOnDisk&) = delete;
  ~FilesOnDisk() {
    std::error_code ignored;
    for (const fs::path& path : {input_, output_, written_}) fs::remove(path, ignored);
  }

  const fs::path& input() const { return input_; }
  const fs::path& output() const { return output_; }
  const fs::path& written() const { return written_; }

private:
  fs::path input_;
  fs::path output_;
  fs::path written_;
};

const stage::EncodePlans* plans_of_stage() {
  const stage::RegisteredStage* const stage = stage::find_stage(stage_id, stage::Operation::encode);
  if (stage == nullptr || !stage->encode.contains(stage::Executor::cpu)) {
    throw InputError(std::string(stage_id) + " is not in this program");
  }
  return stage->encode.at(stage::Executor::cpu);
}

// What all works share.
struct DiskSubject {
  explicit DiskSubject(const DiskOptions& options)
      : input(read_input_file(options.input)),
        compressed(reference::encode_file(reference::codec_of(format::zero_length::bare_format), input,
                                          {.block_bytes = disk_block_bytes})),
        storage(storage_of(options.folder)),
        plans(plans_of_stage()),
        files(options.folder, input) {}

  Bytes input;
  // What the codec makes of it.
  Bytes compressed;
  Storage storage;
  const stage::EncodePlans* plans;
  FilesOnDisk files;
};

struct DiskTimes {
  std::vector<double> disk_to_disk = {};
  std::vector<double> memory_to_memory = {};
  std::vector<double> reading = {};
  std::vector<double> writing = {};
  // Of the input, before any reading from the disk.
  std::uint64_t most_cached_bytes = 0;
};

double disk_seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// One after the other; what is read and written stays for verify_all().
class DiskRun {
public:
  DiskRun(const DiskSubject& shared, unsigned threads)
      : shared_(shared),
        threads_(threads),
        input_read_(shared.input.size()),
        memory_output_(shared.compressed.size()) {}

  void run(DiskTimes& times) {
    fs::remove(shared_.files.written());
    times.writing.push_back(disk_seconds_of([&] { write_alone(); }));
    forget_input(times);
    times.reading.push_back(disk_seconds_of([&] { read_alone(); }));
    fs::remove(shared_.files.output());
    forget_input(times);
    times.disk_to_disk.push_back(disk_seconds_of([&] { compress_on_disk(); }));
    times.memory_to_memory.push_back(disk_seconds_of([&] { compress_in_memory(); }));
  }

  void poison_all() {
    poison(input_read_, shared_.input);
    poison(memory_output_, shared_.compressed);
  }

  void verify_all(const std::string& when) const {
    verify(input_read_, shared_.input, reading_alone + when);
    verify(memory_output_, shared_.compressed, from_memory_to_memory + when);
    verify_file(shared_.files.output(), from_disk_to_disk + when);
    verify_file(shared_.files.written(), writing_alone + when);
  }

private:
  void forget_input(DiskTimes& times) const {
    DiskFile file = DiskFile::to_read(shared_.files.input());
    file.drop_cached();
    times.most_cached_bytes = std::max(times.most_cached_bytes, file.cached_bytes());
  }

  void encode(const format::ReadFunction& read, const format::WriteFunction& write) const {
    shared_.plans->encode({.format = format::zero_length::bare_format,
                           .settings = {.block_bytes = disk_block_bytes, .threads = threads_}},
                          read, write, {});
  }

  void compress_on_disk() const {
    DiskFile input = DiskFile::to_read(shared_.files.input());
    DiskFile output = DiskFile::to_write(shared_.files.output());
    encode(input.reader(), output.writer());
    output.flush();
  }

  void compress_in_memory() {
    std::span<std::uint8_t> rest = memory_output_;
    encode(format::reader_of(shared_.input), [&](std::span<const std::uint8_t> bytes) {
      if (bytes.size() > rest.size()) throw MismatchError("the stage writes more than the codec");
      std::ranges::copy(bytes, rest.begin());
      rest = rest.subspan(bytes.size());
    });
  }

  void read_alone() {
    DiskFile file = DiskFile::to_read(shared_.files.input());
    const format::ReadFunction read = file.reader();
    for (std::span<std::uint8_t> rest = input_read_; !rest.empty();) {
      const std::size_t count = read(rest.first(std::min(disk_piece_bytes, rest.size())));
      if (count == 0) throw MismatchError("the copy of the input has become shorter");
      rest = rest.subspan(count);
    }
  }

  void write_alone() const {
    DiskFile file = DiskFile::to_write(shared_.files.written());
    const format::WriteFunction write = file.writer();
    for (std::span<const std::uint8_t> rest = shared_.compressed; !rest.empty();) {
      const std::size_t count = std::min(disk_piece_bytes, rest.size());
      write(rest.first(count));
      rest = rest.subspan(count);
    }
    file.flush();
  }

  void verify_file(const fs::path& path, const std::string& what) const {
    const Bytes written = read_input_file(path);
    if (written.size() != shared_.compressed.size()) {
      throw MismatchError(what + ": the file has " + std::to_string(written.size()) + " bytes, not " +
                          std::to_string(shared_.compressed.size()));
    }
    verify(written, shared_.compressed, what);
  }

  const DiskSubject& shared_;
  unsigned threads_;
  Bytes input_read_;
  Bytes memory_output_;
};

Json disk_row(const DiskSubject& shared, const char* stage, const char* variant, unsigned threads,
              const std::vector<double>& seconds, const DiskTimes& times, const Dataset& dataset) {
  Json row = row_to_json({.stage = stage,
                          .variant = variant,
                          .parameters = {{"block_bytes", disk_block_bytes}, {"threads", threads}},
                          .uncompressed_bytes = shared.input.size(),
                          .compressed_bytes = shared.compressed.size(),
                          .seconds = summarize(seconds)},
                         dataset);
  row["operation"] = "encode";
  row["threads"] = threads;
  row["processors"] = reference::thread_count(0);
  row["file_system"] = shared.storage.mount.type;
  row["device"] = shared.storage.device.name;
  row["device_model"] = shared.storage.device.model;
  row["medium"] = shared.storage.device.medium;
  const double most_cached = most_cached_share * static_cast<double>(shared.input.size());
  row["caches_dropped"] = static_cast<double>(times.most_cached_bytes) <= most_cached;
  row["cached_input_bytes"] = times.most_cached_bytes;
  row["flushed"] = "fsync";
  return row;
}

std::vector<Json> measure_threads(const DiskSubject& shared, unsigned threads, std::size_t wanted,
                                  const Dataset& dataset) {
  DiskRun run(shared, threads);
  run.poison_all();
  DiskTimes first;
  const double first_seconds = disk_seconds_of([&] { run.run(first); });
  run.verify_all(", before timing");
  const Repetitions repetitions = {
      .wanted = wanted, .seconds_limit = seconds_limit_per_work, .minimum = least_repetitions_of_work};
  run.poison_all();
  DiskTimes times;
  for (std::size_t left = repetitions.count(first_seconds); left != 0; --left) run.run(times);
  run.verify_all(", after timing");
  const auto row = [&](const char* stage, const char* variant, const std::vector<double>& seconds) {
    return disk_row(shared, stage, variant, threads, seconds, times, dataset);
  };
  return {row(stage_id, from_disk_to_disk, times.disk_to_disk),
          row(stage_id, from_memory_to_memory, times.memory_to_memory),
          row("disk/read", reading_alone, times.reading), row("disk/write", writing_alone, times.writing)};
}

}  // namespace

std::vector<StudiedWork> disk_works(const DiskOptions& options, const Dataset& dataset) {
  const auto shared = std::make_shared<const DiskSubject>(options);
  std::vector<StudiedWork> works;
  for (const unsigned threads : options.threads) {
    works.push_back({.key = {{"threads", threads}}, .measure = [=, wanted = options.repetitions] {
                       return measure_threads(*shared, threads, wanted, dataset);
                     }});
  }
  return works;
}

}  // namespace gsst::experiments
