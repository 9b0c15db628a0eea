/* What aes_gcm.py compares with: the same calls from C. Prints the seconds of one call for each length that
 * is an argument, the best of several rounds. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <warpaes/simple.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double timed(const warpaes_cipher* gcm, uint64_t length, const uint8_t* text, uint8_t* output,
                    int count) {
  const uint8_t nonce[12] = {0};
  const double start = now();
  int i;
  for (i = 0; i < count; i++) {
    if (warpaes_gcm_encrypt(gcm, nonce, NULL, 0, text, length, output, output + length) != WARPAES_OK)
      exit(1);
  }
  return (now() - start) / count;
}

int main(int argc, char** argv) {
  const uint8_t key[32] = {0};
  warpaes_context_options options = {.size = sizeof options, .engine = "openssl", .threads = 1};
  warpaes_context* context = NULL;
  warpaes_cipher* gcm = NULL;
  int argument, round;
  if (warpaes_context_create(&options, &context) != WARPAES_OK) return 1;
  if (warpaes_cipher_create(context, WARPAES_MODE_GCM, key, sizeof key, &gcm) != WARPAES_OK) return 1;
  for (argument = 1; argument < argc; argument++) {
    const uint64_t length = strtoull(argv[argument], NULL, 10);
    uint8_t* text = calloc(1, length);
    uint8_t* output = calloc(1, length + 16);
    const int count = length < 10000000 ? (int)(10000000 / (length + 500)) + 1 : 1;
    double best = 1e9;
    for (round = 0; round < 15; round++) {
      const double taken = timed(gcm, length, text, output, count);
      if (taken < best) best = taken;
    }
    printf("%.12f\n", best);
    free(text);
    free(output);
  }
  warpaes_cipher_destroy(gcm);
  warpaes_context_destroy(context);
  return 0;
}
