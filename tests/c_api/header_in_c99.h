#ifndef WARPAES_HEADER_IN_C99_H
#define WARPAES_HEADER_IN_C99_H
#ifdef __cplusplus
extern "C" {
#endif
/* A status; the block is the encryption of zeros under a key of zeros. */
int key_stream_in_c99(unsigned char first_block[16]);
#ifdef __cplusplus
}
#endif
#endif
