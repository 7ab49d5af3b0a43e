#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "experiments/measure/shared/row.hpp"

namespace gsst::experiments {

/// How the bytes of a file are coded.
struct ChunkCoding {
  /// The name of a format of series codag.
  std::string format;
  /// What values are: i16, i32, u32, i64 or u64; i8 or u8, which are coded as those of i32 or u32 with the
  /// same values. Only for formats of integers.
  std::string type = {};
  /// Bytes of a chunk, whole values.
  std::uint64_t chunk_bytes = 0;
};

/// The row of a file whose chunks the format's codec encodes, each by itself, with level 9 if the codec has
/// that: `compressed_bytes` are those of the encoding alone, without frame and number of the type, though
/// they may be more than those of the file. For orc_rle_v1 it has the number of `values` and of `symbols`,
/// which are runs and lists. All processors work on chunks, and each chunk is decoded again: throws
/// MismatchError where that gives other bytes, and InputError where the file cannot be read, is empty, does
/// not end with a whole value, or has a chunk that the codec stores raw.
nlohmann::ordered_json chunk_rows(const std::filesystem::path& input, const ChunkCoding& coding,
                                  const Dataset& dataset);

}  // namespace gsst::experiments
