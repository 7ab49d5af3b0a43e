#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/encode_stage/memory.hpp"
#include "common/encode_stage/registry.hpp"
#include "common/encode_stage/side_by_side.hpp"
#include "common/stage/launch.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/gsst/10_wide_encoder/compaction_of_long_splits.cuh"
#include "stages/gsst/10_wide_encoder/host_training.cuh"
#include "stages/gsst/10_wide_encoder/kernel_6_gpu_training.cuh"

namespace {

using gsst::stage::EncodeRequest;
using gsst::stage::EncodeSettings;

// The steps of the ladder. Each includes the ones before it.
enum Step : int {
  warp_chunks = 1,
  hash_entries = 2,
  transposed = 3,
  hashed_pairs = 4,
  checksums_beside = 5,
  gpu_training = 6,
};

const gsst::stage::Description description = {
    .id = "gsst/10_wide_encoder",
    .base = "gsst/08_gpu_encoder",
    .title = "Beyond the paper: a warp encodes 32 splits in shared memory",
    .section = "GPU encoder paper, 7",
    .format = gsst::format::BlockFormat::splits,
    .operation = gsst::stage::Operation::encode,
    .minimum_compute_capability = 80,
    .parameters = {{.name = "step",
                    .description =
                        "ideas that are used, each with those before it: 1 warp chunks, 2 hash "
                        "entries of 8 bytes, 3 transposed chunks, 4 hashed pairs, 5 checksums beside the "
                        "encoding, 6 training on the GPU",
                    .values = {1, 2, 3, 4, 5, 6},
                    .default_value = gpu_training,
                    .compile_time = true},
                   {.name = "warps_per_block",
                    .description = "warps of a thread block at most; fewer where shared memory ends",
                    .values = {4, 8, 12, 16, 20, 22},
                    .default_value = 22,
                    .compile_time = false},
                   {.name = "shared_kilobytes",
                    .description =
                        "shared memory of a thread block at most; with less than 102 rows are halved",
                    .values = {48, 64, 99, 163, 227},
                    .default_value = 227,
                    .compile_time = false}},
};

// What the phases of one encoding share.
struct Encoding {
  EncodeJob job;
  // From step gpu_training on.
  training::Scratch* training_scratch;
  Step step;
  gsst::stage::EncodeSpace space;
};

std::int64_t value_of(const EncodeSettings& settings, const char* name) {
  return parameter_value(description, settings.parameters, name);
}

// Bytes of shared memory that a thread block may use.
std::size_t shared_room(const EncodeSettings& settings) {
  const auto allowed = static_cast<std::size_t>(value_of(settings, "shared_kilobytes")) * 1024;
  return std::min(allowed, gsst::stage::max_shared_bytes());
}

// From hashed_pairs on: where long rows leave room for fewer warps than these, they are halved.
constexpr std::size_t warps_of_long_rows = 8;

bool has_short_rows(Step step, std::size_t room) {
  constexpr std::size_t needed =
      sizeof(SmallTables) + warps_of_long_rows * TransposedRows<long_row_bytes>::shared_bytes;
  return step >= hashed_pairs && room < needed;
}

// Calls use.operator()<Chunk, Lookup>() with what the step encodes with.
template <typename Use>
void with_kernel_of(Step step, bool short_rows, Use use) {
  using LongRows = TransposedRows<long_row_bytes>;
  if (step == warp_chunks) return use.template operator()<RowsInOrder, LargeLookup>();
  if (step == hash_entries) return use.template operator()<RowsInOrder, MediumLookup>();
  if (step == transposed) return use.template operator()<LongRows, MediumLookup>();
  if (short_rows) return use.template operator()<TransposedRows<short_row_bytes>, SmallLookup>();
  use.template operator()<LongRows, SmallLookup>();
}

std::uint64_t table_bytes_of(Step step) {
  std::uint64_t bytes = 0;
  with_kernel_of(step, false,
                 [&]<typename Chunk, typename Lookup>() { bytes = sizeof(typename Lookup::Tables); });
  return bytes;
}

std::uint32_t group_count_of(const EncodeSettings& settings, std::uint32_t groups_per_block) {
  const std::uint64_t groups = std::uint64_t{block_count(settings)} * groups_per_block;
  if (groups > std::numeric_limits<std::int32_t>::max()) {
    throw std::invalid_argument("stage " + description.id + ": " + std::to_string(groups) +
                                " groups of 32 splits are more than can be counted; use larger splits");
  }
  return static_cast<std::uint32_t>(groups);
}

// Bytes of the longest split of the last block, which may be shorter than the others.
std::uint32_t last_split_bytes(const EncodeSettings& settings) {
  if (settings.input_bytes == 0) return 0;
  const std::uint64_t last_block = settings.input_bytes - (block_count(settings) - 1) * settings.block_bytes;
  return static_cast<std::uint32_t>(gsst::format::part_size(last_block, settings.split_count));
}

// The CPU executor runs one thread after the other: few warps find the same mistakes sooner.
constexpr bool is_on_cpu = gsst::stage::this_executor == gsst::stage::Executor::simt;
constexpr std::size_t most_encoding_warps = is_on_cpu ? 4 : 32;
constexpr unsigned training_threads = is_on_cpu ? 64 : training::threads;

// Thread blocks that train, a table each at a time: as many as run side by side.
std::uint32_t training_blocks(const EncodeSettings& settings) {
  const std::uint32_t resident =
      gsst::stage::resident_thread_blocks(training_threads, sizeof(training::Shared), training::train_tables);
  return std::min(table_count(settings), resident);
}

std::uint32_t row_bytes_of(Step step, const EncodeSettings& settings) {
  return has_short_rows(step, shared_room(settings)) ? short_row_bytes : long_row_bytes;
}

Encoding make_encoding(const EncodeRequest& request) {
  const EncodeSettings& settings = request.settings;
  gsst::stage::ScratchLayout layout(request.scratch);
  Encoding encoding{};
  EncodeJob& job = encoding.job;
  job.parts = take_frame_parts(request, layout);
  encoding.step = static_cast<Step>(value_of(settings, "step"));
  job.groups_per_block = static_cast<std::uint32_t>(gsst::format::part_size(job.parts.cut.used_splits(), 32));
  job.group_count = group_count_of(settings, job.groups_per_block);
  job.split_bytes = job.parts.cut.split_bytes();
  job.last_split_bytes = last_split_bytes(settings);
  job.group_input_bytes = std::uint64_t{32} * job.parts.cut.split_bytes();
  job.group_bytes = most_group_bytes(job.parts.cut.split_bytes(), row_bytes_of(encoding.step, settings));
  job.tables = layout.take<std::uint8_t>(table_count(settings) * table_bytes_of(encoding.step));
  job.chunk_counts = layout.take<std::uint32_t>(job.group_count);
  job.chunks = layout.take<std::uint8_t>(job.group_count * job.group_bytes);
  if (encoding.step >= gpu_training) {
    encoding.training_scratch = layout.take<training::Scratch>(training_blocks(settings));
  }
  encoding.space = {.output_bytes = largest_frame_bytes(settings), .scratch_bytes = layout.bytes()};
  return encoding;
}

gsst::stage::EncodeSpace space(const EncodeSettings& settings) {
  check_settings(description, settings);
  EncodeRequest request = {};
  request.settings = settings;
  return make_encoding(request).space;
}

void load_tables(const EncodeRequest& request, std::span<const SymbolTable> tables) {
  const Encoding encoding = make_encoding(request);
  const EncodeJob& job = encoding.job;
  const std::uint32_t groups = table_count(request.settings);
  if (groups == 0) return;
  std::vector<std::uint32_t> table_of_group(groups, 0);
  for (std::uint32_t group = 0; group < groups && tables.size() != 1; ++group) table_of_group[group] = group;
  std::vector<StoredTable> stored(tables.size());
  const auto copy = [&](auto* to, const auto& from) {
    gsst::stage::copy_to_executor(to, std::span(from), request.stream);
  };
  with_kernel_of(encoding.step, false, [&]<typename Chunk, typename Lookup>() {
    using Tables = typename Lookup::Tables;
    std::vector<Tables> lookup_tables(tables.size());
    gsst::reference::parallel_for(tables.size(), gsst::reference::thread_count(0), [&](std::size_t table) {
      stored[table].size =
          static_cast<std::uint32_t>(gsst::format::write_symbol_table(tables[table], stored[table].bytes));
      fill(tables[table], lookup_tables[table]);
    });
    copy(reinterpret_cast<Tables*>(job.tables), std::as_const(lookup_tables));
  });
  copy(job.parts.table_of_group, std::as_const(table_of_group));
  copy(job.parts.stored_tables, std::as_const(stored));
}

void enqueue_training(const EncodeRequest& request) {
  const Encoding encoding = make_encoding(request);
  const std::uint32_t thread_blocks = training_blocks(request.settings);
  if (thread_blocks == 0) return;
  gsst::stage::clear_pieces(encoding.training_scratch, sizeof(training::Scratch),
                            sizeof encoding.training_scratch->pair_counts, thread_blocks, request.stream);
  gsst::stage::launch({.thread_blocks = thread_blocks,
                       .threads_per_block = training_threads,
                       .shared_bytes = sizeof(training::Shared),
                       .stream = request.stream},
                      training::train_tables, encoding.job, encoding.training_scratch,
                      table_count(request.settings));
}

bool trains_on_executor(const EncodeSettings& settings) {
  return value_of(settings, "step") >= gpu_training;
}

void train(const EncodeRequest& request) {
  if (trains_on_executor(request.settings)) {
    enqueue_training(request);
  } else {
    load_tables(request, train_on_host(request));
  }
}

std::vector<SymbolTable> tables(const EncodeRequest& request) {
  return tables_of(make_encoding(request).job.parts, table_count(request.settings), request.stream);
}

// From step checksums_beside on this is done while encoding.
void enqueue_checksums(const EncodeRequest& request) {
  const Encoding encoding = make_encoding(request);
  if (encoding.step < checksums_beside) enqueue_checksums(encoding.job.parts, request.stream);
}

void enqueue_checksums_beside(const EncodeJob& job, void* stream) {
  gsst::stage::leave_shared_memory_to_others(checksum_pieces_beside);
  const std::uint64_t warps = gsst::format::part_size(all_checksum_pieces(job.parts), pieces_of_warp);
  const std::uint64_t needed = gsst::format::part_size(warps, checksum_threads / 32);
  const std::uint64_t resident = std::uint64_t{checksum_blocks_beside} * gsst::stage::multiprocessor_count();
  gsst::stage::launch({.thread_blocks = static_cast<unsigned>(std::min(needed, resident)),
                       .threads_per_block = checksum_threads,
                       .shared_bytes = 0,
                       .stream = stream},
                      checksum_pieces_beside, job);
  enqueue_block_checksums(job.parts, stream);
}

void enqueue_encoding_kernel(const EncodeSettings& settings, const Encoding& encoding, void* stream) {
  const EncodeJob& job = encoding.job;
  const std::size_t room = shared_room(settings);
  with_kernel_of(encoding.step, has_short_rows(encoding.step, room), [&]<typename Chunk, typename Lookup>() {
    constexpr std::size_t table_bytes = sizeof(typename Lookup::Tables);
    const std::size_t warps_with_room = room < table_bytes ? 0 : (room - table_bytes) / Chunk::shared_bytes;
    const unsigned most_warps = encoding.step < checksums_beside ? Chunk::most_warps : warps_beside_checksums;
    const std::size_t wanted =
        std::min<std::size_t>({static_cast<std::size_t>(value_of(settings, "warps_per_block")),
                               Chunk::most_warps, most_warps, most_encoding_warps});
    const auto warps =
        static_cast<unsigned>(std::min<std::size_t>({wanted, warps_with_room, job.group_count}));
    if (warps == 0) {
      throw std::invalid_argument("stage " + description.id + ": step " + std::to_string(encoding.step) +
                                  " needs " + std::to_string(table_bytes + Chunk::shared_bytes) +
                                  " bytes of shared memory, a thread block has " + std::to_string(room));
    }
    const std::size_t shared_bytes = table_bytes + warps * Chunk::shared_bytes;
    void (*const kernel)(EncodeJob) = encode_groups<Chunk, Lookup>;
    const std::uint32_t resident = gsst::stage::resident_thread_blocks(warps * 32, shared_bytes, kernel);
    gsst::stage::launch({.thread_blocks = std::min(resident, job.group_count),
                         .threads_per_block = warps * 32,
                         .shared_bytes = shared_bytes,
                         .stream = stream},
                        kernel, job);
  });
}

void enqueue_encoding(const EncodeRequest& request) {
  const Encoding encoding = make_encoding(request);
  if (encoding.job.group_count == 0) return;
  const auto enqueue_kernel = [&](void* stream) {
    enqueue_encoding_kernel(request.settings, encoding, stream);
  };
  if (encoding.step < checksums_beside) return enqueue_kernel(request.stream);
  gsst::stage::enqueue_side_by_side(request.stream, enqueue_kernel,
                                    [&](void* stream) { enqueue_checksums_beside(encoding.job, stream); });
}

void enqueue_frame(const EncodeRequest& request) {
  enqueue_frame(make_encoding(request).job.parts, request.stream);
}

// Whether the groups have one chunk each, but perhaps those of the last block: a row starts at an address
// that 16 divides.
bool has_one_chunk(const EncodeJob& job, std::uint32_t row_bytes) {
  const InputCut& cut = job.parts.cut;
  const std::uint64_t unaligned =
      (reinterpret_cast<std::uintptr_t>(cut.input) | cut.block_bytes | job.split_bytes) % unit_bytes;
  return job.split_bytes + (unaligned == 0 ? 0 : unit_bytes - 1) <= row_bytes;
}

void enqueue_compaction(const EncodeRequest& request) {
  const Encoding encoding = make_encoding(request);
  const EncodeJob& job = encoding.job;
  if (job.group_count == 0) return;
  const std::size_t room = shared_room(request.settings);
  const bool one_chunk = has_one_chunk(job, row_bytes_of(encoding.step, request.settings));
  const std::size_t warp_bytes = one_chunk ? sizeof(PackedCodes) : sizeof(LongSplitBuffers);
  constexpr unsigned most_warps = 4;
  unsigned warps = most_warps;
  while (warps > 1 && warps * warp_bytes > room) --warps;
  gsst::stage::launch({.thread_blocks = (job.group_count + warps - 1) / warps,
                       .threads_per_block = warps * 32,
                       .shared_bytes = warps * warp_bytes,
                       .stream = request.stream},
                      one_chunk ? copy_groups : copy_groups_of_long_splits, job);
}

const gsst::stage::EncoderRegistration registration(gsst::stage::this_executor, description,
                                                    {.space = space,
                                                     .train = train,
                                                     .trains_on_executor = trains_on_executor,
                                                     .load_tables = load_tables,
                                                     .tables = tables,
                                                     .phases = {{"checksums", enqueue_checksums},
                                                                {"encoding", enqueue_encoding},
                                                                {"frame", enqueue_frame},
                                                                {"compaction", enqueue_compaction}}});

}  // namespace
