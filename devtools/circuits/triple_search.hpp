// Which three values of a circuit determine a function.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "look_up_network.hpp"

namespace circuits {

using Mask = unsigned __int128;  // a set of values

// At each of the 256 inputs, which values are 1.
struct Columns {
  std::array<Mask, 256> at;

  explicit Columns(const Network& n) {
    for (int word = 0; word < 4; word++) {
      std::array<uint64_t, 64> half[2] = {};
      for (int i = 0; i < std::min(n.size, kMostDivisors); i++) half[i / 64][i % 64] = n.value[i].w[word];
      transpose(half[0]), transpose(half[1]);
      for (int x = 0; x < 64; x++) at[64 * word + x] = Mask{half[1][x]} << 64 | half[0][x];
    }
  }

 private:
  static void transpose(std::array<uint64_t, 64>& rows) {
    uint64_t mask = 0xffffffff;
    for (int distance = 32; distance; distance /= 2, mask ^= mask << distance) {
      for (int i = 0; i < 64; i = ((i | distance) + 1) & ~distance) {
        const uint64_t swapped = ((rows[i] >> distance) ^ rows[i | distance]) & mask;
        rows[i] ^= swapped << distance;
        rows[i | distance] ^= swapped;
      }
    }
  }
};

inline int count(Mask m) {
  return __builtin_popcountll(static_cast<uint64_t>(m)) +
         __builtin_popcountll(static_cast<uint64_t>(m >> 64));
}

template <class Function>
void for_each_member(Mask set, const Function& f) {
  for (; set; set &= set - 1) {
    const uint64_t low = static_cast<uint64_t>(set);
    f(low ? __builtin_ctzll(low) : 64 + __builtin_ctzll(static_cast<uint64_t>(set >> 64)));
  }
}

using Triple = std::array<int, 3>;  // ascending; repeats where fewer values do

// All triples of divisors that determine a function: they separate each input of `on` from each of `off`.
//
// A triple must separate any one pair of inputs that we care to pick: so the first of its members is sought
// only among those that separate a pair that few do, the second among those that separate a pair that the
// first does not, and the third must separate all pairs known to be left. Each triple found wanting names
// another such pair.
class TripleSearch {
 public:
  TripleSearch(const Network& n, const Columns& columns, Mask divisors, const Table& on, const Table& off)
      : n_(n), columns_(columns), divisors_(divisors), on_(on), off_(off) {
    for (int word = 0; word < 4; word++) {  // of a pair for each word, what separates it
      if (!on.w[word]) continue;
      const int x = 64 * word + __builtin_ctzll(on.w[word]);
      Mask hardest = divisors;
      for (int i = 0; i < 4; i++) {
        for (uint64_t left = off.w[i]; left; left &= left - 1) {
          const Mask m = between(x, 64 * i + __builtin_ctzll(left));
          if (count(m) < count(hardest)) hardest = m;
        }
      }
      pairs_.push_back(hardest);
    }
  }

  void run(std::vector<Triple>& found, size_t most) {
    found.clear();
    const Mask first =
        *std::min_element(pairs_.begin(), pairs_.end(), [](Mask a, Mask b) { return count(a) < count(b); });
    for_each_member(first, [&](int a) {
      if (found.size() < most) with_first(a, found);
    });
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
  }

 private:
  Mask between(int x, int y) const { return (columns_.at[x] ^ columns_.at[y]) & divisors_; }

  void with_first(int a, std::vector<Triple>& found) {
    Mask second = 0;
    for (const Mask pair : pairs_) {
      if (!(pair >> a & 1) && (!second || count(pair) < count(second))) second = pair;
    }
    if (!second) {
      if (determine({a, a, a})) {
        found.push_back({a, a, a});
        return;
      }
      second = pairs_.back();
    }
    for_each_member(second, [&](int b) {
      Mask third = divisors_;
      bool needed = false;
      for (const Mask pair : pairs_) {
        if (pair >> a & 1 || pair >> b & 1) continue;
        needed = true;
        third &= pair;
        if (!third) return;
      }
      if (!needed) {
        if (determine({a, b, b})) {
          found.push_back({std::min(a, b), std::max(a, b), std::max(a, b)});
          return;
        }
        third &= pairs_.back();
      }
      while (third) {
        const uint64_t low = static_cast<uint64_t>(third);
        const int c = low ? __builtin_ctzll(low) : 64 + __builtin_ctzll(static_cast<uint64_t>(third >> 64));
        third &= third - 1;
        Triple t{a, b, c};
        if (determine(t)) {
          std::sort(t.begin(), t.end());
          found.push_back(t);
        } else {
          third &= pairs_.back();
        }
      }
    });
  }

  // If not, pairs_ gets another.
  bool determine(const Triple& t) {
    const Table &a = n_.value[t[0]], &b = n_.value[t[1]], &c = n_.value[t[2]];
    for (int i = 0; i < 2; i++) {
      const Table on1 = part(on_, a, i), off1 = part(off_, a, i);
      if (empty(on1) || empty(off1)) continue;
      for (int j = 0; j < 2; j++) {
        const Table on2 = part(on1, b, j), off2 = part(off1, b, j);
        if (empty(on2) || empty(off2)) continue;
        for (int k = 0; k < 2; k++) {
          const int x = some_member(part(on2, c, k)), y = some_member(part(off2, c, k));
          if (x < 0 || y < 0) continue;
          pairs_.push_back(between(x, y));
          return false;
        }
      }
    }
    return true;
  }

  const Network& n_;
  const Columns& columns_;
  const Mask divisors_;
  const Table on_, off_;
  std::vector<Mask> pairs_;  // for each of some pairs of inputs, the divisors that separate it
};

}  // namespace circuits
