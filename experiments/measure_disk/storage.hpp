#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace gsst::experiments {

/// A file system that is mounted, as /proc/self/mountinfo has it (proc(5)).
struct Mount {
  std::filesystem::path mount_point;
  /// `ext4`, `tmpfs`.
  std::string type;
  /// What is mounted: `/dev/sda1`, or a name without a meaning.
  std::string source;
};

/// The mount that `path`, absolute and without links, is in: of those whose mount points `path` is below, the
/// last one with the longest. `mountinfo` is the text of that file. Where no line fits, as in a root folder
/// of one's own (chroot) that is no mount point, the type is `unknown` and all else empty.
Mount mount_of(const std::filesystem::path& path, std::string_view mountinfo);

/// A disk.
struct BlockDevice {
  /// The kernel's name of the whole disk, not of a partition: `nvme0n1`.
  std::string name;
  /// As the disk says; empty where it does not.
  std::string model;
  /// `rotational`, `not rotational` or `unknown`, as the kernel says.
  std::string medium;
};

/// The disk with this device number, which may be that of a partition. `sysfs` is where sysfs is mounted. A
/// number that no disk has gives the name `none`.
BlockDevice block_device_of(unsigned major, unsigned minor, const std::filesystem::path& sysfs);

/// What the files of a folder lie on.
struct Storage {
  Mount mount;
  BlockDevice device;
};

/// Throws InputError where there is no such folder.
Storage storage_of(const std::filesystem::path& folder);

}  // namespace gsst::experiments
