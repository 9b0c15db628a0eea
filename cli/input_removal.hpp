// --rm: an input goes when what was made of it is on disk, and only if nothing else would be lost with it.
#pragma once

#include "input_file.hpp"

namespace warpaes::cli {

/// Before the work. Throws for what is no regular file: of a symbolic link only the link would go, and its
/// file stay.
void require_removable(const FilePlace& place);

/// Before the work, of a file that is going to be removed or replaced. Throws if somebody can write to it:
/// the last that was written could be lost.
/// @param going "removed"
void require_no_writers(InputFile& input, const char* going);

/// After the work. Throws if the file was changed or replaced since require_no_writers(). Warns of other
/// names that it has.
void remove_input(const InputFile& input);

}  // namespace warpaes::cli
