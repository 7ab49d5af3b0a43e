#include "experiments/measure_files/orc_on_device.hpp"

#include "stages/codag/orc/orc_device.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

// Columns of a few GB, with all memory that their decoding needs.
constexpr std::uint64_t most_orc_bytes = std::uint64_t{48} << 30;

class OrcFileOnDevice final : public FileOnDevice {
public:
  OrcFileOnDevice(std::span<const std::uint8_t> file, const OrcInput& input)
      : file_bytes_(file.size()),
        keys_(orc_in_rows(input.column)),
        column_(stage::Executor::gpu, file, input.column,
                {.batch_bytes = most_orc_bytes, .memory_bytes = most_orc_bytes}) {}

  void enqueue(stage::Stream stream) override { column_.enqueue(stream); }
  void check() const override { column_.check(); }
  std::span<const std::uint8_t> input() const override { return column_.stored(); }
  std::span<std::uint8_t> output() override { return column_.output(); }
  std::uint64_t file_bytes() const override { return file_bytes_; }
  Json parameters() const override { return Json::object(); }
  Json keys() const override { return keys_; }

private:
  std::uint64_t file_bytes_;
  Json keys_;
  codag::orc::OrcColumnInMemory column_;
};

}  // namespace

std::unique_ptr<FileOnDevice> make_orc_on_device(std::span<const std::uint8_t> file, const OrcInput& input) {
  return std::make_unique<OrcFileOnDevice>(file, input);
}

}  // namespace gsst::experiments
