#include "common/simt/access_trace.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>
#include <string_view>

#include "common/simt/source_line.hpp"

namespace gsst::simt {
namespace {

thread_local AccessTrace* current_trace = nullptr;

// A kernel's parameters are no accesses on a GPU, and the copies are counted where the kernel starts them.
constexpr std::array<std::string_view, 2> files_of_the_executor = {"common/stage/launch.hpp:",
                                                                   "common/simt/asynchronous_copy.hpp:"};

bool is_of_the_executor(const LineCounts& line) {
  const bool is_copy =
      line.access_class == AccessClass::global_copy || line.access_class == AccessClass::shared_copy;
  return !is_copy && std::ranges::any_of(files_of_the_executor, [&](std::string_view file) {
    return line.place.find(file) != std::string::npos;
  });
}

}  // namespace

AccessTrace::AccessTrace(std::size_t most_requests) : log_{.most = most_requests, .requests = {}} {
  if (current_trace != nullptr) throw std::logic_error("a trace is made while another lives");
  current_trace = this;
}

AccessTrace::~AccessTrace() {
  current_trace = nullptr;
}

AccessTrace* AccessTrace::current() {
  return current_trace;
}

void AccessTrace::add_launch(const CountsByCode& counts, unsigned blocks) {
  ++launches_;
  blocks_ += blocks;
  for (const auto& [code, more] : counts) counts_[code] += more;
}

std::vector<LineCounts> AccessTrace::lines() const {
  std::vector<const void*> codes;
  codes.reserve(counts_.size());
  for (const auto& [code, counts] : counts_) codes.push_back(code.first);
  const std::vector<std::string> places = source_lines(codes);
  std::map<std::pair<std::string, AccessClass>, AccessCounts> by_line;
  std::size_t index = 0;
  for (const auto& [code, counts] : counts_) by_line[{places[index++], code.second}] += counts;
  std::vector<LineCounts> lines;
  lines.reserve(by_line.size());
  for (const auto& [key, counts] : by_line) {
    lines.push_back({.place = key.first, .access_class = key.second, .counts = counts});
  }
  std::erase_if(lines, is_of_the_executor);
  return lines;
}

std::vector<LineRequest> AccessTrace::requests(std::span<const LineCounts> lines) const {
  std::map<AccessingCode, std::size_t> numbers;
  for (const WarpRequest& request : log_.requests) {
    numbers.try_emplace({request.code, request.access_class}, lines.size());
  }
  std::vector<const void*> codes;
  codes.reserve(numbers.size());
  for (const auto& [code, number] : numbers) codes.push_back(code.first);
  const std::vector<std::string> places = source_lines(codes);
  auto place = places.begin();
  for (auto& numbered : numbers) {
    const AccessClass access_class = numbered.first.second;
    const auto line = std::ranges::find_if(lines, [&](const LineCounts& candidate) {
      return candidate.access_class == access_class && candidate.place == *place;
    });
    numbered.second = static_cast<std::size_t>(std::distance(lines.begin(), line));
    ++place;
  }
  std::vector<LineRequest> requests;
  requests.reserve(log_.requests.size());
  for (const WarpRequest& request : log_.requests) {
    const std::size_t line = numbers.at({request.code, request.access_class});
    // The executor's own are of none of the lines.
    if (line != lines.size()) requests.push_back({.line = line, .request = request});
  }
  return requests;
}

}  // namespace gsst::simt
