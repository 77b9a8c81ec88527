// Runs a verilated `cube` again and again on the traffic of an exported project, and prints how long a bit time takes.
//
// Two machines are built with it: the exported one, and vector/cube.v. Both have the ports of the exported
// cube.v. Compiled with -DDIMS=<k> and -DPAYLOAD_BITS=<D>.
//
// usage: repeated_run PROJECT SECONDS
//
// Timed, in processor time, are the bit times only: not the reset, in which the nodes are loaded, and not the
// check of what they hold at the end, which follows every run. Prints one line of JSON: of the median run, the
// seconds a bit time takes.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include "Vcube.h"
#include "verilated.h"

namespace {

using Clock = std::chrono::steady_clock;

// Long runs are interrupted on a busy machine: what others use is not to count.
double processor_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

constexpr std::size_t NODES = std::size_t{1} << DIMS;

// Ports of up to 64 bits are integers, wider ones arrays of 32-bit words.
template <class Port>
void set(Port& port, std::size_t bit, bool value) {
  const Port one = static_cast<Port>(Port{1} << bit);
  port = static_cast<Port>(value ? port | one : port & ~one);
}
template <std::size_t WORDS>
void set(VlWide<WORDS>& port, std::size_t bit, bool value) {
  set(port[bit / 32], bit % 32, value);
}
template <class Port>
bool get(const Port& port, std::size_t bit) {
  return (port >> bit) & 1;
}
template <std::size_t WORDS>
bool get(const VlWide<WORDS>& port, std::size_t bit) {
  return get(port[bit / 32], bit % 32);
}

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "repeated_run: %s\n", why.c_str());
  std::exit(1);
}

// The lines of a file of the project, each of so many hexadecimal numbers, up to the comment.
std::vector<std::uint64_t> numbers(const std::string& path, std::size_t in_a_line) {
  std::ifstream file(path);
  std::vector<std::uint64_t> found;
  for (std::string line; std::getline(file, line);) {
    const char* rest = line.c_str();
    for (std::size_t number = 0; number < in_a_line; ++number) {
      char* end = nullptr;
      found.push_back(std::strtoull(rest, &end, 16));
      rest = end;
    }
  }
  if (found.size() != in_a_line * NODES) fail(path + " is not of this cube");
  return found;
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// One clock cycle.
void clock_cycle(Vcube& cube) {
  cube.clk = 1;
  cube.eval();
  cube.clk = 0;
  cube.eval();
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) fail("usage: repeated_run PROJECT SECONDS");
  const std::string project = arguments[1];
  const double seconds = std::atof(arguments[2]);

  // {load_payload, load_destination, load_valid}
  const auto traffic = numbers(project + "/traffic.hex", 1);
  // {unload_payload, unload_valid}, then which of these bits matter
  const auto expected = numbers(project + "/expected.hex", 2);

  VerilatedContext context;
  Vcube cube{&context};
  cube.clk = 0;
  cube.eval();  // so that the first rising edge is one
  for (std::size_t node = 0; node < NODES; ++node) {
    set(cube.load_valid, node, traffic[node] & 1);
    for (std::size_t bit = 0; bit < DIMS; ++bit)
      set(cube.load_destination, node * DIMS + bit, traffic[node] >> (1 + bit) & 1);
    for (std::size_t bit = 0; bit < PAYLOAD_BITS; ++bit)
      set(cube.load_payload, node * PAYLOAD_BITS + bit, traffic[node] >> (1 + DIMS + bit) & 1);
  }

  std::uint64_t bit_times = 0;
  std::vector<double> of_a_bit_time;
  const auto begun = Clock::now();
  do {
    cube.reset = 1;
    clock_cycle(cube);
    cube.reset = 0;
    bit_times = 0;
    const double start = processor_seconds();
    while (!cube.done && bit_times < 1000000) {
      clock_cycle(cube);
      ++bit_times;
    }
    of_a_bit_time.push_back((processor_seconds() - start) / static_cast<double>(bit_times));
    for (std::size_t node = 0; node < NODES; ++node) {
      std::uint64_t arrived = get(cube.unload_valid, node);
      for (std::size_t bit = 0; bit < PAYLOAD_BITS; ++bit)
        arrived |= std::uint64_t{get(cube.unload_payload, node * PAYLOAD_BITS + bit)} << (1 + bit);
      if ((arrived ^ expected[2 * node]) & expected[2 * node + 1])
        fail("node " + std::to_string(node) + " does not hold what it should");
    }
  } while (seconds_since(begun) < seconds);
  std::sort(of_a_bit_time.begin(), of_a_bit_time.end());
  const std::size_t runs = of_a_bit_time.size();
  const double median = (of_a_bit_time[runs / 2] + of_a_bit_time[(runs - 1) / 2]) / 2;
  std::printf("{\"seconds_per_bit_time\": %.6e, \"bit_times\": %llu, \"runs\": %zu}\n", median,
              static_cast<unsigned long long>(bit_times), runs);
}
