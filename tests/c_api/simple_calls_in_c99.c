/* simple.h is C: this file is compiled as C99, with -pedantic. */
#include "warpaes/simple.h"

/* One of its functions, so that the file is not empty. */
int simple_calls_in_c99(void);
int simple_calls_in_c99(void) {
  uint8_t tweak[16];
  warpaes_xts_tweak(1, tweak);
  return tweak[0];
}
