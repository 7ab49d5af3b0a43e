/* Compresses standard input to standard output, or with -d decompresses it, in bounded memory. */
#include <gsst/stream.h>
#include <stdio.h>
#include <string.h>

static int read_file(void* file, void* buffer, size_t capacity, size_t* bytes) {
  *bytes = fread(buffer, 1, capacity, file);
  return ferror((FILE*)file) != 0;
}

static int write_file(void* file, const void* bytes, size_t byte_count) {
  return fwrite(bytes, 1, byte_count, file) != byte_count;
}

int main(int argc, char** argv) {
  const int decompress = argc == 2 && strcmp(argv[1], "-d") == 0;
  gsst_stream stream = {sizeof stream, 0, read_file, stdin, write_file, stdout};
  gsst_stream_info info = {sizeof info, 0, 0, 0, 0};
  gsst_message message;
  const gsst_error error = decompress ? gsst_decompress_stream(&stream, NULL, &info, &message)
                                      : gsst_compress_stream(&stream, NULL, &info, &message);
  if (error != GSST_OK || fflush(stdout) != 0) {
    fprintf(stderr, "%s\n", error != GSST_OK ? message.text : "cannot write");
    return 1;
  }
  fprintf(stderr, "%llu bytes to %llu in %llu blocks\n", (unsigned long long)info.input_bytes,
          (unsigned long long)info.output_bytes, (unsigned long long)info.block_count);
  return 0;
}
