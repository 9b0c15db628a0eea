#include "emulated_gpu/fiber.hpp"

#include <cstdint>

#if defined(__x86_64__)

// Pushes the registers that a function has to keep for its caller (System V ABI, x86-64 supplement, section
// 3.2.1), leaves the stack, and pops the same registers from the other stack. A fiber that starts finds its
// argument where a function has its first argument.
asm(R"(
  .text
  .p2align 4
  .type warpaes_switch_stacks, @function
warpaes_switch_stacks:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  movq %rbx, %rdi
  ret
  .size warpaes_switch_stacks, . - warpaes_switch_stacks
)");
extern "C" void warpaes_switch_stacks(void** here, void* there);

namespace warpaes::core::emulated {

void Fiber::start(void* stack, size_t bytes, void (*entry)(void*), void* argument) {
  // The registers in the order in which they are popped, the entry that `ret` goes to, and no return address:
  // at a function's first instruction the stack pointer is 8 bytes past a multiple of 16 (section 3.2.2).
  constexpr size_t kRegisters = 6, kRbx = 4;
  auto* const top =
      reinterpret_cast<uint64_t*>((reinterpret_cast<uintptr_t>(stack) + bytes) & ~uintptr_t{15});
  uint64_t* const saved = top - kRegisters - 2;
  for (size_t i = 0; i < kRegisters + 2; i++) saved[i] = 0;
  saved[kRbx] = reinterpret_cast<uint64_t>(argument);
  saved[kRegisters] = reinterpret_cast<uint64_t>(entry);
  stack_pointer_ = saved;
}

void Fiber::switch_to(Fiber& here, Fiber& there) {
  warpaes_switch_stacks(&here.stack_pointer_, there.stack_pointer_);
}

}  // namespace warpaes::core::emulated

#else

namespace warpaes::core::emulated {

namespace {

void enter(uint32_t entry_high, uint32_t entry_low, uint32_t argument_high, uint32_t argument_low) {
  const auto entry = static_cast<uintptr_t>(uint64_t{entry_high} << 32 | entry_low);
  const auto argument = static_cast<uintptr_t>(uint64_t{argument_high} << 32 | argument_low);
  reinterpret_cast<void (*)(void*)>(entry)(reinterpret_cast<void*>(argument));
}

}  // namespace

void Fiber::start(void* stack, size_t bytes, void (*entry)(void*), void* argument) {
  getcontext(&context_);
  context_.uc_stack.ss_sp = stack;
  context_.uc_stack.ss_size = bytes;
  context_.uc_link = nullptr;
  // makecontext() passes on nothing longer than an int.
  const uint64_t wide_entry = reinterpret_cast<uintptr_t>(entry);
  const uint64_t wide_argument = reinterpret_cast<uintptr_t>(argument);
  makecontext(&context_, reinterpret_cast<void (*)()>(enter), 4, static_cast<uint32_t>(wide_entry >> 32),
              static_cast<uint32_t>(wide_entry), static_cast<uint32_t>(wide_argument >> 32),
              static_cast<uint32_t>(wide_argument));
}

void Fiber::switch_to(Fiber& here, Fiber& there) { swapcontext(&here.context_, &there.context_); }

}  // namespace warpaes::core::emulated

#endif
