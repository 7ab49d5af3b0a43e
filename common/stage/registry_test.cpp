#include "common/stage/registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/frame/frame.hpp"
#include "common/stage/block_statuses.hpp"
#include "common/stage/frame_shape.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/run_decode.hpp"

namespace gsst::stage {
namespace {

Description describe(const std::string& id, Operation operation) {
  return {.id = id,
          .base = "",
          .title = "A stage",
          .section = "1",
          .format = format::BlockFormat::blocks,
          .operation = operation,
          .minimum_compute_capability = 80,
          .parameters = {}};
}

const DecodePlans decode{};
constexpr const EncodePlans* encode = nullptr;
// Of a made-up stage for ranges of all formats but one.
const RangesPlans ranges{
    .decodes = [](format::BlockFormat format) { return format != format::BlockFormat::tiles; },
    .make = nullptr};

TEST(Registry, ListsAnIdOnceForEachOperationWithItsExecutors) {
  const std::string id = "test/both";
  const Registration decoder_on_cpu(Executor::simt, describe(id, Operation::decode), decode);
  const Registration decoder_on_gpu(Executor::gpu, describe(id, Operation::decode), decode);
  const Registration encoder_on_cpu(Executor::simt, describe(id, Operation::encode), encode);
  const Registration ranges_on_gpu(Executor::gpu, describe(id, Operation::ranges), ranges);

  const RegisteredStage* const decoder = find_stage(id, Operation::decode);
  ASSERT_NE(decoder, nullptr);
  EXPECT_EQ(decoder->decode.size(), 2u);
  EXPECT_TRUE(decoder->encode.empty());
  EXPECT_TRUE(is_registered_for(*decoder, Executor::gpu));
  EXPECT_FALSE(is_registered_for(*decoder, Executor::cpu));

  const RegisteredStage* const encoding = find_stage(id, Operation::encode);
  ASSERT_NE(encoding, nullptr);
  EXPECT_TRUE(encoding->decode.empty());
  EXPECT_TRUE(is_registered_for(*encoding, Executor::simt));
  EXPECT_FALSE(is_registered_for(*encoding, Executor::gpu));

  ASSERT_NE(find_stage(id, Operation::ranges), nullptr);
  EXPECT_TRUE(is_registered_for(*find_stage(id, Operation::ranges), Executor::gpu));
  EXPECT_EQ(find_stage(id, Operation::query), nullptr);

  EXPECT_TRUE(handles_format(*decoder, format::BlockFormat::blocks));
  EXPECT_FALSE(handles_format(*decoder, format::BlockFormat::splits));
  EXPECT_TRUE(handles_format(*find_stage(id, Operation::ranges), format::BlockFormat::splits));
  EXPECT_FALSE(handles_format(*find_stage(id, Operation::ranges), format::BlockFormat::tiles));
}

TEST(Registry, ListsStagesByRisingId) {
  for (const char* const name : {"m", "a", "z", "b"}) {
    const Registration registration(Executor::simt,
                                    describe(std::string("test/sorted_") + name, Operation::decode), decode);
  }
  const auto id = [](const RegisteredStage& stage) { return stage.description.id; };
  EXPECT_TRUE(std::ranges::is_sorted(registered_stages(Operation::decode), {}, id));
  EXPECT_NE(find_stage("test/sorted_b", Operation::decode), nullptr);
  EXPECT_EQ(find_stage("test/sorted_c", Operation::decode), nullptr);
  EXPECT_EQ(find_stage("test/sorted_b", Operation::encode), nullptr);
}

TEST(Registry, RefusesASecondRegistrationAndAnotherOperation) {
  const Description description = describe("test/twice", Operation::decode);
  const Registration first(Executor::simt, description, decode);
  EXPECT_THROW(Registration(Executor::simt, description, decode), std::logic_error);
  EXPECT_THROW(Registration(Executor::simt, description, encode), std::logic_error);
  EXPECT_THROW(Registration(Executor::simt, describe("test/twice", Operation::encode), decode),
               std::logic_error);
  EXPECT_EQ(find_stage("test/twice", Operation::encode), nullptr);
}

TEST(Registry, NamesExecutorsAndOperations) {
  std::string names;
  for (const Executor executor : executors) names.append(executor_name(executor)).append(" ");
  for (const Operation operation : operations) names.append(operation_name(operation)).append(" ");
  EXPECT_EQ(names, "cpu simt gpu decode encode ranges query ");
}

// Decodes frames whose blocks are stored as they are, without a kernel.
class CopyPlan : public Plan {
public:
  explicit CopyPlan(const FrameOnDevice& frame)
      : frame_(frame),
        parts_{{{.name = "frame", .role = Role::input, .bytes = frame.frame_bytes, .alignment = 1},
                {.name = "output", .role = Role::output, .bytes = frame.uncompressed_bytes, .alignment = 1},
                {.name = "scratch", .role = Role::scratch, .bytes = 0, .alignment = 1},
                {.name = "status",
                 .role = Role::status,
                 .bytes = frame.block_count * sizeof(std::uint32_t),
                 .alignment = 4}}} {}

