#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/encode_stage/encode_stage.hpp"
#include "common/encode_stage/memory.hpp"
#include "common/encode_stage/scratch_layout.hpp"
#include "common/stage/launch.hpp"
#include "reference_cpu/parallel.hpp"
#include "reference_cpu/sample.hpp"
#include "reference_cpu/train.hpp"

// Tables are trained on the host, one a thread (paper 3). Of the input, which may be in device memory, the
// host gets no more than the samples.
namespace {

// A piece of the input that the trainer wants, and where it goes among the samples.
struct SampleChunk {
  const std::uint8_t* bytes;
  std::uint64_t size;
  std::uint64_t place;
};

// One thread block a chunk.
__global__ void gather_samples(const SampleChunk* chunks, std::uint8_t* samples) {
  const SampleChunk chunk = chunks[blockIdx.x];
  for (std::uint64_t byte = threadIdx.x; byte < chunk.size; byte += blockDim.x) {
    samples[chunk.place + byte] = chunk.bytes[byte];
  }
}

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

// The bytes of all samples, on the host.
inline std::vector<std::uint8_t> fetch_samples(const gsst::stage::EncodeRequest& request,
                                               const Samples& samples) {
  std::vector<std::uint8_t> bytes(samples.bytes);
  if (samples.chunks.empty()) return bytes;
  gsst::stage::ScratchLayout layout(request.scratch);
  auto* const chunks = layout.take<SampleChunk>(samples.chunks.size());
  auto* const gathered = layout.take<std::uint8_t>(samples.bytes);
  gsst::stage::copy_to_executor(chunks, std::span<const SampleChunk>(samples.chunks), request.stream);
  gsst::stage::launch({.thread_blocks = static_cast<unsigned>(samples.chunks.size()),
                       .threads_per_block = 128,
                       .shared_bytes = 0,
                       .stream = request.stream},
                      gather_samples, chunks, gathered);
  gsst::stage::copy_to_host(std::span(bytes), gathered, request.stream);
  return bytes;
}

// Trains the tables of `request`, and uses its scratch memory.
inline std::vector<gsst::format::SymbolTable> train_tables(const gsst::stage::EncodeRequest& request,
                                                           const gsst::reference::TableLimits& limits) {
  const Samples samples = choose_samples(request);
  const std::vector<std::uint8_t> bytes = fetch_samples(request, samples);
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
