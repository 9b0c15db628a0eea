/* A data key, wrapped by a key that is derived from a master secret: only the wrapped one is stored. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include <stdio.h>
#include <string.h>

#include "warpaes/simple.h"
#include "warpaes/warpaes.h"

int main(void) {
  uint8_t secret[32], wrapping_key[32], data_key[32], wrapped[40], unwrapped[32];
  warpaes_context* context = NULL;
  warpaes_cipher* wrapping = NULL;

  warpaes_status status = warpaes_random(secret, sizeof secret); /* yours comes from a key store */
  warpaes_kdf hkdf;
  memset(&hkdf, 0, sizeof hkdf);
  hkdf.size = sizeof hkdf;
  hkdf.algorithm = WARPAES_KDF_HKDF;
  hkdf.secret = secret;
  hkdf.secret_length = sizeof secret;
  hkdf.info = "wrapping of data keys";
  hkdf.info_length = strlen(hkdf.info);
  if (!status) status = warpaes_derive_key(&hkdf, wrapping_key, sizeof wrapping_key);

  if (!status) status = warpaes_context_create(NULL, &context);
  if (!status) status = warpaes_cipher_create(context, WARPAES_MODE_KW, wrapping_key, 32, &wrapping);
  if (!status) status = warpaes_random(data_key, sizeof data_key);
  if (!status) status = warpaes_kw_wrap(wrapping, data_key, sizeof data_key, wrapped);
  if (!status) status = warpaes_kw_unwrap(wrapping, wrapped, sizeof wrapped, unwrapped);
  if (!status) puts(memcmp(unwrapped, data_key, 32) == 0 ? "unwrapped: the same key" : "another key");

  if (status) fprintf(stderr, "%s: %s\n", warpaes_status_name(status), warpaes_last_error());
  warpaes_cipher_destroy(wrapping);
  warpaes_context_destroy(context);
  explicit_bzero(secret, sizeof secret);
  explicit_bzero(wrapping_key, sizeof wrapping_key);
  explicit_bzero(data_key, sizeof data_key);
  explicit_bzero(unwrapped, sizeof unwrapped);
  return status != WARPAES_OK;
}
