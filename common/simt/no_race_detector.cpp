#include "common/simt/race_detector.hpp"

namespace gsst::simt {

struct RaceDetector::Implementation {};

RaceDetector::RaceDetector(const Launch& /*launch*/, const std::uint8_t* /*shared*/) {}
RaceDetector::~RaceDetector() = default;
void RaceDetector::start_block(unsigned /*block*/) {}
void RaceDetector::start_thread(const void* /*stack_top*/) {}
void RaceDetector::enter_thread(unsigned /*thread*/) {}
void RaceDetector::leave_thread() {}
void RaceDetector::synchronize_block() {}
void RaceDetector::synchronize_warp(unsigned /*first_lane*/, std::uint32_t /*mask*/) {}
bool RaceDetector::has_problem() const {
  return false;
}
std::string RaceDetector::problem() const {
  return {};
}
void RaceDetector::record(const void* /*address*/, std::size_t /*bytes*/, AccessKind /*kind*/,
                          const void* /*code*/) {}
void RaceDetector::forget(std::uintptr_t /*address*/, std::size_t /*bytes*/) {}

}  // namespace gsst::simt
