#include "common/pipeline/stage_run.hpp"

#include <stdexcept>
#include <string>

#include "common/format/block.hpp"
#include "common/stage/run_decode.hpp"

namespace gsst::pipeline {

void check_stage_run(const StageRun& run, format::BlockFormat block_format) {
  const stage::Description& description = run.stage->description;
  stage::check_parameters(description, run.parameters);
  if (!run.stage->decode.contains(run.executor) || !stage::is_available(run.executor)) {
    throw std::invalid_argument("stage " + description.id + ": this program cannot run it on " +
                                (run.executor == stage::Executor::gpu ? "a GPU here" : "the CPU"));
  }
  if (description.format != block_format) {
    throw std::invalid_argument("stage " + description.id + " decodes format " +
                                std::string(format::block_format_name(description.format)) +
                                ", the frame has " + std::string(format::block_format_name(block_format)));
  }
}

}  // namespace gsst::pipeline
