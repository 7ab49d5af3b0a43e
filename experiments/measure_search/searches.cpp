#include "experiments/measure_search/searches.hpp"

#include <algorithm>
#include <map>

#include "common/pipeline/queue.hpp"
#include "common/stage/frame_shape.hpp"
#include "common/stage/registry.hpp"
#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

constexpr std::uint64_t part_alignment = 256;
constexpr std::uint8_t poison_of_searches = 0xa5;

bool is_written(stage::Role role) {
  return role == stage::Role::output || role == stage::Role::result || role == stage::Role::status;
}

bool is_in_common(stage::Role role) {
  return role == stage::Role::output || role == stage::Role::scratch;
}

}  // namespace

PartMemory::PartMemory(stage::Executor executor, std::uint64_t bytes)
    : bytes_(bytes), buffer_(pipeline::Buffer::on_device(executor, bytes + part_alignment)) {}

PartMemory PartMemory::on_host(stage::Executor executor, std::uint64_t bytes) {
  return {pipeline::Buffer::on_host(executor, bytes + part_alignment), bytes};
}

std::span<std::uint8_t> PartMemory::bytes() const {
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(buffer_.data());
  return buffer_.bytes().subspan((part_alignment - address % part_alignment) % part_alignment, bytes_);
}

stage::Given PartMemory::given() const {
  return {.data = bytes().data(), .bytes = bytes_};
}

SearchedFrame::SearchedFrame(stage::Executor executor, std::span<const std::uint8_t> frame)
    : executor_(executor), shape_(stage::frame_shape(frame)), memory_(executor, frame.size()) {
  pipeline::Queue queue(executor);
  queue.copy(memory_.bytes().data(), frame);
  queue.wait();
}

WantedSearch wanted_search(const Point& point) {
  const nlohmann::ordered_json pattern = point.row.value("pattern", nlohmann::ordered_json());
  const nlohmann::ordered_json output = point.row.value("output", nlohmann::ordered_json());
  if (!pattern.is_string() || (output != "count" && output != "positions")) {
    throw InputError(point_to_json(point).dump() +
                     ": 'row' has no 'pattern', or no 'output', count or positions");
  }
  return {.pattern = pattern, .has_positions = output == "positions"};
}

Searches::Searches(std::span<const Point> points, const SearchedFrame& frame, const WantedSearch& wanted,
                   ExpectedMatches& expected)
    : points_(points),
      executor_(frame.executor()),
      expected_(expected),
      copied_(PartMemory::on_host(executor_, 0)) {
  const std::uint64_t room = wanted.has_positions ? std::max<std::uint64_t>(1, expected.count()) : 0;
  std::map<stage::Role, std::uint64_t> bytes_in_common;
  std::uint64_t most_written = 0;
  for (const Point& point : points) {
    searches_.push_back(
        {.plan = point.stage->query.at(executor_).make({.frames = {frame.shape()},
                                                        .question = wanted.pattern,
                                                        .output_bytes = room * sizeof(std::uint64_t),
                                                        .parameters = point.parameters}),
         .own = {},
         .given = {}});
    for (const stage::Part& part : searches_.back().plan->parts()) {
      if (is_written(part.role)) most_written = std::max(most_written, part.bytes);
      if (is_in_common(part.role)) {
        bytes_in_common[part.role] = std::max(bytes_in_common[part.role], part.bytes);
      }
    }
  }
  std::map<stage::Role, stage::Given> in_common;
  for (const auto& [role, bytes] : bytes_in_common) {
    in_common_.emplace_back(executor_, bytes);
    in_common[role] = in_common_.back().given();
  }
  for (OfPoint& search : searches_) {
    for (const stage::Part& part : search.plan->parts()) {
      if (part.role == stage::Role::input) {
        search.given.push_back(stage::to_read(frame.bytes().data(), frame.bytes().size()));
      } else if (is_in_common(part.role)) {
        search.given.push_back({.data = in_common[part.role].data, .bytes = part.bytes});
      } else {
        search.own.emplace_back(executor_, part.bytes);
        search.given.push_back(search.own.back().given());
      }
    }
    search.plan->prepare(search.given, nullptr);
  }
  copied_ = PartMemory::on_host(executor_, most_written);
}

void Searches::poison(std::size_t point) {
  const OfPoint& search = searches_[point];
  for (std::size_t i = 0; i < search.given.size(); ++i) {
    if (is_written(search.plan->parts()[i].role)) copy_noise(search.given[i]);
  }
}

void Searches::enqueue(std::size_t point, stage::Stream stream) const {
  stage::enqueue_all(*searches_[point].plan, searches_[point].given, stream);
}

void Searches::check(std::size_t point) {
  const OfPoint& search = searches_[point];
  std::map<stage::Role, std::vector<std::uint8_t>> read_back;
  stage::Given answer = {};
  for (std::size_t i = 0; i < search.given.size(); ++i) {
    const stage::Role role = search.plan->parts()[i].role;
    if (role == stage::Role::output) {
      answer = search.given[i];
    } else if (is_written(role)) {
      const std::span<const std::uint8_t> bytes = read(search.given[i]);
      read_back[role].assign(bytes.begin(), bytes.end());
    }
  }
  const stage::Outcome outcome =
      search.plan->check(std::as_bytes(std::span(std::as_const(read_back[stage::Role::status]))),
                         std::as_bytes(std::span(std::as_const(read_back[stage::Role::result]))), 0);
  stage::throw_problem(outcome);
  const auto mismatch = [&](const std::string& what) {
    return MismatchError(point_to_json(points_[point]).dump() + ": " + what);
  };
  if (outcome.count != expected_.count()) {
    throw mismatch(std::to_string(outcome.count) + " matches, expected " + std::to_string(expected_.count()));
  }
  if (answer.bytes == 0) return;
  // The copy is at a multiple of 256.
  const std::span<const std::uint8_t> bytes = read(answer);
  const std::span positions(reinterpret_cast<const std::uint64_t*>(bytes.data()),
                            bytes.size() / sizeof(std::uint64_t));
  if (!outcome.is_complete || !expected_.are(positions.first(outcome.count))) {
    throw mismatch("other positions than expected");
  }
}

std::span<const std::uint8_t> Searches::read(const stage::Given& given) const {
  const std::span<std::uint8_t> bytes = copied_.bytes().first(given.bytes);
  pipeline::Queue queue(executor_);
  queue.copy(bytes.data(), {static_cast<const std::uint8_t*>(given.data), bytes.size()});
  queue.wait();
  return bytes;
}

void Searches::copy_noise(const stage::Given& given) const {
  const std::span<std::uint8_t> noise = copied_.bytes().first(given.bytes);
  std::ranges::fill(noise, poison_of_searches);
  pipeline::Queue queue(executor_);
  queue.copy(static_cast<std::uint8_t*>(given.data), noise);
  queue.wait();
}

}  // namespace gsst::experiments
