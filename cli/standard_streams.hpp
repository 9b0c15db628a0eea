// What a program may find wrong with its standard streams: closed, full, or read by nobody any more.
#pragma once

#include <fmt/format.h>

#include <string_view>

namespace warpaes::cli {

/// Occupies the descriptors 0, 1 and 2 if the caller has closed them, so that no file that is opened later
/// gets one of them, and with it the messages or the data of a standard stream. Reading or writing data
/// there then fails; messages are lost.
void occupy_closed_standard_streams();

/// Writes to standard error. What cannot be written there is lost: a message is never the reason why the
/// work ends.
void write_message(std::string_view text) noexcept;

/// write_message() of what fmt::format() makes.
template <class... Values>
void tell(fmt::format_string<Values...> format, Values&&... values) {
  write_message(fmt::format(format, std::forward<Values>(values)...));
}

}  // namespace warpaes::cli