  std::span<const Part> parts() const override { return parts_; }
  std::span<const Phase> phases() const override {
    static constexpr std::array phases = {Phase{.name = "copies"}};
    return phases;
  }
  void enqueue(std::span<const Given> given, Stream /*stream*/, std::size_t /*phase*/) const override {
    FrameOnDevice frame = frame_;
    frame.bytes = static_cast<const std::uint8_t*>(given[0].data);
    for (std::uint32_t number = 0; number < frame.block_count; ++number) {
      const BlockOnDevice block = frame.block(number, static_cast<std::uint8_t*>(given[1].data));
      std::memcpy(block.output, block.payload, block.uncompressed_bytes);
      static_cast<std::uint32_t*>(given[3].data)[number] = 0;
    }
  }
  Outcome check(std::span<const std::byte> /*status*/, std::span<const std::byte> /*result*/,
                std::uint64_t /*first*/) const override {
    return {.count = frame_.uncompressed_bytes, .is_complete = true};
  }

private:
  FrameOnDevice frame_;
  std::array<Part, 4> parts_;
};

// A frame of one block that is stored as it is.
std::vector<std::uint8_t> raw_frame(std::span<const std::uint8_t> output) {
  const auto header = format::build_frame_header(
      {.format = format::BlockFormat::blocks, .block_size = 1000, .split_count = 1});
  std::vector<std::uint8_t> frame(header.begin(), header.end());
  const format::BlockRecord record = {.layout = format::BlockLayout::raw,
                                      .payload_bytes = static_cast<std::uint32_t>(output.size()),
                                      .uncompressed_bytes = static_cast<std::uint32_t>(output.size()),
                                      .checksum = format::checksum(output)};
  const auto record_bytes = format::build_block_record(record);
  frame.insert(frame.end(), record_bytes.begin(), record_bytes.end());
  frame.insert(frame.end(), output.begin(), output.end());
  format::FrameIndex index;
  format::append_block(index, record);
  const std::vector<std::uint8_t> end = format::build_frame_end(index);
  frame.insert(frame.end(), end.begin(), end.end());
  return frame;
}

TEST(Registry, AStageOfTheHostsOwnCodeIsRunAsAnyOther) {
  const auto make = [](const DecodeSubject& subject) { return std::make_unique<CopyPlan>(subject.frame); };
  const Registration registration(Executor::cpu, describe("test/on_cpu", Operation::decode),
                                  DecodePlans{.make = make});
  const RegisteredStage& stage = *find_stage("test/on_cpu", Operation::decode);
  const std::vector<std::uint8_t> output = {3, 1, 4, 1, 5};
  const DecodeResult result = run_decode(stage, Executor::cpu, raw_frame(output), {}, {.guard_bytes = 8});
  EXPECT_TRUE(std::ranges::equal(result.output(), output));
  EXPECT_EQ(result.statuses, std::vector<std::uint32_t>{0});
  try {
    run_decode(stage, Executor::simt, raw_frame(output));
    FAIL() << "it is not registered for that";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "stage test/on_cpu: this program cannot run it on executor simt here");
  }
}

struct RowsRequest {
  std::array<FrameOnDevice, 2> columns;
  // What is asked for: a byte of each column.
  const std::uint8_t* wanted;
  std::uint64_t* rows;
  std::uint64_t most_rows;
  unsigned long long* row_count;
  std::uint32_t* status;
};

__global__ void find_rows(RowsRequest request) {
  const BlockOnDevice first = request.columns[0].block(0, nullptr);
  const BlockOnDevice second = request.columns[1].block(0, nullptr);
  for (std::uint32_t row = threadIdx.x; row < first.uncompressed_bytes; row += blockDim.x) {
    if (first.payload[row] != request.wanted[0] || second.payload[row] != request.wanted[1]) continue;
    const unsigned long long place = atomicAdd(request.row_count, 1ull);
    if (place < request.most_rows) request.rows[place] = row;
  }
  if (threadIdx.x < request.columns.size()) request.status[threadIdx.x] = 0;
}

const Description query_description = describe("test/rows", Operation::query);

bool reads(format::BlockFormat format) {
  return format == format::BlockFormat::blocks;
}

// In which rows do two columns, of a block each that is stored as it is, have the two bytes of the question?
class RowsPlan : public Plan {
public:
  explicit RowsPlan(const QuerySubject& subject) : subject_(subject) {
    check_parameters(query_description, subject.parameters);
    if (subject.frames.size() != 2 || subject.question.size() != subject.frames.size()) {
      throw std::invalid_argument("stage test/rows: the question is a byte for each of two columns");
    }
    for (const FrameOnDevice& frame : subject.frames) {
      parts_.push_back({.name = "frame", .role = Role::input, .bytes = frame.frame_bytes, .alignment = 1});
    }
    parts_.push_back({.name = "answer", .role = Role::output, .bytes = subject.output_bytes, .alignment = 8});
    parts_.push_back({.name = "result", .role = Role::result, .bytes = 8, .alignment = 8});
    parts_.push_back(
        {.name = "state", .role = Role::state, .bytes = subject.question.size(), .alignment = 1});
    parts_.push_back({.name = "scratch", .role = Role::scratch, .bytes = 0, .alignment = 1});
    parts_.push_back({.name = "status", .role = Role::status, .bytes = 8, .alignment = 4});
  }

