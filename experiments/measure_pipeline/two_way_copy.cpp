#include "experiments/measure_pipeline/two_way_copy.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "common/format/part_size.hpp"

namespace gsst::experiments {
namespace {

// Piece `piece` of `pieces`, the last of which may be shorter than the others, or empty.
template <typename Byte>
std::span<Byte> piece_of(std::span<Byte> bytes, std::uint64_t piece, std::uint64_t pieces) {
  const std::uint64_t most = format::part_size(bytes.size(), pieces);
  const std::uint64_t begin = std::min<std::uint64_t>(piece * most, bytes.size());
  return bytes.subspan(begin, std::min<std::uint64_t>(most, bytes.size() - begin));
}

}  // namespace

TwoWayCopy::TwoWayCopy(stage::Executor executor, std::uint64_t piece_bytes)
    : arrives_(pipeline::Buffer::on_device(executor, piece_bytes)),
      leaves_(pipeline::Buffer::on_device(executor, piece_bytes)),
      uploads_(executor),
      downloads_(executor) {}

double TwoWayCopy::seconds(std::span<const std::uint8_t> up, std::span<std::uint8_t> down,
                           std::uint64_t pieces) {
  if (format::part_size(std::max(up.size(), down.size()), pieces) > arrives_.size()) {
    throw std::length_error("a piece of a two-way copy is larger than its memory");
  }
  const auto start = std::chrono::steady_clock::now();
  for (std::uint64_t piece = 0; piece < pieces; ++piece) {
    uploads_.copy(arrives_.data(), piece_of(up, piece, pieces));
    const std::span<std::uint8_t> to = piece_of(down, piece, pieces);
    downloads_.copy(to.data(), leaves_.bytes().first(to.size()));
  }
  uploads_.wait();
  downloads_.wait();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace gsst::experiments
