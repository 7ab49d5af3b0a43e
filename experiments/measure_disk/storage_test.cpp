#include "experiments/measure_disk/storage.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

constexpr const char* mountinfo =
    "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard\n"
    "30 27 0:25 / /mnt rw shared:1 master:2 - tmpfs tmpfs rw\n"
    "31 30 8:1 / /mnt/a\\040disk rw - xfs /dev/sda1 rw\n"
    "32 27 0:26 / /data rw - overlay overlay rw\n"
    "33 27 8:17 / /data rw - btrfs /dev/sdb1 rw\n"
    "a line without a separator\n";

class MeasureDiskSysfs : public testing::Test {
protected:
  MeasureDiskSysfs() {
    std::filesystem::create_directories(disk_ / "queue");
    std::filesystem::create_directories(disk_ / "device");
    std::filesystem::create_directories(disk_ / "sda1");
    std::filesystem::create_directories(root_ / "dev" / "block");
    std::ofstream(disk_ / "queue" / "rotational") << "1\n";
    std::ofstream(disk_ / "device" / "model") << "Made up 3000    \n";
    std::ofstream(disk_ / "sda1" / "partition") << "1\n";
    std::filesystem::create_symlink(disk_, root_ / "dev" / "block" / "8:0");
    std::filesystem::create_symlink(disk_ / "sda1", root_ / "dev" / "block" / "8:1");
  }
  ~MeasureDiskSysfs() override { std::filesystem::remove_all(root_); }

  const std::filesystem::path root_ =
      std::filesystem::temp_directory_path() / ("gsst_sysfs_" + std::to_string(getpid()));
  const std::filesystem::path disk_ = root_ / "devices" / "sda";
};

TEST(MeasureDiskMount, TheLongestMountPointCountsAndOfEqualOnesTheLast) {
  EXPECT_EQ(mount_of("/srv/data", mountinfo).type, "ext4");
  EXPECT_EQ(mount_of("/", mountinfo).source, "/dev/vda");
  EXPECT_EQ(mount_of("/mnt", mountinfo).type, "tmpfs");
  EXPECT_EQ(mount_of("/mnt/a", mountinfo).type, "tmpfs");
  EXPECT_EQ(mount_of("/mnt/a disk/b", mountinfo).source, "/dev/sda1");
  EXPECT_EQ(mount_of("/mnt/a disk/b", mountinfo).mount_point, "/mnt/a disk");
  EXPECT_EQ(mount_of("/data/x", mountinfo).type, "btrfs");
  EXPECT_EQ(mount_of("/database", mountinfo).type, "ext4");
}

TEST(MeasureDiskMount, OutsideOfWhatIsMountedItIsUnknown) {
  const Mount mount = mount_of("/a", "31 30 8:1 / /b rw - xfs /dev/sda1 rw\n");
  EXPECT_EQ(mount.type, "unknown");
  EXPECT_EQ(mount.source, "");
}

TEST_F(MeasureDiskSysfs, APartitionIsOfItsDisk) {
  for (const unsigned minor : {0U, 1U}) {
    const BlockDevice device = block_device_of(8, minor, root_);
    EXPECT_EQ(device.name, "sda");
    EXPECT_EQ(device.model, "Made up 3000");
    EXPECT_EQ(device.medium, "rotational");
  }
  std::ofstream(disk_ / "queue" / "rotational") << "0\n";
  EXPECT_EQ(block_device_of(8, 1, root_).medium, "not rotational");
}

TEST_F(MeasureDiskSysfs, WhatIsNotThereIsUnknown) {
  EXPECT_EQ(block_device_of(0, 25, root_).name, "none");
  EXPECT_EQ(block_device_of(0, 25, root_).medium, "unknown");
  std::filesystem::remove_all(disk_ / "queue");
  std::filesystem::remove_all(disk_ / "device");
  EXPECT_EQ(block_device_of(8, 0, root_).medium, "unknown");
  EXPECT_EQ(block_device_of(8, 0, root_).model, "");
}

TEST(MeasureDiskStorage, AFolderOfThisMachineHasAFileSystem) {
  EXPECT_FALSE(storage_of(std::filesystem::temp_directory_path()).mount.type.empty());
  EXPECT_THROW(storage_of("/proc/self/mountinfo"), InputError);
  EXPECT_THROW(storage_of("/nowhere"), InputError);
}

}  // namespace
}  // namespace gsst::experiments