  std::span<const Part> parts() const override { return parts_; }
  std::span<const Phase> phases() const override {
    static constexpr std::array phases = {Phase{.name = "query"}};
    return phases;
  }
  void prepare(std::span<const Given> given, Stream /*stream*/) const override {
    std::memcpy(given[4].data, subject_.question.data(), subject_.question.size());
  }
  void enqueue(std::span<const Given> given, Stream stream, std::size_t /*phase*/) const override {
    RowsRequest request = {.columns = {subject_.frames[0], subject_.frames[1]},
                           .wanted = static_cast<const std::uint8_t*>(given[4].data),
                           .rows = static_cast<std::uint64_t*>(given[2].data),
                           .most_rows = most_rows(),
                           .row_count = static_cast<unsigned long long*>(given[3].data),
                           .status = static_cast<std::uint32_t*>(given[6].data)};
    for (std::size_t column = 0; column < request.columns.size(); ++column) {
      request.columns[column].bytes = static_cast<const std::uint8_t*>(given[column].data);
    }
    clear(given[3].data, sizeof *request.row_count, stream);
    launch({.thread_blocks = 1, .threads_per_block = 64, .shared_bytes = 0, .stream = stream}, find_rows,
           request);
  }
  Outcome check(std::span<const std::byte> status, std::span<const std::byte> result,
                std::uint64_t first) const override {
    if (auto problem = first_problem(format::BlockFormat::blocks, status, first)) return {.problem = problem};
    std::uint64_t count = 0;
    std::memcpy(&count, result.data(), sizeof count);
    return {.count = count, .is_complete = count <= most_rows()};
  }

private:
  std::uint64_t most_rows() const { return subject_.output_bytes / sizeof(std::uint64_t); }

