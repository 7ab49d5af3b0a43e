#include "common/chunk_files/chunk_files.hpp"
#include "common/format/codag/deflate.hpp"
#include "stages/codag/gzip/gzip_decoding.hpp"

// Makes the command decode files of gzip with stages.
namespace gsst::codag::gzip {
namespace {

const chunk_files::ChunkFilesRegistration gzip_files({.format = format::codag::gzip_format,
                                                      .chunk_format = format::codag::deflate_format,
                                                      .decode = decode_gzip_file});

}  // namespace
}  // namespace gsst::codag::gzip
