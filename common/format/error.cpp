#include "common/format/error.hpp"

#include <utility>

namespace gsst::format {
namespace {

std::string make_message(std::optional<std::uint64_t> block, const std::string& field,
                         const std::string& problem) {
  std::string message = block ? "block " + std::to_string(*block) + ": " : std::string();
  return message + field + ": " + problem;
}

}  // namespace

FormatError::FormatError(std::optional<std::uint64_t> block, std::string field, const std::string& problem)
    : std::runtime_error(make_message(block, field, problem)), block_(block), field_(std::move(field)) {}

}  // namespace gsst::format
