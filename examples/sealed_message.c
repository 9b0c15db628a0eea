/* Sealed messages: the library makes the nonce, and puts nonce, ciphertext and tag into one piece. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include <stdio.h>
#include <string.h>

#include "warpaes/warpaes.h"

int main(void) {
  const warpaes_bytes header = {"to: Bob", 7}, text = {"Meet me at noon.", 16};
  uint8_t key[32], sealed[100], opened[100];
  uint64_t sealed_length = 0, length = 0;
  warpaes_context* context = NULL;
  warpaes_cipher* cipher = NULL;

  /* cut for docs/api.md */
  warpaes_status status = warpaes_context_create(NULL, &context);
  if (!status) status = warpaes_random(key, sizeof key);
  if (!status) status = warpaes_cipher_create(context, WARPAES_MODE_GCM, key, sizeof key, &cipher);
  explicit_bzero(key, sizeof key); /* the cipher has its own copy, and wipes that */

  if (!status) status = warpaes_seal(cipher, header, text, sealed, sizeof sealed, &sealed_length);
  const warpaes_bytes received = {sealed, sealed_length};
  if (!status) status = warpaes_open(cipher, header, received, opened, sizeof opened, &length);
  if (!status) printf("opened: %.*s\n", (int)length, (const char*)opened);
  /* end of the cut */

  if (!status) {
    sealed[20] ^= 1; /* one bit of the ciphertext is damaged on the way */
    const warpaes_status damaged = warpaes_open(cipher, header, received, opened, sizeof opened, &length);
    printf("damaged: %s\n", warpaes_status_name(damaged));
  }

  if (status) fprintf(stderr, "%s: %s\n", warpaes_status_name(status), warpaes_last_error());
  warpaes_cipher_destroy(cipher);
  warpaes_context_destroy(context);
  return status != WARPAES_OK;
}
