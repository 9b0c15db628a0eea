// Makes a circuit of 3-input gates smaller, keeping its function: simulated annealing whose moves are
// resubstitutions. See derive_sbox_circuit.py, which compiles and runs this, for the idea.
// One file, though a long one: the script compiles it by itself, and its moves share one state, the circuit.
//
// usage: anneal IN OUT STEPS SEED TEMPERATURE
// A file has a line "table a b c" for each gate, in order, then "out" and eight values.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

using Mask = unsigned __int128;  // a set of values

// Truth table over all 256 inputs.
struct Table {
  uint64_t w[4];
};
Table operator&(const Table& a, const Table& b) {
  Table r;
  for (int i = 0; i < 4; i++) r.w[i] = a.w[i] & b.w[i];
  return r;
}
Table operator|(const Table& a, const Table& b) {
  Table r;
  for (int i = 0; i < 4; i++) r.w[i] = a.w[i] | b.w[i];
  return r;
}
Table operator^(const Table& a, const Table& b) {
  Table r;
  for (int i = 0; i < 4; i++) r.w[i] = a.w[i] ^ b.w[i];
  return r;
}
Table without(const Table& a, const Table& b) {
  Table r;
  for (int i = 0; i < 4; i++) r.w[i] = a.w[i] & ~b.w[i];
  return r;
}
Table part(const Table& a, const Table& b, bool inside) { return inside ? a & b : without(a, b); }
bool empty(const Table& a) { return (a.w[0] | a.w[1] | a.w[2] | a.w[3]) == 0; }
int some_member(const Table& a) {
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

Table apply(int table, const Table& a, const Table& b, const Table& c) {
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
Network live_part(const Network& n, Random& random) {
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

int count(Mask m) {
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

// A gate's replacement by one gate, or by two of which the second reads the first as its fan-in 2.
struct Move {
  std::array<int, 5>
      source;  // values; [0..2] of the only gate, or [0..1] of the last and [2..4] of the first
  bool two;
  int change;  // of the number of gates
};

class Annealing {
 public:
  Annealing(const Network& start, uint64_t seed, double temperature)
      : random_{seed * 0x9E3779B97F4A7C15ull + 88172645463325252ull},
        temperature_(temperature),
        now_(live_part(start, random_)),
        best_(now_),
        columns_(now_) {}

  const Network& best() const { return best_; }

  // @return whether there is a new best
  bool step() {
    const int target = kInputs + random_.below(now_.gates());
    look_at(target);
    if (empty(on_) || empty(off_)) return false;
    const bool two = random_.unit() < 0.7 && has_private_fanin(target);
    two ? find_two(target) : find_one(target);
    if (moves_.empty()) return false;
    const Move* move = choose();
    if (!move) return false;
    return carry_out(target, *move);
  }

 private:
  // Which values may be used (not those that depend on the target), at which inputs the target matters,
  // and how many users each value has.
  void look_at(int target) {
    const Network& n = now_;
    depends_.fill(false);
    depends_[target] = true;
    std::array<Table, 256> flipped;
    for (int i = 0; i < 4; i++) flipped[target].w[i] = ~n.value[target].w[i];
    for (int i = target + 1; i < n.size; i++) {
      const auto& f = n.gate[i].fanin;
      if (!(depends_[f[0]] || depends_[f[1]] || depends_[f[2]])) continue;
      depends_[i] = true;
      const auto of = [&](int s) -> const Table& { return depends_[s] ? flipped[s] : n.value[s]; };
      flipped[i] = apply(n.gate[i].table, of(f[0]), of(f[1]), of(f[2]));
    }
    Table care{};
    for (int o : n.output) {
      if (depends_[o]) care = care | (flipped[o] ^ n.value[o]);
    }
    on_ = n.value[target] & care;
    off_ = without(care, n.value[target]);
    divisors_ = 0;
    for (int i = 0; i < std::min(n.size, kMostDivisors); i++) {
      if (!depends_[i]) divisors_ |= Mask{1} << i;
    }
    users_.fill(0);
    for (int i = kInputs; i < n.size; i++) count_fanins(n.gate[i], users_, 1);
    for (int o : n.output) users_[o]++;
  }

  static void count_fanins(const Gate& g, std::array<int, 256>& users, int by) {
    const auto& f = g.fanin;
    users[f[0]] += by;
    if (f[1] != f[0]) users[f[1]] += by;
    if (f[2] != f[0] && f[2] != f[1]) users[f[2]] += by;
  }

  bool has_private_fanin(int target) const {
    const auto& f = now_.gate[target].fanin;
    return std::any_of(f.begin(), f.end(), [&](int s) { return s >= kInputs && users_[s] == 1; });
  }

  void find_one(int target) {
    TripleSearch(now_, columns_, divisors_, on_, off_).run(triples_, 3000);
    moves_.clear();
    keep_some(300);
    for (const Triple& t : triples_) {
      Move move{{t[0], t[1], t[2], 0, 0}, false, 0};
      consider(target, move, 3, t[0] == t[2] ? -1 : 0);
    }
  }

  // The last gate reads two values that exist and a third that must be made: what that one has to tell
  // apart follows, but for its sign wherever the two leave the target open.
  void find_two(int target) {
    moves_.clear();
    const int a = random_.unit() < 0.7 ? now_.gate[target].fanin[random_.below(3)] : some_divisor();
    const int b = some_divisor();
    Table on{}, off{};
    for (int cell = 0; cell < 4; cell++) {
      const Table x = part(part(on_, now_.value[a], cell & 1), now_.value[b], cell & 2);
      const Table y = part(part(off_, now_.value[a], cell & 1), now_.value[b], cell & 2);
      if (empty(x) || empty(y)) continue;
      const bool positive = random_.below(2);
      on = on | (positive ? x : y);
      off = off | (positive ? y : x);
    }
    if (empty(on) || empty(off)) return;
    TripleSearch(now_, columns_, divisors_, on, off).run(triples_, 1000);
    keep_some(200);
    for (const Triple& t : triples_) {
      const int c = t[0];
      if (t[0] == t[2]) {
        consider(target, {{a, b, c, 0, 0}, false, 0}, 3, 0);
      } else {
        consider(target, {{a, b, c, t[1], t[2]}, true, 0}, 5, 1);
      }
    }
  }

  void keep_some(size_t most) {
    for (size_t k = 0; k < most && k < triples_.size(); k++) {
      std::swap(triples_[k],
                triples_[k + static_cast<size_t>(random_.below(static_cast<int>(triples_.size() - k)))]);
    }
    if (triples_.size() > most) triples_.resize(most);
  }

  int some_divisor() {
    for (;;) {
      const int i = random_.below(std::min(now_.size, kMostDivisors));
      if (divisors_ >> i & 1) return i;
    }
  }

  // Counts the gates that nobody needs any more once the target reads other values.
  void consider(int target, Move move, int sources, int added) {
    std::array<int, 256> users = users_;
    for (int i = 0; i < sources; i++) users[move.source[i]]++;
    std::array<int, 256> unused;
    int freed = 0;
    const auto release = [&](int x) {
      const auto& f = now_.gate[x].fanin;
      for (int z = 0; z < 3; z++) {
        if ((z > 0 && f[z] == f[0]) || (z > 1 && f[z] == f[1])) continue;
        if (--users[f[z]] == 0 && f[z] >= kInputs) unused[freed++] = f[z];
      }
    };
    release(target);
    for (int i = 0; i < freed; i++) release(unused[i]);
    move.change = added - freed;
    if (!move.two && added == 0) {  // the gate as it stands is no move
      auto sorted = move.source, present = move.source;
      std::copy(now_.gate[target].fanin.begin(), now_.gate[target].fanin.end(), present.begin());
      std::sort(sorted.begin(), sorted.begin() + 3);
      std::sort(present.begin(), present.begin() + 3);
      if (std::equal(sorted.begin(), sorted.begin() + 3, present.begin())) return;
    }
    moves_.push_back(move);
  }

  const Move* choose() {
    int least = 99;
    for (const Move& move : moves_) least = std::min(least, move.change);
    if (least > 0 && random_.unit() >= std::exp(-least / temperature_)) return nullptr;
    int wanted = least;
    if (least == 0 && random_.unit() < std::exp(-1 / temperature_)) wanted = 1;
    std::vector<const Move*> eligible;
    for (const Move& move : moves_) {
      if (move.change == wanted) eligible.push_back(&move);
    }
    if (eligible.empty()) return nullptr;
    return eligible[static_cast<size_t>(random_.below(static_cast<int>(eligible.size())))];
  }

  // The table that tells on from off at three values; where neither occurs, anything.
  Gate gate_for(const Network& n, std::array<int, 3> source, const Table& on, const Table& off) {
    Gate g{0, source};
    for (int row = 0; row < 8; row++) {
      const auto within = [&](const Table& t) {
        return !empty(part(part(part(t, n.value[source[0]], row & 4), n.value[source[1]], row & 2),
                           n.value[source[2]], row & 1));
      };
      if (within(on) || (!within(off) && random_.below(2))) g.table |= 1 << row;
    }
    return g;
  }

  bool carry_out(int target, const Move& move) {
    const Network& n = now_;
    Network m;
    std::array<int, 256> number;
    for (int i = 0; i < kInputs; i++) m.value[i] = n.value[i], number[i] = i;
    m.size = kInputs;
    const auto copy = [&](int i) {
      Gate g = n.gate[i];
      for (int& source : g.fanin) source = number[source];
      number[i] = m.add(g);
    };
    for (int i = kInputs; i < n.size; i++) {
      if (!depends_[i]) copy(i);
    }
    std::array<int, 3> last{number[move.source[0]], number[move.source[1]], number[move.source[2]]};
    if (move.two) {
      // The first gate's sets once more, as find_two() had them up to signs: find signs that fit.
      const int first =
          first_of_two(m, {last[0], last[1]}, {last[2], number[move.source[3]], number[move.source[4]]});
      if (first < 0) return false;
      last[2] = first;
    }
    number[target] = m.add(gate_for(m, last, on_, off_));
    for (int i = target + 1; i < n.size; i++) {
      if (depends_[i]) copy(i);
    }
    for (int k = 0; k < kOutputs; k++) {
      m.output[k] = number[n.output[k]];
      if (!empty(m.value[m.output[k]] ^ n.value[n.output[k]])) return false;
    }
    now_ = live_part(m, random_);
    forward_wires();
    if (now_.gates() > best_.gates() + 4) now_ = best_;
    columns_ = Columns(now_);
    const bool better = now_.gates() < best_.gates();
    if (now_.gates() <= best_.gates()) best_ = now_;
    return better;
  }

  // Each combination of the three sources is on or off in every cell of the two others that it meets; signs
  // of the cells are free, so one walks from cell to cell.
  int first_of_two(Network& m, std::array<int, 2> two, std::array<int, 3> source) {
    for (int signs = 0; signs < 16; signs++) {
      Table on{}, off{};
      for (int cell = 0; cell < 4; cell++) {
        const Table x = part(part(on_, m.value[two[0]], cell & 1), m.value[two[1]], cell & 2);
        const Table y = part(part(off_, m.value[two[0]], cell & 1), m.value[two[1]], cell & 2);
        if (empty(x) || empty(y)) continue;
        on = on | (signs >> cell & 1 ? x : y);
        off = off | (signs >> cell & 1 ? y : x);
      }
      const Gate g = gate_for(m, source, on, off);
      const Table made = apply(g.table, m.value[source[0]], m.value[source[1]], m.value[source[2]]);
      if (empty(without(on, made)) && empty(off & made)) return m.add(g);
    }
    return -1;
  }

  // A gate that equals another value, or its complement, gives way to it.
  void forward_wires() {
    Network& n = now_;
    bool changed = false;
    for (int i = kInputs; i < n.size; i++) {
      for (int j = 0; j < i; j++) {
        const uint64_t sign = n.value[i].w[0] ^ n.value[j].w[0];
        if (sign != 0 && sign != ~uint64_t{0}) continue;
        const Table difference = n.value[i] ^ n.value[j];
        if (difference.w[1] != sign || difference.w[2] != sign || difference.w[3] != sign) continue;
        const bool complement = sign != 0;
        if (complement && std::find(n.output.begin(), n.output.end(), i) != n.output.end()) continue;
        for (int k = i + 1; k < n.size; k++) {
          for (int z = 0; z < 3; z++) {
            if (n.gate[k].fanin[z] != i) continue;
            n.gate[k].fanin[z] = j;
            if (!complement) continue;
            int table = 0;
            for (int row = 0; row < 8; row++) table |= (n.gate[k].table >> (row ^ (4 >> z)) & 1) << row;
            n.gate[k].table = table;
          }
        }
        for (int& o : n.output) {
          if (o == i) o = j;
        }
        changed = true;
        break;
      }
    }
    if (changed) n = live_part(n, random_);
  }

  Random random_;
  double temperature_;
  Network now_, best_;
  std::array<bool, 256> depends_;
  std::array<int, 256> users_;
  Table on_, off_;
  Mask divisors_;
  Columns columns_;
  std::vector<Triple> triples_;
  std::vector<Move> moves_;
};

Network read(const char* path) {
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

void write(const Network& n, const std::string& path) {
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

}  // namespace

int main(int count, char** arguments) {
  if (count != 6) return 2;
  Annealing annealing(read(arguments[1]), std::strtoull(arguments[4], nullptr, 10), std::atof(arguments[5]));
  const uint64_t steps = std::strtoull(arguments[3], nullptr, 10);
  for (uint64_t step = 0; step < steps; step++) {
    if (!annealing.step()) continue;
    write(annealing.best(), arguments[2]);
    std::fprintf(stderr, "%d gates after %llu steps\n", annealing.best().gates(),
                 static_cast<unsigned long long>(step));
  }
  write(annealing.best(), arguments[2]);
}
