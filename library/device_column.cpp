#include "library/device_column.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>

#include "library/column.hpp"

namespace gsst::library {
namespace {

// The device's offsets and nulls start at a byte of the nulls, so that both are copied from the same string.
constexpr std::uint64_t strings_per_byte = 8;

// Where the copies of an array's buffers start, and how many strings they have.
struct CopiedStrings {
  std::uint64_t first;
  std::uint64_t count;
};

CopiedStrings copied_strings(const ArrowArray& array) {
  const auto offset = static_cast<std::uint64_t>(array.offset);
  const std::uint64_t first = offset / strings_per_byte * strings_per_byte;
  return {.first = first, .count = offset - first + static_cast<std::uint64_t>(array.length)};
}

std::uint64_t end_bytes_of(const format::StringColumnWriter& writer) {
  return format::StringColumnWriter(writer).finish(0).size();
}

format::StringColumnWriter writer_of(const ArrowStrings& strings) {
  format::StringColumnWriter writer(strings.type());
  add_lengths(strings, writer);
  return writer;
}

// The offsets and the nulls of all strings of a column, as an array stores them.
struct ArrayEnds {
  std::vector<std::uint8_t> offsets;
  std::vector<std::uint8_t> validity;
};

ArrayEnds ends_of(const format::StringColumnView& view) {
  ArrayEnds ends{
      .offsets = std::vector<std::uint8_t>((view.string_count + 1) * view.type.offset_width),
      .validity = std::vector<std::uint8_t>(
          view.null_count == 0 ? 0 : (view.string_count + strings_per_byte - 1) / strings_per_byte)};
  std::uint64_t number = 0;
  std::uint64_t end = 0;
  for (std::uint64_t group_number = 0; group_number < view.group_count(); ++group_number) {
    const format::StringGroup group = view.group(group_number);
    for (std::uint32_t string = 0; string < group.string_count(); ++string, ++number) {
      end += group.length(string);
      // Little-endian, as the machine's numbers are.
      std::memcpy(ends.offsets.data() + (number + 1) * view.type.offset_width, &end, view.type.offset_width);
      if (view.null_count == 0 || group.is_null(string)) continue;
      ends.validity[number / strings_per_byte] |=
          static_cast<std::uint8_t>(1U << (number % strings_per_byte));
    }
  }
  return ends;
}

// What an array in the memory of a device points to. Freed by the array's release function.
struct DeviceBuffers {
  ColumnMemory validity;
  ColumnMemory offsets;
  ColumnMemory data;
  std::array<const void*, 3> pointers;
};

void release_device_array(ArrowArray* array) {
  const std::unique_ptr<DeviceBuffers> owned(static_cast<DeviceBuffers*>(array->private_data));
  array->release = nullptr;
}

void decompress_frame(std::span<const std::uint8_t> frame, const GpuDecompressPlan& plan,
                      ColumnDevice& device, std::uint8_t* output) {
  std::vector<std::uint32_t> status(plan.summary().block_count);
  const std::size_t status_bytes = status.size() * sizeof(std::uint32_t);
  const ColumnMemory frame_memory(device, frame.size());
  const ColumnMemory scratch(device, plan.scratch_bytes());
  const ColumnMemory status_memory(device, status_bytes);
  device.copy_from_host(frame_memory.get(), frame);
  device.decompress(plan, {.frame = frame_memory.get(),
                           .output = output,
                           .scratch = scratch.get(),
                           .status = reinterpret_cast<std::uint32_t*>(status_memory.get())});
  device.copy_to_host({reinterpret_cast<std::uint8_t*>(status.data()), status_bytes}, status_memory.get());
  device.wait();
  check_block_statuses(status);
}

}  // namespace

DeviceColumnCompressPlan::HostArray::HostArray(const ArrowSchema& schema, const ArrowDeviceArray& array,
                                               ColumnDevice& device)
    : strings(copy_strings(schema, array, device)) {}

ArrowStrings DeviceColumnCompressPlan::HostArray::copy_strings(const ArrowSchema& schema,
                                                               const ArrowDeviceArray& array,
                                                               ColumnDevice& device) {
  // Of the device's array nothing but its buffers' contents is in the memory of the device.
  const format::ColumnType type = ArrowStrings(schema, array.array).type();
  device.check_memory_of(array);
  if (array.sync_event != nullptr) device.wait_for_event(array.sync_event);
  const CopiedStrings copied = copied_strings(array.array);
  const auto* const device_validity = static_cast<const std::uint8_t*>(array.array.buffers[0]);
  const auto* const device_offsets = static_cast<const std::uint8_t*>(array.array.buffers[1]);
  if (array.array.length != 0) {
    offsets.resize((copied.count + 1) * type.offset_width);
    device.copy_to_host(offsets, device_offsets + copied.first * type.offset_width);
    if (device_validity != nullptr && array.array.null_count != 0) {
      validity.resize((copied.count + strings_per_byte - 1) / strings_per_byte);
      device.copy_to_host(validity, device_validity + copied.first / strings_per_byte);
    }
  }
  device.wait();
  std::array<const void*, 3> buffers = {validity.empty() ? nullptr : validity.data(), offsets.data(),
                                        array.array.buffers[2]};
  ArrowArray on_host = array.array;
  on_host.offset = array.array.offset - static_cast<std::int64_t>(copied.first);
  on_host.null_count = validity.empty() ? 0 : on_host.null_count;
  on_host.buffers = buffers.data();
  return {schema, on_host};
}

DeviceColumnCompressPlan::DeviceColumnCompressPlan(const ArrowSchema& schema, const ArrowDeviceArray& array,
                                                   const GpuCompressOptions& options, ColumnDevice& device)
    : array_(schema, array, device),
      writer_(writer_of(array_.strings)),
      frame_plan_(device.plan_compression(writer_.string_bytes(), options)),
      end_bytes_(end_bytes_of(writer_)) {}

std::uint64_t DeviceColumnCompressPlan::output_bytes() const {
  return format::column_header_bytes + frame_plan_.output_bytes() + end_bytes_;
}

// Strings between which there are bytes of nulls, in as few copies as possible.
const std::uint8_t* DeviceColumnCompressPlan::gather_strings(std::uint8_t* memory,
                                                             ColumnDevice& device) const {
  std::uint8_t* end = memory;
  std::span<const std::uint8_t> run;
  const auto copy_run = [&] {
    if (run.empty()) return;
    device.copy(end, run);
    end += run.size();
  };
  for (std::uint64_t number = 0; number < array_.strings.size(); ++number) {
    const auto string = array_.strings.string(number);
    if (!string || string->empty()) continue;
    if (!run.empty() && string->data() == run.data() + run.size()) {
      run = {run.data(), run.size() + string->size()};
      continue;
    }
    copy_run();
    run = *string;
  }
  copy_run();
  return memory;
}

std::size_t DeviceColumnCompressPlan::execute(std::span<std::uint8_t> output, ColumnDevice& device) const {
  const std::span<const std::uint8_t> bytes = array_.strings.bytes();
  const bool has_gaps = bytes.size() != writer_.string_bytes();
  const ColumnMemory gathered(device, has_gaps ? writer_.string_bytes() : 0);
  const ColumnMemory frame(device, frame_plan_.output_bytes());
  const ColumnMemory scratch(device, frame_plan_.scratch_bytes());
  const ColumnMemory frame_size(device, sizeof(std::uint64_t));
  device.compress(frame_plan_, {.input = has_gaps ? gather_strings(gathered.get(), device) : bytes.data(),
                                .output = frame.get(),
                                .scratch = scratch.get(),
                                .frame_bytes = reinterpret_cast<std::uint64_t*>(frame_size.get())});
  std::uint64_t frame_bytes = 0;
  device.copy_to_host({reinterpret_cast<std::uint8_t*>(&frame_bytes), sizeof frame_bytes}, frame_size.get());
  device.wait();
  std::ranges::copy(format::build_column_header(array_.strings.type()), output.begin());
  device.copy_to_host(output.subspan(format::column_header_bytes, frame_bytes), frame.get());
  device.wait();
  const std::vector<std::uint8_t> end = format::StringColumnWriter(writer_).finish(frame_bytes);
  const std::size_t frame_end = format::column_header_bytes + frame_bytes;
  std::ranges::copy(end, output.begin() + static_cast<std::ptrdiff_t>(frame_end));
  return frame_end + end.size();
}

void decompress_to_device(std::span<const std::uint8_t> column, const GpuDecompressOptions& options,
                          ColumnDevice& device, ArrowSchema& schema, ArrowDeviceArray& array) {
  const format::StringColumnView view = parse_column(column);
  const GpuDecompressPlan plan = device.plan_decompression(view.frame, options);
  format::check_column_frame(view, plan.summary().uncompressed_bytes);
  const ArrayEnds ends = ends_of(view);
  auto buffers = std::make_unique<DeviceBuffers>(
      DeviceBuffers{.validity = ColumnMemory(device, ends.validity.size()),
                    .offsets = ColumnMemory(device, ends.offsets.size()),
                    .data = ColumnMemory(device, std::max<std::uint64_t>(view.string_bytes, 1)),
                    .pointers = {}});
  buffers->pointers = {buffers->validity.get(), buffers->offsets.get(), buffers->data.get()};
  if (!ends.validity.empty()) device.copy_from_host(buffers->validity.get(), ends.validity);
  device.copy_from_host(buffers->offsets.get(), ends.offsets);
  decompress_frame(view.frame, plan, device, buffers->data.get());
  schema = make_arrow_schema(view.type);
  array = {};
  array.array.length = static_cast<std::int64_t>(view.string_count);
  array.array.null_count = static_cast<std::int64_t>(view.null_count);
  array.array.n_buffers = static_cast<std::int64_t>(buffers->pointers.size());
  array.array.buffers = buffers->pointers.data();
  array.array.release = release_device_array;
  array.array.private_data = buffers.release();
  array.device_id = device.id();
  array.device_type = device.type();
}

}  // namespace gsst::library
