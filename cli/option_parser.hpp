// The option parser's names, for headers: to read CLI11 takes a second, so only the files that define options
// do.
#pragma once

namespace CLI {
class App;
class Option;
class ParseError;
}  // namespace CLI
