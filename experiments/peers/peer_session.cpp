#include "experiments/peers/peer_session.hpp"

#include <iostream>
#include <vector>

#include "experiments/measure/error.hpp"
#include "experiments/measure/input_file.hpp"
#include "experiments/measure_gpu/device_description.hpp"
#include "experiments/measure_gpu/device_monitor.hpp"
#include "experiments/measure_gpu/partial_rows.hpp"
#include "experiments/measure_gpu/session.hpp"
#include "experiments/peers/child_process.hpp"
#include "experiments/peers/peer_error.hpp"
#include "experiments/peers/peer_measurement.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

// What is decoded must not come out of the cache of the repetition before.
constexpr std::size_t least_multiple_of_l2 = 4;

// In a process of its own: this one starts others, so it must not use CUDA.
Json describe_gpu() {
  try {
    return Json::parse(run_in_child([] {
      const DeviceDescription device = describe_device();
      const DeviceMonitor monitor(device.pci_bus_id);
      const Json description = {
          {"gpu", device.name}, {"driver", monitor.driver_version()}, {"l2_bytes", device.l2_bytes}};
      return description.dump();
    }));
  } catch (const PeerError& error) {
    throw PeerError(std::string("no GPU: this program measures on one, and none can be used: ") +
                    error.what());
  }
}

void check_size(std::uint64_t text_bytes, std::uint64_t l2_bytes) {
  if (text_bytes >= least_multiple_of_l2 * l2_bytes) return;
  throw InputError("the text has " + std::to_string(text_bytes) + " bytes, less than " +
                   std::to_string(least_multiple_of_l2) + " times the L2 cache of " +
                   std::to_string(l2_bytes) + " bytes; --allow-small measures all the same");
}

// All that a row depends on.
Json key_of(const PeerCodec& codec, const std::string& version, const Json& device, const RunOptions& run,
            const Dataset& dataset) {
  return {{"stage", codec.stage},
          {"variant", codec.variant},
          {"chunk_bytes", codec.chunk_bytes},
          {"version", version},
          {"dataset", dataset.name},
          {"dataset_sha256", dataset.sha256},
          {"repetitions", run.repetitions},
          {"sources_digest", run.sources_digest},
          {"commit", run.commit},
          {"gpu", device.at("gpu")},
          {"driver", device.at("driver")}};
}

void report(const Json& row) {
  std::cerr << row["stage"].get<std::string>() << ' ' << row["variant"].get<std::string>() << ": ratio "
            << row["ratio"].get<double>() << ", " << row["throughput_gb_per_s"].get<double>()
            << " GB/s, streaming limit " << row["streaming_limit_gb_per_s"].get<double>()
            << " GB/s, GPU memory beyond input and output "
            << row["gpu_memory"]["beyond_input_and_output_bytes"].get<std::uint64_t>() << " bytes"
            << std::endl;
}

}  // namespace

std::size_t measure_peers(std::span<const PeerCodec> codecs, const std::string& version,
                          const std::string& target, const RunOptions& run, const InputOptions& input) {
  const std::uint64_t text_bytes = input_file_bytes(input.path);
  const Json device = describe_gpu();
  if (!run.allow_small) check_size(text_bytes, device.at("l2_bytes"));
  const std::vector<std::uint8_t> text = read_input_file(input.path);
  PartialRows partial(run.output);
  std::vector<Json> rows;
  for (const PeerCodec& codec : codecs) {
    const Json key = key_of(codec, version, device, run, input.dataset);
    if (partial.find(key) == nullptr) {
      try {
        Json row = Json::parse(
            run_in_child([&] { return measure_peer(codec, text, input.dataset, run.repetitions).dump(); }));
        row["parameters"]["version"] = version;
        partial.append(key, row);
        report(row);
      } catch (const PeerError& error) {
        std::cerr << "not measured: " << codec.stage << ' ' << codec.variant << ": " << error.what()
                  << std::endl;
        continue;
      }
    }
    rows.push_back(*partial.find(key));
  }
  if (rows.empty()) throw PeerError("no codec could be measured");
  const Session session(run);
  session.finish(make_result(target, session.environment(rows), run.sources_digest, rows));
  return codecs.size() - rows.size();
}

}  // namespace gsst::experiments
