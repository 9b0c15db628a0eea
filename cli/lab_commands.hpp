// The sub-commands of warpaes-lab, which its users type as `warpaes lab …`; each has a file of its own.
#pragma once

#include "command.hpp"
#include "json_lines.hpp"
#include "lab/lesson.hpp"

namespace warpaes::cli {

namespace lab = core::lab;

RegisterCommand register_lab_list;
RegisterCommand register_lab_show;
RegisterCommand register_lab_run;
RegisterCommand register_lab_penguin;
RegisterCommand register_lab_key_byte;
RegisterCommand register_lab_report;
RegisterCommand register_lab_study;

/// The argument NAME of a command, which completions take from the catalogue.
void add_lesson(CLI::App& command, std::string& name);

/// Throws Refusal with the names that are most like it, if there is no such lesson.
const lab::Lesson& lesson_named(const std::string& name);

/// A number, or the name of a memory space.
JsonObject axis_value(const lab::Axis& axis, uint32_t value);

}  // namespace warpaes::cli
