/* The header is C: this file is compiled as C99, with -pedantic. */
#include "header_in_c99.h"

#include <string.h>

#include "warpaes/warpaes.h"

int key_stream_in_c99(unsigned char first_block[16]) {
  static const unsigned char key[16] = {0}, counter[16] = {0};
  warpaes_context_options options;
  warpaes_message message;
  warpaes_context* context = NULL;
  warpaes_cipher* cipher = NULL;
  warpaes_status status;

  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.engine = "portable/fips197";
  status = warpaes_context_create(&options, &context);
  if (status == WARPAES_OK) {
    status = warpaes_cipher_create(context, WARPAES_MODE_CTR, key, sizeof key, &cipher);
  }
  if (status == WARPAES_OK) {
    memset(first_block, 0, 16);
    memset(&message, 0, sizeof message);
    message.size = sizeof message;
    message.input = first_block;
    message.output = first_block;
    message.length = message.output_capacity = 16;
    message.nonce = counter;
    message.nonce_length = sizeof counter;
    status = warpaes_encrypt(cipher, &message);
  }
  warpaes_cipher_destroy(cipher);
  warpaes_context_destroy(context);
  return (int)status;
}
