// validation/unpack.h -- files of a case: archives of models, and what a case writes itself.
#pragma once

#include "validation.h"

#define CN_FOLDER_SIZE 64

// A folder of its own for a case. False, with the failure in the book, if there is no room.
bool cn_folder_make(cn_book *book, char folder[CN_FOLDER_SIZE]);

// Takes it away with all that is in it.
void cn_folder_remove(const char *folder);

// Unpacks NAME.tar.gz of the models of the sources into a folder that is there.
bool cn_unpack_model(cn_book *book, const char *name, const char *folder);

// Writes a text to a file, or behind what is there.
bool cn_write_text(cn_book *book, const char *path, const char *text, bool is_added);
