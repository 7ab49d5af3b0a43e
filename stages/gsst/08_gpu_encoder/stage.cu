#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "common/stage/compile_time_choice.hpp"
#include "common/stage/copies.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
#include "stages/gsst/encode/encode_plan.hpp"
#include "stages/gsst/encode/encode_plans.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/gsst/08_gpu_encoder/kernel_8_compaction.cuh"
#include "stages/gsst/08_gpu_encoder/training.cuh"

namespace {

using gsst::stage::EncodeRequest;
using gsst::stage::EncodeSettings;

// The steps of the ladder. Each includes the ones before it.
enum Step : int {
  naive = 1,
  hash_indirection = 2,
  match_table = 3,
  with_sliding_window = 4,
  with_packed_output = 5,
  with_voting_flush = 6,
  with_transposition = 7,
  with_compaction = 8,
};

const gsst::stage::Description description = {
    .id = "gsst/08_gpu_encoder",
    .base = "",
    .title = "The published GPU encoder, table training on the CPU",
    .section = "GPU encoder paper, 4-6",
    .format = gsst::format::BlockFormat::splits,
    .operation = gsst::stage::Operation::encode,
    .minimum_compute_capability = 80,
    .parameters =
        {{.name = "step",
          .description =
              "ideas that are used, each with those before it: 1 naive, 2 hash indirection, 3 match "
              "table, 4 sliding window, 5 packed output, 6 voting flush, 7 transposition, "
              "8 compaction",
          .values = {1, 2, 3, 4, 5, 6, 7, 8},
          .default_value = with_compaction,
          .compile_time = true},
         {.name = "threads_per_block",
          .description = "threads of a thread block, a tile each",
          .values = {32, 64, 128, 256},
          .default_value = 128,
          .compile_time = false},
         {.name = "hash_entries",
          .description = "X: symbols of 3 to 8 bytes in a table (paper 4.2)",
          .values = {32, 64, 128, 255},
          .default_value = 128,
          .compile_time = false},
         {.name = "match_rows",
          .description = "R: first bytes of two-byte symbols in a table (paper 4.3)",
          .values = {32, 64},
          .default_value = 32,
          .compile_time = false},
         {.name = "match_pairs",
          .description = "K: two-byte symbols with the same first byte in a table (paper 4.3)",
          .values = {4, 8, 16},
          .default_value = 8,
          .compile_time = true}},
};

// What the phases of one encoding share.
struct Encoding {
  EncodeJob job;
  Step step;
  unsigned threads;
  unsigned thread_blocks;
  gsst::stage::EncodeSpace space;
};

std::int64_t value_of(const EncodeSettings& settings, const char* name) {
  return parameter_value(description, settings.parameters, name);
}

Step step_of(const EncodeSettings& settings) {
  return static_cast<Step>(value_of(settings, "step"));
}

// The first step finds symbols of any table; each lookup table that comes in limits it.
gsst::reference::TableLimits limits_of(const EncodeSettings& settings) {
  gsst::reference::TableLimits limits;
  const Step step = step_of(settings);
  if (step >= hash_indirection) {
    limits.long_symbols = static_cast<unsigned>(value_of(settings, "hash_entries"));
  }
  if (step >= match_table) {
    limits.pair_rows = static_cast<unsigned>(value_of(settings, "match_rows"));
    limits.pairs_per_row = static_cast<unsigned>(value_of(settings, "match_pairs"));
  }
  return limits;
}

unsigned thread_blocks_of(std::uint64_t groups) {
  if (groups > std::numeric_limits<std::int32_t>::max()) {
    throw std::invalid_argument("stage " + description.id + ": " + std::to_string(groups) +
                                " thread blocks are more than a grid can have; use larger blocks");
  }
  return static_cast<unsigned>(groups);
}

// Buffers of step 6 and later. The matrix is transposed out of the output, where the frame is written then:
// one buffer beside input and output is enough (paper 6.3, Fig 7).
void take_matrices(const EncodeRequest& request, gsst::stage::ScratchLayout& layout, Encoding& encoding) {
  EncodeJob& job = encoding.job;
  const std::uint64_t groups = encoding.thread_blocks;
  job.matrix_rows = most_rows(job.parts.cut.split_bytes());
  job.rows_of_group = layout.take<std::uint32_t>(groups);
  const std::uint64_t row_words = encoding.threads + encoding.threads / 32;
  const std::uint64_t matrix_words = groups * job.matrix_rows * row_words;
  if (encoding.step == with_voting_flush) {
    job.matrices = layout.take<std::uint32_t>(matrix_words);
    return;
  }
  job.matrices = reinterpret_cast<std::uint32_t*>(request.output);
  encoding.space.output_bytes = std::max(encoding.space.output_bytes, matrix_words * sizeof(std::uint32_t));
  job.tile_words =
      layout.take<std::uint32_t>(groups * encoding.threads * transposition::words_of_tile(job.matrix_rows));
}

Encoding make_encoding(const EncodeRequest& request) {
  const EncodeSettings& settings = request.settings;
  const std::uint32_t tables = table_count(settings);
  gsst::stage::ScratchLayout layout(request.scratch);
  Encoding encoding{};
  EncodeJob& job = encoding.job;
  job.parts = take_frame_parts(request, layout);
  encoding.step = step_of(settings);
  encoding.threads = static_cast<unsigned>(value_of(settings, "threads_per_block"));
  job.groups_per_block =
      static_cast<std::uint32_t>(gsst::format::part_size(job.parts.cut.used_splits(), encoding.threads));
  encoding.thread_blocks = thread_blocks_of(std::uint64_t{job.parts.cut.block_count} * job.groups_per_block);
  encoding.space.output_bytes = largest_frame_bytes(settings);
  job.shape = {.hash_entries = static_cast<std::uint32_t>(value_of(settings, "hash_entries")),
               .rows = static_cast<std::uint32_t>(value_of(settings, "match_rows")),
               .pairs = static_cast<std::uint32_t>(value_of(settings, "match_pairs"))};
  if (encoding.step <= hash_indirection) job.fsst_tables = layout.take<FsstTables>(tables);
  if (encoding.step >= hash_indirection) {
    job.compact_tables = layout.take<std::uint8_t>(std::uint64_t{tables} * job.shape.bytes());
  }
  if (encoding.step <= with_packed_output) {
    // An escape takes two bytes; codes are written in words of four.
    job.region_bytes = (2 * job.parts.cut.split_bytes() + 3) / 4 * 4;
    job.regions = layout.take<std::uint8_t>(std::uint64_t{encoding.thread_blocks} * encoding.threads *
                                            job.region_bytes);
  } else {
    take_matrices(request, layout, encoding);
  }
  encoding.space.scratch_bytes = layout.bytes();
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
  std::vector<FsstTables> fsst_tables(job.fsst_tables == nullptr ? 0 : tables.size());
  std::vector<std::uint8_t> compact(job.compact_tables == nullptr ? 0 : tables.size() * job.shape.bytes());
  gsst::reference::parallel_for(tables.size(), gsst::reference::thread_count(0), [&](std::size_t table) {
    stored[table].size =
        static_cast<std::uint32_t>(gsst::format::write_symbol_table(tables[table], stored[table].bytes));
    if (!fsst_tables.empty()) fsst_tables[table] = make_fsst_tables(tables[table]);
    if (!compact.empty()) {
      make_compact_tables(tables[table], job.shape,
                          std::span(compact).subspan(table * job.shape.bytes(), job.shape.bytes()));
    }
  });
  const auto copy = [&](auto* to, const auto& from) {
    gsst::stage::copy_to_executor(to, std::span(from), request.stream);
  };
  copy(job.parts.table_of_group, std::as_const(table_of_group));
  copy(job.parts.stored_tables, std::as_const(stored));
  copy(job.fsst_tables, std::as_const(fsst_tables));
  copy(job.compact_tables, std::as_const(compact));
}

void train(const EncodeRequest& request) {
  load_tables(request, train_tables(request, limits_of(request.settings)));
}

bool trains_on_executor(const EncodeSettings& /*settings*/) {
  return false;
}

std::vector<SymbolTable> tables(const EncodeRequest& request) {
  return tables_of(make_encoding(request).job.parts, table_count(request.settings), request.stream);
}

void enqueue_checksums(const EncodeRequest& request) {
  enqueue_checksums(make_encoding(request).job.parts, request.stream);
}

// Enqueues kernel(job) for each group of tiles; a grid of no blocks is an error in CUDA.
void launch_groups(const Encoding& encoding, std::size_t shared_bytes, void* stream,
                   void (*kernel)(EncodeJob)) {
  if (encoding.thread_blocks == 0) return;
  gsst::stage::launch({.thread_blocks = encoding.thread_blocks,
                       .threads_per_block = encoding.threads,
                       .shared_bytes = shared_bytes,
                       .stream = stream},
                      kernel, encoding.job);
}

// Steps 3 and later.
template <typename Lookup>
void enqueue_encoding_with(const Encoding& encoding, void* stream) {
  const std::uint32_t tables = Lookup::shared_bytes(encoding.job.shape);
  const std::uint32_t chunks = Chunk::shared_bytes(encoding.threads);
  const std::uint32_t buffers = CodeBuffer::shared_bytes(encoding.threads);
  const std::uint32_t rows_of_warp = encoding.threads / 32 * 4;
  if (encoding.step == match_table) {
    launch_groups(encoding, tables, stream, encode_tiles<Lookup>);
  } else if (encoding.step == with_sliding_window) {
    launch_groups(encoding, tables + chunks, stream, sliding_window::encode_tiles<Lookup>);
  } else if (encoding.step == with_packed_output) {
    launch_groups(encoding, tables + chunks + buffers, stream, packed_output::encode_tiles<Lookup>);
  } else {
    launch_groups(encoding, tables + chunks + buffers + rows_of_warp, stream,
                  voting_flush::encode_tiles<Lookup>);
  }
}

void enqueue_encoding(const EncodeRequest& request) {
  const Encoding encoding = make_encoding(request);
  const CompactShape& shape = encoding.job.shape;
  if (encoding.step == naive) {
    launch_groups(encoding, FsstLookup::shared_bytes(shape), request.stream, encode_tiles<FsstLookup>);
  } else if (encoding.step == hash_indirection) {
    launch_groups(encoding, IndirectLookup::shared_bytes(shape), request.stream,
                  encode_tiles<IndirectLookup>);
  } else {
    gsst::stage::choose<4, 8, 16>(value_of(request.settings, "match_pairs"), [&](auto pairs) {
      enqueue_encoding_with<MatchTableLookup<pairs()>>(encoding, request.stream);
    });
  }
}

// Nothing to do before step 7.
void enqueue_transposition(const EncodeRequest& request) {
  const Encoding encoding = make_encoding(request);
  if (encoding.step < with_transposition) return;
  constexpr std::size_t square_bytes = 32 * 33 * sizeof(std::uint32_t);
  launch_groups(encoding, encoding.threads / 32 * square_bytes, request.stream,
                transposition::transpose_matrices);
}

void enqueue_frame(const EncodeRequest& request) {
  enqueue_frame(make_encoding(request).job.parts, request.settings, request.stream);
}

void enqueue_compaction(const EncodeRequest& request) {
  const Encoding encoding = make_encoding(request);
  void (*kernel)(EncodeJob) = compaction::compact_tiles;
  if (encoding.step == with_transposition) kernel = transposition::copy_tiles;
  if (encoding.step == with_voting_flush) kernel = voting_flush::copy_columns;
  if (encoding.step < with_voting_flush) kernel = copy_regions;
  launch_groups(encoding, 0, request.stream, kernel);
}

const gsst::stage::Encoder encoder = {.space = space,
                                      .train = train,
                                      .trains_on_executor = trains_on_executor,
                                      .load_tables = load_tables,
                                      .tables = tables,
                                      .phases = {{"checksums", enqueue_checksums},
                                                 {"encoding", enqueue_encoding},
                                                 {"transposition", enqueue_transposition},
                                                 {"frame", enqueue_frame},
                                                 {"compaction", enqueue_compaction}}};

const gsst::stage::GsstEncodePlans plans(gsst::stage::this_executor, description, encoder);
const gsst::stage::Registration registration(gsst::stage::this_executor, description, &plans);

}  // namespace