  QuerySubject subject_;
  std::vector<Part> parts_;
};

std::vector<std::uint8_t> raw_frame(std::string_view text) {
  return raw_frame(std::vector<std::uint8_t>(text.begin(), text.end()));
}

struct Answer {
  std::vector<std::uint64_t> rows;
  Outcome outcome;
};

// Asks in the way of a caller that knows the order of the parts and nothing of the stage.
Answer ask(const QueryPlans& plans, const std::vector<std::vector<std::uint8_t>>& columns,
           const std::string& question, std::size_t most_rows) {
  QuerySubject subject{.frames = {}, .question = question, .output_bytes = most_rows * sizeof(std::uint64_t)};
  std::vector<Given> given;
  for (const std::vector<std::uint8_t>& column : columns) {
    subject.frames.push_back(frame_shape(column));
    given.push_back(to_read(column.data(), column.size()));
  }
  const std::unique_ptr<Plan> plan = plans.make(subject);
  // Words, for the alignment of all parts; one more than the bytes need, so that no part is nullptr.
  std::vector<std::vector<std::uint64_t>> memory;
  for (const Part& part : plan->parts().subspan(columns.size())) {
    memory.emplace_back(part.bytes / sizeof(std::uint64_t) + 1, ~std::uint64_t{0});
    given.push_back({.data = memory.back().data(), .bytes = part.bytes});
  }
  plan->prepare(given, nullptr);
  enqueue_all(*plan, given, nullptr);
  const std::span result = memory.at(1);
  const std::span status = memory.at(4);
  Answer answer{.rows = memory.at(0),
                .outcome = plan->check(std::as_bytes(status).first(bytes_of(*plan, Role::status)),
                                       std::as_bytes(result).first(bytes_of(*plan, Role::result)), 0)};
  answer.rows.resize(std::min<std::uint64_t>(most_rows, answer.outcome.count));
  std::ranges::sort(answer.rows);
  return answer;
}

TEST(Registry, AStageThatAnswersQueriesIsFoundAndAsked) {
  const auto make = [](const QuerySubject& subject) { return std::make_unique<RowsPlan>(subject); };
  const QueryPlans plans{.reads = reads, .make = make};
  const Registration registration(this_executor, query_description, plans);
  EXPECT_THROW(Registration(this_executor, query_description, plans), std::logic_error);
  EXPECT_THROW(Registration(this_executor, describe("test/rows", Operation::ranges), plans),
               std::logic_error);

  EXPECT_EQ(find_stage("test/rows", Operation::ranges), nullptr);
  const RegisteredStage* const stage = find_stage("test/rows", Operation::query);
  ASSERT_NE(stage, nullptr);
  EXPECT_TRUE(is_registered_for(*stage, Executor::simt));
  EXPECT_FALSE(is_registered_for(*stage, Executor::gpu));
  EXPECT_TRUE(handles_format(*stage, format::BlockFormat::blocks));
  EXPECT_FALSE(handles_format(*stage, format::BlockFormat::tiles));

  const std::vector columns = {raw_frame("abababa"), raw_frame("xxyyxxx")};
  const QueryPlans& registered = stage->query.at(Executor::simt);
  const Answer answer = ask(registered, columns, "ax", 3);
  EXPECT_EQ(answer.rows, (std::vector<std::uint64_t>{0, 4, 6}));
  EXPECT_EQ(answer.outcome.count, 3u);
  EXPECT_TRUE(answer.outcome.is_complete);
  const Answer none = ask(registered, columns, "az", 0);
  EXPECT_EQ(none.outcome.count, 0u);
  EXPECT_TRUE(none.outcome.is_complete);

  const Answer too_many = ask(registered, columns, "ax", 2);
  EXPECT_EQ(too_many.outcome.count, 3u);
  EXPECT_FALSE(too_many.outcome.is_complete);
  EXPECT_FALSE(too_many.outcome.problem);

  EXPECT_THROW(ask(registered, columns, "axe", 3), std::invalid_argument);
  EXPECT_THROW(ask(registered, {columns[0]}, "a", 3), std::invalid_argument);
}

TEST(Registry, TheProblemOfAQueryNamesItsBlockAcrossFrames) {
  const std::vector<std::uint8_t> column = raw_frame("abc");
  const RowsPlan plan(
      {.frames = {frame_shape(column), frame_shape(column)}, .question = "ax", .output_bytes = 8});
  const std::array status = {std::uint32_t{0}, static_cast<std::uint32_t>(BlockStatus::escape_at_end)};
  const Outcome outcome = plan.check(std::as_bytes(std::span(status)), {}, 10);
  EXPECT_FALSE(outcome.is_complete);
  ASSERT_TRUE(outcome.problem);
  EXPECT_EQ(outcome.problem->item, 11u);
}

}  // namespace
}  // namespace gsst::stage
