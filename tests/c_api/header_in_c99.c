/* The header is C: this file is compiled as C99, with -pedantic. */
#include "header_in_c99.h"

#include <string.h>

#include "warpaes/warpaes.h"

int key_stream_in_c99(unsigned char first_block[16]) {
  static const unsigned char key_bytes[16] = {0}, counter[16] = {0};
  warpaes_context_options options;
  warpaes_context* context = NULL;
  warpaes_key* key = NULL;
  warpaes_status status;

  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.engine = "portable/fips197";
  status = warpaes_context_create(&options, &context);
  if (status == WARPAES_OK) status = warpaes_key_create(context, key_bytes, sizeof key_bytes, &key);
  if (status == WARPAES_OK) {
    memset(first_block, 0, 16);
    status = warpaes_ctr_crypt(key, counter, first_block, first_block, 16);
  }
  warpaes_key_destroy(key);
  warpaes_context_destroy(context);
  return (int)status;
}
