/* One message in host memory, encrypted and authenticated with AES-256 in GCM. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include <stdio.h>
#include <string.h>

#include "warpaes/simple.h"
#include "warpaes/warpaes.h"

int main(void) {
  static const char header[] = "to: Bob", text[] = "Meet me at noon.";
  uint8_t key[32], nonce[12], tag[16], ciphertext[sizeof text], opened[sizeof text];
  warpaes_context* context = NULL;
  warpaes_cipher* gcm = NULL;

  /* cut for README.md */
  warpaes_status status = warpaes_context_create(NULL, &context); /* GPU if there is one, and CPU */
  if (!status) status = warpaes_random(key, sizeof key);
  if (!status) status = warpaes_cipher_create(context, WARPAES_MODE_GCM, key, sizeof key, &gcm);
  if (!status) status = warpaes_random(nonce, sizeof nonce); /* another one for each message */
  if (!status) {
    status = warpaes_gcm_encrypt(gcm, nonce, header, sizeof header, text, sizeof text, ciphertext, tag);
  }
  if (!status) { /* whoever has key, nonce, header, ciphertext and tag: */
    status = warpaes_gcm_decrypt(gcm, nonce, header, sizeof header, ciphertext, sizeof text, opened, tag);
  }
  if (status == WARPAES_ERROR_AUTHENTICATION) puts("forged or damaged: opened is all zero");
  /* end of the cut */

  if (status) fprintf(stderr, "%s: %s\n", warpaes_status_name(status), warpaes_last_error());
  if (!status) printf("opened: %s\n", opened);
  explicit_bzero(key, sizeof key);
  warpaes_cipher_destroy(gcm);
  warpaes_context_destroy(context);
  return status != WARPAES_OK;
}
