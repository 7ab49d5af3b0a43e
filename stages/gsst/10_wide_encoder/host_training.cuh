#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reference_cpu/parallel.hpp"
#include "reference_cpu/sample.hpp"
#include "reference_cpu/train.hpp"
#include "stages/gsst/encode/encode_plan.hpp"
#include "stages/gsst/shared/gather.cuh"

// Before step 5 tables are trained on the host, one a thread, as the reference codec does at level 1.
namespace {

inline std::vector<gsst::format::SymbolTable> train_on_host(const gsst::stage::EncodeRequest& request) {
  const std::span<const std::uint8_t> input(request.input, request.settings.input_bytes);
  const std::uint32_t tables = table_count(request.settings);
  std::vector<SampleChunk> chunks;
  std::vector<std::size_t> first_chunks;
  std::uint64_t sample_bytes = 0;
  for (std::uint32_t table = 0; table < tables; ++table) {
    first_chunks.push_back(chunks.size());
    // Nothing of the span is read here: it may be device memory.
    for (const auto part : gsst::reference::draw_sample(input_of_table(input, request.settings, table),
                                                        gsst::reference::sample_bytes,
                                                        gsst::reference::default_training_seed)) {
      chunks.push_back({.bytes = part.data(), .size = part.size(), .place = sample_bytes});
      sample_bytes += part.size();
    }
  }
  first_chunks.push_back(chunks.size());
  const std::vector<std::uint8_t> bytes = fetch_samples(request, chunks, sample_bytes);
  std::vector<gsst::format::SymbolTable> trained(tables);
  gsst::reference::parallel_for(tables, gsst::reference::thread_count(0), [&](std::size_t table) {
    std::vector<std::span<const std::uint8_t>> sample;
    for (std::size_t chunk = first_chunks[table]; chunk < first_chunks[table + 1]; ++chunk) {
      sample.push_back(std::span(bytes).subspan(chunks[chunk].place, chunks[chunk].size));
    }
    trained[table] = gsst::reference::train_on_sample(sample);
  });
  return trained;
}

}  // namespace
