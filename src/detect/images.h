// detect/images.h -- what a periodic cell repeats, for detection: boxes of images after those of
// shapes, theory 15.7.
#pragma once

#include "detect/detect.h"

// Boxes of the images that may meet something, after those of the shapes, which stand.
cn_status cn_images_place(cn_detect *d, const cn_bodies *b, cn_error *err);

// The shape of a box, of an image or not.
int cn_image_shape(const cn_detect *d, int box);

// Whether two boxes are a pair of their own: one of two images is that of a shape and an image, and
// what is not repeated meets shapes only.
bool cn_images_may_pair(const cn_detect *d, const cn_bodies *b, int a, int c);

// Pairs found by boxes become pairs of shapes with their shift.
void cn_images_name(cn_detect *d);

cn_box3 cn_box_merge(cn_box3 a, cn_box3 b);
