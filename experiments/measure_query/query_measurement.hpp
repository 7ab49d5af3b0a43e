#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "experiments/measure/shared/points.hpp"
#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_query/query_tools.hpp"
#include "experiments/measure_query/ssb_answer.hpp"
#include "experiments/measure_query/tables_file.hpp"

namespace gsst::experiments {

/// The sums of a query about the tables: an oracle.
using Answer = std::function<std::vector<std::uint64_t>(const TablesFile& tables, std::string_view query)>;

/// Measures what queries take about the tables of a file, which are stored in several ways.
class QueryMeasurement {
public:
  /// `text` is the file. It and `tools` outlive the object. Throws InputError.
  QueryMeasurement(std::span<const std::uint8_t> text, Dataset dataset, unsigned repetitions,
                   const QueryTools& tools, Answer answer = ssb_answer);

  /// The row of each of `points`, which are about the same query; repetitions of all come in random order. A
  /// point's `row` says the `query`, `q1.1`, say, the `storage` of the fact table (`plain`, `packed`: format
  /// `for`; `smallest`: rfor too; `vertical`: vfor) and the `place` of all columns: `device` memory, or
  /// page-locked memory of the `host`, from which they are copied each time. Answers are compared with the
  /// oracle's before and after the timing, byte for byte.
  ///
  /// Bytes of a row are those of the columns that the query reads, uncompressed and as they are stored. Its
  /// streaming limit reads the stored ones and writes as many bytes as the answer has. Beside the keys of the
  /// result contract, and those of the point, a row has `fact_rows`, `answer_bytes`, `clocks`, and
  ///   streaming_limit_variant, streaming_limit_read_gb_per_s   of the limit; GB/s of stored bytes
  ///   graph_seconds   where `place` is `device`: of the query as a captured graph
  ///   reads_at_limit  of plain columns that are read as a whole: whether the query reads at nine tenths of
  ///                   the limit at least, without which it is no measure for others
  ///   link_gb_per_s, end_to_end   where `place` is `host`: of the copy alone; true
  /// Throws InputError, MismatchError, cuda::CudaError, std::invalid_argument.
  std::vector<nlohmann::ordered_json> measure(std::span<const Point> points);

private:
  using Frame = std::vector<std::uint8_t>;

  // A column as `storage` has it, encoded once.
  const Frame& frame(const std::string& column, const std::string& storage, std::uint64_t block_bytes);

  Dataset dataset_;
  unsigned repetitions_;
  const QueryTools& tools_;
  Answer answer_;
  TablesFile tables_;
  // By column, what it is encoded as, and bytes of a block.
  std::map<std::tuple<std::string, std::string, std::uint64_t>, Frame> frames_;
};

/// Groups of points about the same query, as positions, in the order of their first.
std::vector<std::vector<std::size_t>> group_by_query(std::span<const Point> points);

}  // namespace gsst::experiments
