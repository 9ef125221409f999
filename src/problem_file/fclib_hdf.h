// problem_file/fclib_hdf.h -- datasets of the FCLIB layout: vectors, and matrices in three
// storages.
//
// Files come from other programs, so numbers of any width and byte order are accepted, stored
// plainly or compressed, as scalars or as arrays of any shape.
#pragma once

#include "problem_file/sparse_entries.h"
#include "result/hdf/hdf.h"

// Whether there is an object of this name.
bool cn_fclib_has(cn_hdf *hdf, const char *name);

// Datasets `folder/name`. The array is new and belongs to the caller.
cn_status cn_fclib_integer(cn_hdf *hdf, const char *folder, const char *name, int *value,
                           cn_error *err);

// Exactly `count` finite reals.
cn_status cn_fclib_vector(cn_hdf *hdf, const char *folder, const char *name, int count,
                          double **value, cn_error *err);

// A text of fixed length, "" if there is none. It is new and belongs to the caller.
cn_status cn_fclib_text(cn_hdf *hdf, const char *folder, const char *name, char **text,
                        cn_error *err);

// The matrix in group `folder`: indices in range, values finite, sorted, duplicates summed.
cn_status cn_fclib_matrix(cn_hdf *hdf, const char *folder, cn_sparse *A, cn_error *err);

// Writers; one value makes an array of one element, as the layout wants. Matrices must be sorted.
cn_status cn_fclib_put_reals(cn_hdf *hdf, const char *folder, const char *name, int count,
                             const double *value, cn_error *err);
cn_status cn_fclib_put_integers(cn_hdf *hdf, const char *folder, const char *name, int count,
                                const int32_t *value, cn_error *err);
cn_status cn_fclib_put_text(cn_hdf *hdf, const char *folder, const char *name, const char *text,
                            cn_error *err);
cn_status cn_fclib_put_matrix(cn_hdf *hdf, const char *folder, const cn_sparse *A, cn_error *err);
