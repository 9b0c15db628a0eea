// Makes a circuit of XOR gates with two or three inputs smaller, keeping its function: simulated annealing.
// See derive_mix_columns_circuit.py, which compiles and runs this, for the idea.
//
// usage: anneal_sums IN OUT STEPS SEED TEMPERATURE
// A file has a line of two or three values for each gate, in order, then "out" and 32 values.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

constexpr int kInputs = 32, kOutputs = 32;
constexpr int kMostExtra = 40, kMostTried = 12;

struct Random {
  uint64_t state;
  uint64_t next() {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (state * 0x2545F4914F6CDD1Dull) >> 16;
  }
  int below(size_t n) { return static_cast<int>(next() % n); }
  double unit() { return static_cast<double>(next() & 0xffffffff) / 4294967296.0; }
  template <class T>
  const T& one_of(const std::vector<T>& from) {
    return from[static_cast<size_t>(below(from.size()))];
  }
};

using Gate = std::vector<int>;  // the values that it adds

struct Network {
  std::vector<uint32_t> sum;  // of which inputs each value is the sum
  std::vector<Gate> gate;     // none for inputs
  std::array<int, kOutputs> output{};

  int size() const { return static_cast<int>(sum.size()); }
  int add(Gate g) {
    uint32_t total = 0;
    for (int source : g) total ^= sum[source];
    sum.push_back(total);
    gate.push_back(std::move(g));
    return size() - 1;
  }
};

Network inputs_only() {
  Network n;
  for (int i = 0; i < kInputs; i++) n.sum.push_back(1u << i), n.gate.emplace_back();
  return n;
}

// Pairs of equal terms cancel.
Gate simplified(Gate g) {
  std::sort(g.begin(), g.end());
  for (size_t i = 0; i + 1 < g.size();) {
    if (g[i] == g[i + 1]) {
      g.erase(g.begin() + static_cast<long>(i), g.begin() + static_cast<long>(i) + 2);
    } else {
      i++;
    }
  }
  return g;
}

// The gates that the outputs need. A gate left with one term is no gate.
Network live_part(const Network& n, Random& random) {
  Network m = inputs_only();
  std::vector<int> number(n.sum.size(), -1);
  for (int i = 0; i < kInputs; i++) number[i] = i;
  const auto visit = [&](const auto& self, int x) -> void {
    if (number[x] >= 0) return;
    Gate g;
    for (int source : n.gate[x]) self(self, source), g.push_back(number[source]);
    g = simplified(g);
    number[x] = g.size() == 1 ? g[0] : m.add(g);
  };
  const int first = random.below(kOutputs);
  for (int k = 0; k < kOutputs; k++) visit(visit, n.output[(first + k) % kOutputs]);
  for (int k = 0; k < kOutputs; k++) m.output[k] = number[n.output[k]];
  return m;
}

// Gates, and one more for each output whose round key finds no gate with an input to spare: the keys that
// may be added there must be able to add up to any 32 words, so that what they reach must have full rank.
int cost(const Network& n) {
  std::vector<uint32_t> reach(n.sum.size());
  for (int k = 0; k < kOutputs; k++) reach[n.output[k]] ^= 1u << k;
  std::vector<uint32_t> basis;
  for (int i = n.size() - 1; i >= kInputs; i--) {
    for (int source : n.gate[i]) reach[source] ^= reach[i];
    if (n.gate[i].size() == 3) continue;
    uint32_t rest = reach[i];
    for (uint32_t vector : basis) rest = std::min(rest, rest ^ vector);
    if (rest) basis.push_back(rest);
  }
  return n.size() - kInputs + kOutputs - static_cast<int>(basis.size());
}

class Annealing {
 public:
  Annealing(const Network& start, uint64_t seed, double temperature)
      : random_{seed * 0x9E3779B97F4A7C15ull + 88172645463325252ull},
        temperature_(temperature),
        now_(live_part(start, random_)),
        best_(now_),
        cost_(cost(now_)),
        best_cost_(cost_) {}

  const Network& best() const { return best_; }
  int best_cost() const { return best_cost_; }

  // Another way to make one value, of others or of others and one new gate. @return is there a new best?
  bool step() {
    const int target = kInputs + random_.below(static_cast<size_t>(now_.size() - kInputs));
    std::vector<Gate> ways = ways_to_make(target);
    if (ways.empty()) return false;
    std::vector<std::pair<int, Network>> tried;
    int least = 99;
    for (size_t k = 0; k < ways.size() && k < kMostTried; k++) {
      std::swap(ways[k], ways[k + static_cast<size_t>(random_.below(ways.size() - k))]);
      Network changed = with(target, ways[k]);
      const int change = cost(changed) - cost_;
      least = std::min(least, change);
      tried.emplace_back(change, std::move(changed));
    }
    if (least > 0 && random_.unit() >= std::exp(-least / temperature_)) return false;
    std::erase_if(tried, [least](const auto& t) { return t.first != least; });
    now_ = random_.one_of(tried).second;
    cost_ += least;
    if (cost_ > best_cost_ + 3) now_ = best_, cost_ = best_cost_;
    const bool better = cost_ < best_cost_;
    if (cost_ <= best_cost_) best_ = now_, best_cost_ = cost_;
    return better;
  }

