#include "common/simt/access_observer.hpp"
#include "common/simt/access_trace.hpp"

namespace gsst::simt {

struct AccessObserver::Implementation {};

AccessObserver::AccessObserver(const Launch& /*launch*/, unsigned /*slots*/) {}
AccessObserver::~AccessObserver() = default;
void AccessObserver::start_block(unsigned /*slot*/, unsigned /*block*/, const std::uint8_t* /*shared*/) {}
void AccessObserver::start_thread(const void* /*stack_top*/) {}
void AccessObserver::enter_thread(unsigned /*slot*/, unsigned /*thread*/) {}
void AccessObserver::leave_thread() {}
void AccessObserver::synchronize_block(unsigned /*slot*/) {}
void AccessObserver::synchronize_warp(unsigned /*slot*/, unsigned /*first_lane*/, std::uint32_t /*mask*/) {}
void AccessObserver::converge_warp(unsigned /*slot*/, unsigned /*first_lane*/, std::uint32_t /*lanes*/) {}
bool AccessObserver::has_problem() const {
  return false;
}
std::string AccessObserver::problem() const {
  return {};
}
void AccessObserver::fence() {}
void AccessObserver::record(const void* /*address*/, std::size_t /*bytes*/, AccessKind /*kind*/,
                            const void* /*code*/) {}
void AccessObserver::record_copy(const void* /*to*/, const void* /*from*/, std::size_t /*bytes*/,
                                 const void* /*code*/) {}
const bool AccessObserver::records_operands = false;
void AccessObserver::record_operand(std::uintptr_t /*value*/, std::size_t /*alignment*/,
                                    std::string_view /*what*/, const void* /*code*/) {}
void AccessObserver::enter_code(const void* /*code*/) {}
void AccessObserver::order_by_load(const void* /*address*/, bool /*acquires*/) {}
void AccessObserver::order_by_store(const void* /*address*/, bool /*releases*/) {}
void AccessObserver::order_by_exchange(const void* /*address*/) {}
void AccessObserver::forget(std::uintptr_t /*address*/, std::size_t /*bytes*/) {}

bool can_trace() {
  return false;
}

}  // namespace gsst::simt
