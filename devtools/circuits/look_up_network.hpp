// Circuits of 3-input gates with 8 inputs and 8 outputs, and their files.
//
// A file has a line "table a b c" for each gate, in order, then "out" and eight values.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

namespace circuits {

// Truth table over all 256 inputs.
struct Table {
  uint64_t w[4];
};
inline Table operator&(const Table& a, const Table& b) {
  Table r;
  for (int i = 0; i < 4; i++) r.w[i] = a.w[i] & b.w[i];
  return r;
}
inline Table operator|(const Table& a, const Table& b) {
  Table r;
  for (int i = 0; i < 4; i++) r.w[i] = a.w[i] | b.w[i];
  return r;
}
inline Table operator^(const Table& a, const Table& b) {
  Table r;
  for (int i = 0; i < 4; i++) r.w[i] = a.w[i] ^ b.w[i];
  return r;
}
inline Table without(const Table& a, const Table& b) {
  Table r;
  for (int i = 0; i < 4; i++) r.w[i] = a.w[i] & ~b.w[i];
  return r;
}
inline Table part(const Table& a, const Table& b, bool inside) { return inside ? a & b : without(a, b); }
inline bool empty(const Table& a) { return (a.w[0] | a.w[1] | a.w[2] | a.w[3]) == 0; }
inline int some_member(const Table& a) {
  for (int i = 0; i < 4; i++) {
    if (a.w[i]) return 64 * i + __builtin_ctzll(a.w[i]);
  }
  return -1;
}

struct Random {
  uint64_t state;
  uint64_t next() {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (state * 0x2545F4914F6CDD1Dull) >> 16;
  }
  int below(int n) { return static_cast<int>(next() % static_cast<uint64_t>(n)); }
  double unit() { return static_cast<double>(next() & 0xffffffff) / 4294967296.0; }
};

struct Gate {
  int table;
  std::array<int, 3> fanin;
};

inline Table apply(int table, const Table& a, const Table& b, const Table& c) {
  Table r;
  for (int i = 0; i < 4; i++) {
    const uint64_t A = a.w[i], B = b.w[i], C = c.w[i];
    const auto pair = [C](int two) {  // of c
      return (two & 1 ? ~C : 0) | (two & 2 ? C : 0);
    };
    r.w[i] = (~A & ((~B & pair(table)) | (B & pair(table >> 2)))) |
             (A & ((~B & pair(table >> 4)) | (B & pair(table >> 6))));
  }
  return r;
}

constexpr int kInputs = 8, kOutputs = 8, kMostDivisors = 128;

struct Network {
  int size = 0;  // values: inputs, then gates, fan-ins before their users
  std::array<Gate, 256> gate;
  std::array<Table, 256> value;
  std::array<int, kOutputs> output;

  int gates() const { return size - kInputs; }
  int add(const Gate& g) {
    gate[size] = g;
    value[size] = apply(g.table, value[g.fanin[0]], value[g.fanin[1]], value[g.fanin[2]]);
    return size++;
  }
};

// The gates that outputs need, in a random order that their fan-ins allow: which gate may use which depends
// on it not at all, but which moves are found first does.
inline Network live_part(const Network& n, Random& random) {
  Network m;
  std::array<int, 256> number;
  number.fill(-1);
  for (int i = 0; i < kInputs; i++) m.value[i] = n.value[i], number[i] = i;
  m.size = kInputs;
  const auto visit = [&](const auto& self, int x) -> void {
    if (number[x] >= 0) return;
    Gate g = n.gate[x];
    for (int& source : g.fanin) self(self, source), source = number[source];
    number[x] = m.add(g);
  };
  const int first = random.below(kOutputs);
  for (int k = 0; k < kOutputs; k++) visit(visit, n.output[(first + k) % kOutputs]);
  for (int k = 0; k < kOutputs; k++) m.output[k] = number[n.output[k]];
  return m;
}

inline Network read(const char* path) {
  Network n;
  for (int i = 0; i < kInputs; i++) {
    n.value[i] = {};
    for (int x = 0; x < 256; x++) n.value[i].w[x / 64] |= static_cast<uint64_t>(x >> i & 1) << (x % 64);
  }
  n.size = kInputs;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    if (line.starts_with("out")) {
      words.ignore(3);
      for (int& o : n.output) words >> o;
    } else {
      Gate g{};
      words >> g.table >> g.fanin[0] >> g.fanin[1] >> g.fanin[2];
      n.add(g);
    }
  }
  return n;
}

inline void write(const Network& n, const std::string& path) {
  std::ofstream file(path + ".new");
  for (int i = kInputs; i < n.size; i++) {
    const Gate& g = n.gate[i];
    file << g.table << ' ' << g.fanin[0] << ' ' << g.fanin[1] << ' ' << g.fanin[2] << '\n';
  }
  file << "out";
  for (int o : n.output) file << ' ' << o;
  file << '\n';
  file.close();
  std::rename((path + ".new").c_str(), path.c_str());
}

}  // namespace circuits
