// What a run on several files must not do to itself: write two outputs to one name, replace a file that is
// still to be read, or remove the key that opens what it wrote.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "file_list.hpp"
#include "spared_file.hpp"

namespace warpaes::cli {

/// An input and the name of its output.
struct PlannedFile {
  std::string input, output;
};

/// Would files of these names be one? Whether they are there or not, and by whatever folders the names lead.
bool are_one_place(const std::string& a, const std::string& b);

/// For runs whose outputs replace files. Throws a usage Refusal if an output would take the place of another
/// one or of another input: with --rm as well, what was in them would be lost.
void require_different_files(std::span<const PlannedFile> files);

/// For --rm. Throws a usage Refusal if one of the inputs is a file that decryption needs.
void require_no_secret_among(std::span<const ListedFile> inputs, const SparedFiles& secrets);

}  // namespace warpaes::cli
