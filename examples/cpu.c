/* Compresses a text, decompresses it and compares: the codec as C functions. */
#include <gsst/gsst.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const gsst_message* message) {
  fprintf(stderr, "%s\n", message->text);
  return 1;
}

int main(void) {
  const char text[] = "she sells sea shells by the sea shore, and the shells she sells are sea shells";
  gsst_message message;

  gsst_compress_plan* compress = NULL;
  if (gsst_compress_plan_create(sizeof text, NULL, &compress, &message) != GSST_OK) return fail(&message);
  const size_t capacity = gsst_compress_plan_output_bytes(compress);
  unsigned char* frame = malloc(capacity);
  size_t frame_bytes = 0;
  if (gsst_compress_execute(compress, text, sizeof text, frame, capacity, &frame_bytes, &message) !=
      GSST_OK) {
    return fail(&message);
  }
  gsst_compress_plan_destroy(compress);

  gsst_decompress_plan* decompress = NULL;
  if (gsst_decompress_plan_create(frame, frame_bytes, NULL, &decompress, &message) != GSST_OK) {
    return fail(&message);
  }
  char output[sizeof text];
  if (gsst_decompress_execute(decompress, output, sizeof output, &message) != GSST_OK) return fail(&message);
  gsst_decompress_plan_destroy(decompress);
  free(frame);

  const int same = memcmp(text, output, sizeof text) == 0;
  printf("gsst %s: %s\n", gsst_version(), same ? "same" : "different");
  return same ? 0 : 1;
}
