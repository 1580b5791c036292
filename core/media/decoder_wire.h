/* What the two ends of the decode process say to each other (see decoder.c). */
#ifndef QUALM_CORE_MEDIA_DECODER_WIRE_H
#define QUALM_CORE_MEDIA_DECODER_WIRE_H

#include <stdint.h>
#include <sys/socket.h>

#include "core/media/decode.h"

#define DECODER_FD    3
#define DECODER_MAGIC 0x514d4431u

struct decoder_request { /* comes with the open file */
	uint32_t magic;
	struct decode_want want;
};

struct decoder_reply { /* status OK: w * h * 3 bytes follow */
	uint32_t magic;
	int32_t status;
	uint32_t w, h, step;
	uint32_t partial;
	char message[232];
};

union decoder_control {
	char bytes[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

#endif
