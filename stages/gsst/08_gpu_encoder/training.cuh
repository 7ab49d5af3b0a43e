#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reference_cpu/parallel.hpp"
#include "reference_cpu/sample.hpp"
#include "reference_cpu/train.hpp"
#include "stages/gsst/encode/encode_plan.hpp"
#include "stages/gsst/shared/gather.cuh"

// Tables are trained on the host, one a thread (paper 3). Of the input, which may be in device memory, the
// host gets no more than the samples.
namespace {

// Where the chunks of one table's sample stand.
struct SampleOfTable {
  std::size_t first_chunk;
  std::size_t chunk_count;
};

// The samples of all tables.
struct Samples {
  std::vector<SampleChunk> chunks;
  std::vector<SampleOfTable> tables;
  std::uint64_t bytes = 0;
};

inline Samples choose_samples(const gsst::stage::EncodeRequest& request) {
  Samples samples;
  const std::span<const std::uint8_t> input(request.input, request.settings.input_bytes);
  for (std::uint32_t table = 0; table < table_count(request.settings); ++table) {
    // Nothing of the span is read here: it may be device memory.
    const auto parts =
        gsst::reference::draw_sample(input_of_table(input, request.settings, table),
                                     gsst::reference::sample_bytes, gsst::reference::default_training_seed);
    samples.tables.push_back({.first_chunk = samples.chunks.size(), .chunk_count = parts.size()});
    for (const std::span<const std::uint8_t> part : parts) {
      samples.chunks.push_back({.bytes = part.data(), .size = part.size(), .place = samples.bytes});
      samples.bytes += part.size();
    }
  }
  return samples;
}

// Trains the tables of `request`, and uses its scratch memory.
inline std::vector<gsst::format::SymbolTable> train_tables(const gsst::stage::EncodeRequest& request,
                                                           const gsst::reference::TableLimits& limits) {
  const Samples samples = choose_samples(request);
  const std::vector<std::uint8_t> bytes = fetch_samples(request, samples.chunks, samples.bytes);
  std::vector<gsst::format::SymbolTable> tables(samples.tables.size());
  gsst::reference::parallel_for(tables.size(), gsst::reference::thread_count(0), [&](std::size_t table) {
    std::vector<std::span<const std::uint8_t>> sample;
    const SampleOfTable& place = samples.tables[table];
    for (std::size_t i = 0; i < place.chunk_count; ++i) {
      const SampleChunk& chunk = samples.chunks[place.first_chunk + i];
      sample.push_back(std::span(bytes).subspan(chunk.place, chunk.size));
    }
    tables[table] = gsst::reference::train_on_sample(sample, limits);
  });
  return tables;
}

}  // namespace
