/* Zero-length coding of what arrives on standard input, for as long as it arrives, to standard output. */
#include <gsst/zero_length_feed.h>
#include <stdio.h>

static int fail(const gsst_message* message) {
  fprintf(stderr, "%s\n", message->text);
  return 1;
}

/* Writes the blocks that are ready. */
static int write_blocks(gsst_zero_length_feed* feed) {
  gsst_message message;
  for (;;) {
    gsst_zero_length_feed_block block = {.struct_bytes = sizeof block};
    if (gsst_zero_length_feed_next(feed, &block, &message) != GSST_OK) return fail(&message);
    if (block.bytes == NULL) return 0;
    if (fwrite(block.bytes, 1, block.stored_bytes, stdout) != block.stored_bytes) {
      perror("standard output");
      return 1;
    }
    if (gsst_zero_length_feed_release(feed, &message) != GSST_OK) return fail(&message);
  }
}

int main(void) {
  gsst_message message;
  gsst_zero_length_feed* feed = NULL;
  const gsst_zero_length_feed_options options = {
      .struct_bytes = sizeof options, .block_bytes = 65536, .slots = 2};
  if (gsst_zero_length_feed_create(&options, &feed, &message) != GSST_OK) return fail(&message);

  static unsigned char packet[8192];
  size_t received = 0;
  while ((received = fread(packet, 1, sizeof packet, stdin)) != 0) {
    /* Where the ring is full a push takes less than it is given, until blocks are written and released. */
    for (size_t pushed = 0; pushed != received;) {
      size_t taken = 0;
      if (gsst_zero_length_feed_push(feed, packet + pushed, received - pushed, &taken, &message) != GSST_OK) {
        return fail(&message);
      }
      pushed += taken;
      if (write_blocks(feed) != 0) return 1;
    }
  }
  if (gsst_zero_length_feed_finish(feed, &message) != GSST_OK) return fail(&message);
  if (write_blocks(feed) != 0) return 1;

  gsst_zero_length_feed_info info = {.struct_bytes = sizeof info};
  if (gsst_zero_length_feed_inspect(feed, &info, &message) != GSST_OK) return fail(&message);
  fprintf(stderr, "%llu bytes in %llu blocks\n", (unsigned long long)info.pushed_bytes,
          (unsigned long long)info.released_blocks);
  gsst_zero_length_feed_destroy(feed);
  return fflush(stdout) == 0 ? 0 : 1;
}
