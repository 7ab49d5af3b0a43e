#include "experiments/peers/peer_session.hpp"

#include <iostream>
#include <vector>

#include "experiments/measure/shared/device_description.hpp"
#include "experiments/measure/shared/device_monitor.hpp"
#include "experiments/measure/shared/input_file.hpp"
#include "experiments/measure/shared/measured_text.hpp"
#include "experiments/measure/shared/partial_rows.hpp"
#include "experiments/measure/shared/session.hpp"
#include "experiments/peers/child_process.hpp"
#include "experiments/peers/peer_error.hpp"
#include "experiments/peers/peer_measurement.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

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

// What rows on the codec depend on besides the text and the device.
Json work_of(const PeerCodec& codec, PeerOperation operation, const std::string& version) {
  return {{"operation", operation == PeerOperation::compress ? "compress" : "decompress"},
          {"stage", codec.stage},
          {"variant", codec.variant},
          {"chunk_bytes", codec.chunk_bytes},
          {"version", version}};
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

std::size_t measure_peers(std::span<const PeerCodec> codecs, PeerOperation operation,
                          const std::string& version, const std::string& target, const RunOptions& run,
                          const InputOptions& input) {
  const auto measure =
      operation == PeerOperation::compress ? measure_peer_compression : measure_peer_decompression;
  const std::uint64_t text_bytes = input_file_bytes(input.path);
  const Json device = describe_gpu();
  check_text_size(text_bytes, device.at("l2_bytes"), run);
  const std::vector<std::uint8_t> text = read_input_file(input.path);
  PartialRows partial(run.output);
  std::vector<Json> rows;
  for (const PeerCodec& codec : codecs) {
    const Json key = row_key(work_of(codec, operation, version), input.dataset, run, device.at("gpu"),
                             device.at("driver"));
    if (partial.find(key) == nullptr) {
      try {
        Json row = Json::parse(
            run_in_child([&] { return measure(codec, text, input.dataset, run.repetitions).dump(); }));
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
  session.finish_with(target, rows);
  return codecs.size() - rows.size();
}

}  // namespace gsst::experiments