 private:
  std::vector<bool> dependents(int target) const {
    std::vector<bool> depends(now_.sum.size());
    depends[target] = true;
    for (int i = target + 1; i < now_.size(); i++) {
      for (int source : now_.gate[i]) depends[i] = depends[i] || depends[source];
    }
    return depends;
  }

  // Terms beyond size() are extra_ gates.
  std::vector<Gate> ways_to_make(int target) {
    const std::vector<bool> depends = dependents(target);
    std::vector<int> term;
    std::vector<uint32_t> sum;
    for (int i = 0; i < now_.size(); i++) {
      if (!depends[i]) term.push_back(i), sum.push_back(now_.sum[i]);
    }
    const size_t existing = term.size();
    extra_.clear();
    for (int k = random_.below(kMostExtra); k > 0; k--) {
      Gate g;
      for (int z = 2 + random_.below(2); z > 0; z--) g.push_back(term[random_.below(existing)]);
      if (random_.unit() < 0.5) g[0] = random_.one_of(now_.gate[target]);
      const int source = random_.one_of(now_.gate[target]);
      if (source >= kInputs && random_.unit() < 0.3) g[1] = random_.one_of(now_.gate[source]);
      g = simplified(g);
      if (g.size() < 2) continue;
      uint32_t total = 0;
      for (int s : g) total ^= now_.sum[s];
      term.push_back(now_.size() + static_cast<int>(extra_.size())), sum.push_back(total);
      extra_.push_back(g);
    }

    std::unordered_map<uint32_t, std::vector<size_t>> having;
    for (size_t i = 0; i < term.size(); i++) having[sum[i]].push_back(i);
    const auto last = [&](uint32_t wanted, size_t after) {
      std::vector<size_t> found;
      const auto at = having.find(wanted);
      if (at == having.end()) return found;
      std::copy_if(at->second.begin(), at->second.end(), std::back_inserter(found),
                   [after](size_t i) { return i > after; });
      return found;
    };
    std::vector<Gate> ways;
    const uint32_t wanted = now_.sum[target];
    for (size_t a = 0; a < existing; a++) {
      if (sum[a] == wanted) ways.push_back({term[a]});
      for (size_t c : last(wanted ^ sum[a], a)) ways.push_back({term[a], term[c]});
      for (size_t b = a + 1; b < existing; b++) {
        for (size_t c : last(wanted ^ sum[a] ^ sum[b], b)) ways.push_back({term[a], term[b], term[c]});
      }
    }
    return ways;
  }

  Network with(int target, const Gate& way) {
    Network m = inputs_only();
    const std::vector<bool> depends = dependents(target);
    std::vector<int> number(now_.sum.size());
    for (int i = 0; i < kInputs; i++) number[i] = i;
    const auto add = [&](const Gate& from) {
      Gate g;
      for (int source : from) g.push_back(number[source]);
      return m.add(g);
    };
    for (int i = kInputs; i < now_.size(); i++) {
      if (!depends[i]) number[i] = add(now_.gate[i]);
    }
    Gate g;
    for (int t : way)
      g.push_back(t < now_.size() ? number[t] : add(extra_[static_cast<size_t>(t - now_.size())]));
    number[target] = g.size() == 1 ? g[0] : m.add(g);
    for (int i = target + 1; i < now_.size(); i++) {
      if (depends[i]) number[i] = add(now_.gate[i]);
    }
    for (int k = 0; k < kOutputs; k++) m.output[k] = number[now_.output[k]];
    return live_part(m, random_);
  }

  Random random_;
  double temperature_;
  Network now_, best_;
  int cost_, best_cost_;
  std::vector<Gate> extra_;
};

Network read(const char* path) {
  Network n = inputs_only();
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    if (line.starts_with("out")) {
      words.ignore(3);
      for (int& o : n.output) words >> o;
    } else {
      Gate g;
      for (int source; words >> source;) g.push_back(source);
      n.add(g);
    }
  }
  return n;
}

void write(const Network& n, const std::string& path) {
  std::ofstream file(path);
  for (int i = kInputs; i < n.size(); i++) {
    for (size_t k = 0; k < n.gate[i].size(); k++) file << (k ? " " : "") << n.gate[i][k];
    file << '\n';
  }
  file << "out";
  for (int o : n.output) file << ' ' << o;
  file << '\n';
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 6) return 2;
  Annealing annealing(read(arguments[1]), std::strtoull(arguments[4], nullptr, 10), std::atof(arguments[5]));
  const uint64_t steps = std::strtoull(arguments[3], nullptr, 10);
  for (uint64_t step = 0; step < steps; step++) {
    if (!annealing.step()) continue;
    write(annealing.best(), arguments[2]);
    std::fprintf(stderr, "%d gates after %llu steps\n", annealing.best_cost(),
                 static_cast<unsigned long long>(step));
  }
  write(annealing.best(), arguments[2]);
}
