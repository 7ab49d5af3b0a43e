#include "common/chunk_files/chunk_files.hpp"
#include "common/format/codag/deflate.hpp"
#include "stages/codag/gzip/gzip_decoding.hpp"
#include "stages/codag/gzip/zlib_decoding.hpp"

// Makes the command decode files of gzip and of zlib with stages.
namespace gsst::codag::gzip {
namespace {

const chunk_files::ChunkFilesRegistration gzip_files({.format = format::codag::gzip_format,
                                                      .chunk_format = format::codag::deflate_format,
                                                      .decode = decode_gzip_file});
const chunk_files::ChunkFilesRegistration zlib_files({.format = format::codag::zlib_format,
                                                      .chunk_format = format::codag::deflate_format,
                                                      .decode = decode_zlib_file});

}  // namespace
}  // namespace gsst::codag::gzip
