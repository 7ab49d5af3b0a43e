#include "common/simt/race_detector.hpp"

namespace gsst::simt {

struct RaceDetector::Implementation {};

RaceDetector::RaceDetector(const Launch& /*launch*/, unsigned /*slots*/) {}
RaceDetector::~RaceDetector() = default;
void RaceDetector::start_block(unsigned /*slot*/, unsigned /*block*/, const std::uint8_t* /*shared*/) {}
void RaceDetector::start_thread(const void* /*stack_top*/) {}
void RaceDetector::enter_thread(unsigned /*slot*/, unsigned /*thread*/) {}
void RaceDetector::leave_thread() {}
void RaceDetector::synchronize_block(unsigned /*slot*/) {}
void RaceDetector::synchronize_warp(unsigned /*slot*/, unsigned /*first_lane*/, std::uint32_t /*mask*/) {}
bool RaceDetector::has_problem() const {
  return false;
}
std::string RaceDetector::problem() const {
  return {};
}
void RaceDetector::fence() {}
void RaceDetector::record(const void* /*address*/, std::size_t /*bytes*/, AccessKind /*kind*/,
                          const void* /*code*/) {}
void RaceDetector::order_by_load(const void* /*address*/, bool /*acquires*/) {}
void RaceDetector::order_by_store(const void* /*address*/, bool /*releases*/) {}
void RaceDetector::order_by_exchange(const void* /*address*/) {}
void RaceDetector::forget(std::uintptr_t /*address*/, std::size_t /*bytes*/) {}

}  // namespace gsst::simt
