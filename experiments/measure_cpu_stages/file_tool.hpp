#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/format/stream.hpp"

namespace gsst::experiments {

/// What compresses a file by the way that a command does: it reads and writes in one pass.
struct FileTool {
  /// As a points file has it: `gzip`, or the id of a stage.
  std::string name;
  /// As a row has it.
  std::string stage;
  std::string variant;
  /// Reads all, compresses with so many threads and writes. Throws what goes wrong.
  std::function<void(const format::ReadFunction& read, const format::WriteFunction& write, unsigned threads)>
      compress;
  /// The other way, with one thread.
  std::function<void(const format::ReadFunction& read, const format::WriteFunction& write)> decompress;
};

/// gzip of zlib, level 6. Throws CodecError when used.
FileTool gzip_tool();

/// bzip2, level 9, as one stream. Throws CodecError when used.
FileTool bzip2_tool();

/// bzip2, level 9, as pbzip2 does: pieces of 900,000 bytes, each a stream of its own, by several threads.
FileTool pbzip2_tool();

/// A stage of zero-length coding on the executor cpu, in blocks of 1 MiB of the bare form. Throws InputError
/// where there is no such stage.
FileTool stage_tool(const std::string& id);

/// The tool of that name. Throws InputError where it is none, or its library was not found.
FileTool file_tool_named(const std::string& name);

/// Names of tools whose libraries were not found.
std::vector<std::string> missing_file_tools();

}  // namespace gsst::experiments
