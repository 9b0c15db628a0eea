// Tables of mistakes that a caller can make. A row spoils one argument of a call that is right, and names the
// status that the call must return without having touched any memory.
#pragma once

#include <span>

#include "handles_for_tests.hpp"

namespace warpaes::core::testing {

/// @tparam Call holds the arguments of some calls, right until they are spoilt, and has a method
///         `void expect_untouched() const`
template <class Call>
struct MisuseRow {
  const char* what;
  warpaes_status expected;
  warpaes_status (Call::*call)();
  void (*spoil)(Call& c);
  const char* says = "";  // a part of the sentence in warpaes_last_error()
};

template <class Call>
void expect_refused(Call& call, const MisuseRow<Call>& row) {
  SCOPED_TRACE(row.what);
  row.spoil(call);
  EXPECT_STREQ(warpaes_status_name((call.*row.call)()), warpaes_status_name(row.expected))
      << warpaes_last_error();
  EXPECT_STRNE(warpaes_last_error(), "");
  EXPECT_NE(std::string(warpaes_last_error()).find(row.says), std::string::npos) << warpaes_last_error();
  call.expect_untouched();
}

/// @param made_right () -> Call
template <class Call, size_t Count>
void expect_each_refused(const MisuseRow<Call> (&rows)[Count], const auto& made_right) {
  for (const MisuseRow<Call>& row : rows) {
    Call call = made_right();
    expect_refused(call, row);
  }
}

}  // namespace warpaes::core::testing
