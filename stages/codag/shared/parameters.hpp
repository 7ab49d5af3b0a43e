#pragma once

#include <cstdint>

#include "common/stage/stage.hpp"

// Parameters that several stages of the series have.
namespace gsst::codag {
namespace {

inline stage::Parameter threads_of_warps() {
  return {.name = "threads",
          .description = "threads of a thread block; a warp has one chunk",
          .values = {32, 64, 128, 256},
          .default_value = 128,
          .compile_time = false};
}

constexpr std::int64_t buffer_in_shared_memory = 0;
constexpr std::int64_t buffer_in_registers = 1;

inline stage::Parameter buffer_of_lines() {
  return {.name = "buffer",
          .description = "where a warp has two cache lines; 0: shared memory, 1: two registers of each lane",
          .values = {buffer_in_shared_memory, buffer_in_registers},
          .default_value = buffer_in_shared_memory,
          .compile_time = true};
}

// Symbols that a leader decodes before all meet, and threads that it is one of.
constexpr std::uint32_t most_symbols = 32;
constexpr std::uint32_t most_threads_of_leader = 1024;

inline stage::Parameter threads_of_leader() {
  return {.name = "threads",
          .description = "threads of a thread block, which has one chunk",
          .values = {64, 128, 256, most_threads_of_leader},
          .default_value = 128,
          .compile_time = false};
}

inline stage::Parameter symbols_of_leader() {
  return {.name = "symbols",
          .description = "symbols that the leader decodes before all meet at a barrier",
          .values = {1, 8, most_symbols},
          .default_value = most_symbols,
          .compile_time = false};
}

}  // namespace
}  // namespace gsst::codag
