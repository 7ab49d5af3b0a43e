#include <algorithm>
#include <utility>
#include <vector>

#include "common/stage/copies.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
#include "stages/gsst/encode/encode_plan.hpp"
#include "stages/gsst/encode/encode_plans.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/gsst/10_wide_encoder/copiers.cuh"
#include "stages/gsst/10_wide_encoder/host_encoding.cuh"
#include "stages/gsst/10_wide_encoder/host_tiles.cuh"
#include "stages/gsst/10_wide_encoder/host_training.cuh"

namespace {

// What the phases of one encoding share.
struct Encoding {
  EncodeJob job;
  // From step gpu_training on.
  training::Scratch* training_scratch;
  Step step;
  gsst::stage::EncodeSpace space;
};

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

// Thread blocks that train, a table each at a time: as many as run side by side.
std::uint32_t training_blocks(const EncodeSettings& settings) {
  const std::uint32_t resident =
      gsst::stage::resident_thread_blocks(training_threads, sizeof(training::Shared), training::train_tables);
  return std::min(table_count(settings), resident);
}

bool has_short_rows(Step step, const EncodeSettings& settings) {
  return step >= hashed_pairs && has_short_rows(sizeof(SmallTables), shared_room(settings));
}

std::uint32_t row_bytes_of(Step step, const EncodeSettings& settings) {
  return has_short_rows(step, settings) ? short_row_bytes : long_row_bytes;
}

Encoding make_encoding(const EncodeRequest& request) {
  const EncodeSettings& settings = request.settings;
  gsst::stage::ScratchLayout layout(request.scratch);
  Encoding encoding{};
  encoding.step = static_cast<Step>(value_of(settings, "step"));
  encoding.job =
      take_encode_job(request, layout, row_bytes_of(encoding.step, settings), table_bytes_of(encoding.step));
  if (can_train_on_executor(settings)) {
    encoding.training_scratch = layout.take<training::Scratch>(training_blocks(settings));
  }
  encoding.space = {.output_bytes = largest_frame_bytes(settings), .scratch_bytes = layout.bytes()};
  return encoding;
}

gsst::stage::EncodeSpace space(const EncodeSettings& settings) {
  check_settings(description, settings);
  EncodeRequest request = {};
  request.settings = settings;
  return settings.tiles ? tiles::make_encoding(request).space : make_encoding(request).space;
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
  enqueue_clearing(encoding.training_scratch, thread_blocks, request.stream);
  gsst::stage::launch({.thread_blocks = thread_blocks,
                       .threads_per_block = training_threads,
                       .shared_bytes = sizeof(training::Shared),
                       .stream = request.stream},
                      training::train_tables, encoding.job, encoding.training_scratch,
                      table_count(request.settings));
}

bool trains_on_executor(const EncodeSettings& settings) {
  return settings.tiles ? tiles::trains_on_executor(settings) : can_train_on_executor(settings);
}

void train(const EncodeRequest& request) {
  if (request.settings.tiles) {
    tiles::train(request);
  } else if (trains_on_executor(request.settings)) {
    enqueue_training(request);
  } else {
    load_tables(request, train_on_host(request));
  }
}

std::vector<SymbolTable> tables(const EncodeRequest& request) {
  if (request.settings.tiles) return {};
  return tables_of(make_encoding(request).job.parts, table_count(request.settings), request.stream);
}

// From step checksums_beside on this is done while encoding.
void enqueue_checksums(const EncodeRequest& request) {
  if (request.settings.tiles) return;
  const Encoding encoding = make_encoding(request);
  if (encoding.step < checksums_beside) enqueue_checksums(encoding.job.parts, request.stream);
}

// Enqueues the kernel that encodes `piece`.
void enqueue_kernel(const Encoding& encoding, const EncodeRequest& request, const EncodeJob& piece,
                    bool beside_others, void* stream) {
  with_kernel_of(encoding.step, has_short_rows(encoding.step, request.settings),
                 [&]<typename Chunk, typename Lookup>() {
                   const unsigned most_warps = beside_others ? warps_beside_others : Chunk::most_warps;
                   enqueue_encoding_kernel<Chunk, Lookup>(request.settings, piece, most_warps, stream);
                 });
}

void enqueue_copies_of_piece(const Encoding& encoding, const EncodeRequest& request, const EncodeJob& piece,
                             void* stream) {
  enqueue_copies(piece, row_bytes_of(encoding.step, request.settings), shared_room(request.settings), stream);
}

// An encoding and copies find room on the same multiprocessor only where all of its memory is shared memory.
void leave_room_for_copiers(const Encoding& encoding, const EncodeRequest& request) {
  with_kernel_of(encoding.step, has_short_rows(encoding.step, request.settings),
                 [&]<typename Chunk, typename Lookup>() {
                   gsst::stage::leave_shared_memory_to_others(encode_groups<Chunk, Lookup>);
                 });
  gsst::stage::leave_shared_memory_to_others(copy_groups);
  gsst::stage::leave_shared_memory_to_others(copy_groups_of_long_splits);
}

// Enqueues the encoding of `piece` and what is done beside it: checksums, and copies of the piece before it,
// if there is one.
void enqueue_piece(const Encoding& encoding, const EncodeRequest& request, const EncodeJob& piece,
                   const EncodeJob* before) {
  const bool has_checksums = encoding.step >= checksums_beside;
  const bool has_copiers = piece.group_count != encoding.job.group_count;
  const auto encode = [&](void* stream) {
    enqueue_kernel(encoding, request, piece, has_checksums || has_copiers, stream);
  };
  if (!has_checksums && !has_copiers) return encode(request.stream);
  const auto make_checksums = [&](void* stream) {
    if (has_checksums) enqueue_checksums_beside(piece, stream);
  };
  const auto copy = [&](void* stream) {
    if (before == nullptr) return;
    enqueue_places_of_piece(encoding.job, *before, stream);
    enqueue_copies_of_piece(encoding, request, *before, stream);
  };
  if (has_copiers) leave_room_for_copiers(encoding, request);
  gsst::stage::enqueue_side_by_side(request.stream, encode, make_checksums, copy);
}

void enqueue_encoding(const EncodeRequest& request) {
  if (request.settings.tiles) return tiles::enqueue_encoding(request);
  const Encoding encoding = make_encoding(request);
  if (encoding.job.group_count == 0) return;
  const std::vector<EncodeJob> pieces = pieces_of(encoding.job, request.settings);
  for (std::size_t number = 0; number < pieces.size(); ++number) {
    enqueue_piece(encoding, request, pieces[number], number == 0 ? nullptr : &pieces[number - 1]);
  }
}

void enqueue_frame(const EncodeRequest& request) {
  if (request.settings.tiles) return tiles::enqueue_frame(request);
  const EncodeJob job = make_encoding(request).job;
  enqueue_places_of_piece(job, pieces_of(job, request.settings).back(), request.stream);
  enqueue_frame_around_codes(job.parts, request.settings, request.stream);
}

void enqueue_compaction(const EncodeRequest& request) {
  if (request.settings.tiles) return tiles::enqueue_tiles(request);
  const Encoding encoding = make_encoding(request);
  if (encoding.job.group_count == 0) return;
  enqueue_copies_of_piece(encoding, request, pieces_of(encoding.job, request.settings).back(),
                          request.stream);
}

const gsst::stage::Encoder encoder = {.space = space,
                                      .train = train,
                                      .trains_on_executor = trains_on_executor,
                                      .load_tables = load_tables,
                                      .load_tile_table = tiles::load_table,
                                      .tables = tables,
                                      .phases = {{"checksums", enqueue_checksums},
                                                 {"encoding", enqueue_encoding},
                                                 {"frame", enqueue_frame},
                                                 {"compaction", enqueue_compaction}}};

const gsst::stage::GsstEncodePlans plans(gsst::stage::this_executor, description, encoder);
const gsst::stage::Registration registration(gsst::stage::this_executor, description, &plans);

}  // namespace
