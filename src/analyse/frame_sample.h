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
    cn_body_id *known; // of the reference: known_count, and their places
    double *known_at, *start, *way;
    int known_count;
    size_t in_capacity, mass_capacity, content_capacity, room_capacity;
    size_t known_capacity, known_at_capacity, start_capacity, way_capacity;
} cn_frame_sample;

// `of`: name of the bodies, or NULL. CN_BAD_INPUT if there are none of it.
cn_status cn_frame_sample_begin(cn_frame_sample *f, cn_reader *reader, const char *of,
                                cn_error *err);

// Ways are counted from this frame, below 0 from the last one backwards; frames that are read from
// then on know them. In a periodic cell there are none: frames do not tell how often a body was put
// back.
cn_status cn_frame_sample_count_from(cn_frame_sample *f, int frame, cn_error *err);

// Reads a frame. Volumes of the bodies are found if they are needed, else they are NaN.
cn_status cn_frame_sample_read(cn_frame_sample *f, int frame, bool takes_content, cn_error *err);

void cn_frame_sample_end(cn_frame_sample *f);
