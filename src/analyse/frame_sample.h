// analyse/frame_sample.h -- the sample of a frame of a result, with bodies selected by their name.
#pragma once

#include "analyse/analyse.h"

// Arrays are kept from frame to frame.
typedef struct cn_frame_sample {
    cn_reader *reader;
    int group; // of the selected bodies; -1: all that nothing holds
    cn_frame frame;
    cn_sample sample; // param is left to the caller
    bool *is_in;
    double *mass, *content;
    int *room;
    size_t in_capacity, mass_capacity, content_capacity, room_capacity;
} cn_frame_sample;

// `of`: name of the bodies, or NULL. CN_BAD_INPUT if there are none of it.
cn_status cn_frame_sample_begin(cn_frame_sample *f, cn_reader *reader, const char *of,
                                cn_error *err);

// Reads a frame. Volumes of the bodies are found if they are needed, else they are NaN.
cn_status cn_frame_sample_read(cn_frame_sample *f, int frame, bool takes_content, cn_error *err);

void cn_frame_sample_end(cn_frame_sample *f);
