#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "common/stage/default_stages.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/plans_of_stage.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/search/01_decode_then_search/kernel.cuh"
#include "stages/search/shared/host_search.cuh"

namespace gsst::search::kernels {
namespace {

const stage::Description description = {
    .id = "search/01_decode_then_search",
    .base = "",
    .title = "Decode to memory, then search the text",
    .section = "search, baseline",
    .format = format::BlockFormat::tiles,
    .operation = stage::Operation::query,
    .minimum_compute_capability = 80,
    .parameters = {},
};

// Of the window that text is compared with.
constexpr std::uint32_t compared_bytes = 4;
constexpr unsigned threads_of_search = 512;

class DecodeThenSearch : public SearchPlan {
public:
  // `decoding` decodes the subject's frame.
  DecodeThenSearch(const stage::QuerySubject& subject, std::unique_ptr<stage::Plan> decoding)
      : SearchPlan(description, subject, compared_bytes, Scratch(nullptr, *decoding).bytes),
        decoding_(std::move(decoding)) {
    phases_.assign(decoding_->phases().begin(), decoding_->phases().end());
    phases_.push_back({.name = "search"});
    const std::uint64_t of_thread_block = std::uint64_t{threads_of_search} * pieces_ahead * text_piece_bytes;
    const std::uint64_t wanted = (frame_.uncompressed_bytes + of_thread_block - 1) / of_thread_block;
    thread_blocks_ = static_cast<unsigned>(
        std::min<std::uint64_t>(stage::resident_thread_blocks(threads_of_search, 0, search_text), wanted));
  }

  std::span<const stage::Phase> phases() const override { return phases_; }

  void enqueue(std::span<const stage::Given> given, stage::Stream stream, std::size_t phase) const override {
    const Scratch scratch(given[4].data, *decoding_);
    if (phase + 1 < phases_.size()) {
      const std::span<const stage::Part> parts = decoding_->parts();
      decoding_->enqueue(
          std::array{given[0], stage::Given{.data = scratch.text, .bytes = parts[1].bytes},
                     stage::Given{.data = scratch.of_decoding, .bytes = parts[2].bytes}, given[5]},
          stream, phase);
      return;
    }
    const SearchOnDevice search = search_in(given);
    stage::clear(search.answer.count, sizeof(std::uint64_t), stream);
    // A grid of no blocks is an error in CUDA.
    if (thread_blocks_ == 0) return;
    stage::launch({.thread_blocks = thread_blocks_,
                   .threads_per_block = threads_of_search,
                   .shared_bytes = 0,
                   .stream = stream},
                  search_text, search, scratch.text, frame_.uncompressed_bytes);
  }

private:
  // The text, and what decoding takes.
  struct Scratch {
    Scratch(void* memory, const stage::Plan& decoding) {
      stage::ScratchLayout layout(static_cast<std::uint8_t*>(memory));
      text = layout.take<std::uint8_t>(decoding.parts()[1].bytes);
      of_decoding = layout.take<std::uint8_t>(decoding.parts()[2].bytes);
      bytes = layout.bytes();
    }

    std::uint8_t* text;
    std::uint8_t* of_decoding;
    std::uint64_t bytes;
  };

  std::unique_ptr<stage::Plan> decoding_;
  std::vector<stage::Phase> phases_;
  unsigned thread_blocks_;
};

std::unique_ptr<stage::Plan> plan_search(const stage::QuerySubject& subject) {
  const stage::RegisteredStage* const decoder =
      stage::default_stage(description.format, stage::Operation::decode, stage::this_executor);
  if (decoder == nullptr || !decoder->decode.contains(stage::this_executor)) {
    refuse_search(description, "this program has no decoder of format tiles");
  }
  return std::make_unique<DecodeThenSearch>(
      subject,
      decoder->decode.at(stage::this_executor).make({.frame = searched_frame(description, subject)}));
}

const stage::Registration registration(
    stage::this_executor, description,
    stage::QueryPlans{.reads = [](format::BlockFormat format) { return format == description.format; },
                      .make = plan_search});

}  // namespace
}  // namespace gsst::search::kernels
