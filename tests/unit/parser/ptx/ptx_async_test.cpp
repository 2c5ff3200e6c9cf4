/// Tests asynchronous operations and mbarriers in PTX litmus files (docs/reference/ptx-files.md, PTX ISA 9.7.9.25,
/// 9.7.13.15).

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/parsed.h"

namespace ambit::parser {
namespace {

/// Returns a test with `memory` and with one thread, which runs `code` in cta 0.
std::string text_of(const std::string& memory, const std::vector<std::string>& code) {
  std::string text = "PTX test\n{ " + memory + " }\nP0@cta 0 ;\n";
  for (const std::string& instruction : code) text += instruction + " ;\n";
  return text;
}

Result<ProgramPtr> read(const std::string& memory, const std::vector<std::string>& code) {
  return parse_program(std::make_shared<const SourceFile>(SourceFile{"<test>", text_of(memory, code)}));
}

std::string error_of(const std::string& memory, const std::vector<std::string>& code) {
  const auto program = read(memory, code);
  return program.ok() ? std::string() : program.errors().front().message + " | " + program.errors().front().hint;
}

const AsyncStep& step_of(const Program& program, std::size_t index) {
  return std::get<AsyncStep>(program.threads.at(0).code.at(index).operation);
}

const std::string kAsyncMemory = ".u64 s[2] @ cta 0; .u64 g[2]; b @ cta 0 = mbarrier(1);";
const std::string kLoad = "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [s], [g], ";

TEST(PtxAsync, ABulkLoadHasOneElementForEachCellAndOneCompletion) {
  const auto program = read(kAsyncMemory, {kLoad + "16, [b]"});
  ASSERT_TRUE(program.ok()) << render(program.errors());
  const AsyncStep& step = step_of(*program.value(), 0);
  EXPECT_EQ(step.kind, AsyncStep::Kind::Issue);
  EXPECT_EQ(step.name, "cp.async.bulk");
  ASSERT_EQ(step.elements.size(), 2U);
  EXPECT_EQ(step.elements[1].source->address.constant - step.elements[0].source->address.constant, 1);
  EXPECT_EQ(step.elements[0].target->proxy, Proxy::Async);
  ASSERT_EQ(step.completions.size(), 1U);
  EXPECT_EQ(step.completions[0].access.scope, Scope::Cluster);
  EXPECT_EQ(step.completions[0].access.order, Order::Release);
}

TEST(PtxAsync, CpAsyncIsGeneric) {
  const auto program = read("a @ cta 0; x=1;", {"cp.async.ca.shared::cta.global [a], [x], 4", "cp.async.commit_group",
                                                "cp.async.wait_group 3"});
  ASSERT_TRUE(program.ok()) << render(program.errors());
  EXPECT_EQ(step_of(*program.value(), 0).elements.at(0).target->proxy, Proxy::Generic);
  EXPECT_EQ(step_of(*program.value(), 1).kind, AsyncStep::Kind::Commit);
  EXPECT_EQ(step_of(*program.value(), 2).pending, 3U);
}

TEST(PtxAsync, MulticastWritesToEachCtaOfTheMask) {
  const auto program = parse_program(std::make_shared<const SourceFile>(
      SourceFile{"<test>",
                 "PTX test\n{ .shared .u64 s[2]; .u64 g[2]; .shared b = mbarrier(1); }\n"
                 "P0@cta 0,cluster 0 | P1@cta 1,cluster 0 | P2@cta 2,cluster 0 ;\n"
                 "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                 "[s], [g], 16, [b], 5 | mov r0, 1 | mov r0, 1 ;\n"}));
  ASSERT_TRUE(program.ok()) << render(program.errors());
  const AsyncStep& step = step_of(*program.value(), 0);
  EXPECT_EQ(step.elements.size(), 4U);
  EXPECT_EQ(step.completions.size(), 2U);
  const auto object = [&](const MemoryAccess& access) {
    return program.value()->objects.at(static_cast<std::size_t>(object_of(access.address.constant))).name;
  };
  EXPECT_EQ(object(*step.elements[0].target), "b0:s");
  EXPECT_EQ(object(*step.elements[2].target), "b2:s");
  EXPECT_EQ(object(step.completions[1].access), "b2:b");
}

TEST(PtxAsync, SizesThatPtxDoesNotAllowAreErrors) {
  EXPECT_NE(error_of(kAsyncMemory, {kLoad + "8, [b]"}).find("multiple of 16"), std::string::npos);
  EXPECT_NE(error_of(kAsyncMemory, {kLoad + "32, [b]"}).find("goes beyond"), std::string::npos);
  EXPECT_NE(error_of("a[4] @ cta 0; x[4];", {"cp.async.ca.shared.global [a], [x], 12"}).find("4, 8 or 16"),
            std::string::npos);
  EXPECT_NE(error_of("a @ cta 0; x;", {"cp.async.cg.shared.global [a], [x], 4"}).find("copies 16 bytes"),
            std::string::npos);
}

TEST(PtxAsync, OperandsAreAligned) {
  EXPECT_NE(error_of(".u64 s[4] @ cta 0; .u64 g[2]; b @ cta 0 = mbarrier(1);",
                     {"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [s+8], [g], 16, [b]"})
                .find("8 bytes after the beginning of 's': PTX requires a multiple of 16"),
            std::string::npos);
  EXPECT_NE(
      error_of(".b32 a[4] @ cta 0; .b32 x[4];", {"cp.async.ca.shared.global [a], [x+4], 8"}).find("multiple of 8"),
      std::string::npos);
  EXPECT_EQ(error_of(".b32 a[4] @ cta 0; .b32 x[4];", {"cp.async.ca.shared.global [a+8], [x+8], 8"}), "");
}

const std::string kTensor = ".u64 g[16]; t = tensormap(g, {4,4}, {2,2}); .u64 s[4] @ cta 0; b @ cta 0 = mbarrier(1);";

TEST(PtxAsync, ATensorCopyMovesTheElementsOfItsBox) {
  const auto program = read(
      kTensor, {"cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [s], [t, {1,2}], [b]"});
  ASSERT_TRUE(program.ok()) << render(program.errors());
  const AsyncStep& step = step_of(*program.value(), 0);
  EXPECT_EQ(step.name, "cp.async.bulk.tensor.2d");
  std::vector<std::uint32_t> sources;
  std::vector<std::uint32_t> targets;
  for (const AsyncElement& element : step.elements) {
    const auto index = [](const MemoryAccess& access) { return index_of(evaluate(access.address, {})); };
    sources.push_back(index(*element.source));
    targets.push_back(index(*element.target));
  }
  EXPECT_EQ(sources, (std::vector<std::uint32_t>{9, 10, 13, 14}));  // x + 4 y, from x = 1, y = 2
  EXPECT_EQ(targets, (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(step.completions.size(), 1U);
}

// A program lists its tensor maps and the text of the instructions that use them. Runners need this list to create the
// descriptors and to execute the instructions on a GPU.
TEST(PtxAsync, AProgramListsItsTensorMapsAndTheirInstructions) {
  const std::string second = " u = tensormap(g, {16}, {4});";
  const auto program = read(kTensor + second, {"cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [u, {8}], [s]",
                                               "fence.proxy.tensormap::generic.acquire.gpu [t], 128", "bar.sync 0"});
  ASSERT_TRUE(program.ok()) << render(program.errors());
  const std::vector<TensorMap>& maps = program.value()->tensor_maps;
  ASSERT_EQ(maps.size(), 2U);
  EXPECT_EQ(maps[0].name, "t");
  EXPECT_EQ(program.value()->objects.at(maps[0].array).name, "g");
  EXPECT_EQ(maps[0].sizes, (std::vector<std::uint32_t>{4, 4}));
  EXPECT_EQ(maps[0].box, (std::vector<std::uint32_t>{2, 2}));
  ASSERT_TRUE(maps[0].descriptor.has_value());
  EXPECT_EQ(program.value()->objects.at(*maps[0].descriptor).name, "t");
  EXPECT_FALSE(maps[1].descriptor.has_value());
  const std::vector<Instruction>& code = program.value()->threads[0].code;
  ASSERT_NE(code[0].machine, nullptr);
  EXPECT_EQ(code[0].machine->name, "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group");
  const MachineInstruction::Operand& box = code[0].machine->operands.at(0);
  EXPECT_EQ(box.kind, MachineInstruction::Operand::Kind::Tensor);
  EXPECT_EQ(box.value.constant, 1);
  EXPECT_EQ(box.coordinates, (std::vector<Value>{8}));
  EXPECT_TRUE(code[0].machine->uses_tensor_map());
  ASSERT_NE(code[1].machine, nullptr);
  EXPECT_TRUE(code[1].machine->uses_tensor_map());
}

TEST(PtxAsync, StepsOfDependentGridsAreInstructionsWhereTheTestHasOne) {
  const auto program = parse_program(std::make_shared<const SourceFile>(
      SourceFile{"<test>",
                 "PTX test\n{ x=0; }\n P0@cta 0,grid 0 | P1@cta 1,grid 1 ;\n"
                 " griddepcontrol.launch_dependents | griddepcontrol.wait ;\n st [x], 1 | ld r0, [x] ;\n"}));
  ASSERT_TRUE(program.ok()) << render(program.errors());
  const auto names = [&](std::size_t thread) {
    std::vector<std::string> found;
    for (const Instruction& one : program.value()->threads[thread].code) {
      found.push_back(one.machine == nullptr ? "" : one.machine->name);
    }
    return found;
  };
  EXPECT_EQ(program.value()->threads[0].grid, 0);
  EXPECT_EQ(program.value()->threads[1].grid, 1);
  const std::string step = "griddepcontrol";
  EXPECT_EQ(names(0), (std::vector<std::string>{"griddepcontrol.launch_dependents", "", step}));  // then the end
  EXPECT_EQ(names(1), (std::vector<std::string>{step, step, "griddepcontrol.wait", "griddepcontrol.wait", ""}));
}

TEST(PtxAsync, WrongTensorCopies) {
  const auto load = [](const std::string& dimensions, const std::string& operand) {
    return error_of(kTensor, {"cp.async.bulk.tensor." + dimensions +
                              ".shared::cta.global.mbarrier::complete_tx::bytes [s], " + operand + ", [b]"});
  };
  EXPECT_EQ(load("1d", "[t, {0,0}]").substr(0, 48), "'t' has 2 dimensions: write .2d and as many coor");
  EXPECT_EQ(load("2d", "[t, {0}]").substr(0, 48), "'t' has 2 dimensions: write .2d and as many coor");
  EXPECT_NE(load("2d", "[t, {3,0}]").find("exceeds the tensor in dimension 0"), std::string::npos);
  EXPECT_NE(load("2d", "[g, {0,0}]").find("'g' is not a tensor map"), std::string::npos);
  EXPECT_NE(load("2d", "[t]").find("expected a tensor map with its coordinates"), std::string::npos);
  const auto declared = [](const std::string& map) { return error_of(".u64 g[16]; x[4]; " + map, {"mov r0, 1"}); };
  EXPECT_NE(declared("t = tensormap(g, {4,4}, {1,2});").find("8 bytes: PTX requires a multiple of 16"),
            std::string::npos);
  EXPECT_NE(declared("t = tensormap(g, {4,2}, {2,2});").find("8 elements and the array 16"), std::string::npos);
  EXPECT_NE(declared("t = tensormap(g, {16}, {2,2});").find("1 dimensions and the box 2"), std::string::npos);
  EXPECT_NE(declared("t = tensormap(x, {4}, {2});").find("declared with its type"), std::string::npos);
  EXPECT_NE(declared("t = tensormap(g, {16}, {17});").find("it must have 1 to 16"), std::string::npos);
}

TEST(PtxAsync, OneDirectionalFences) {
  const auto program = read("x;", {"fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster",
                                   "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster"});
  ASSERT_TRUE(program.ok()) << render(program.errors());
  const auto fence = [&](std::size_t at) {
    return std::get<ProxyFence>(program.value()->threads[0].code[at].operation);
  };
  EXPECT_EQ(fence(0).direction, ProxyFence::Direction::Release);
  EXPECT_EQ(fence(1).direction, ProxyFence::Direction::Acquire);
  EXPECT_NE(error_of("x;", {"fence.proxy.async::generic.release.sync_restrict::shared::cluster.cluster"})
                .find("unknown one-directional proxy fence"),
            std::string::npos);
}

TEST(PtxAsync, FencesForSharedMemory) {
  const auto program = read("x;", {"fence.release.sync_restrict::shared::cta.cluster",
                                   "fence.acquire.sync_restrict::shared::cluster.cluster", "fence.release.cluster"});
  ASSERT_TRUE(program.ok()) << render(program.errors());
  const auto fence = [&](std::size_t at) { return std::get<Fence>(program.value()->threads[0].code[at].operation); };
  EXPECT_TRUE(fence(0).is_shared_only);
  EXPECT_EQ(fence(0).order, Order::Release);
  EXPECT_EQ(fence(0).scope, Scope::Cluster);
  EXPECT_TRUE(fence(1).is_shared_only);
  EXPECT_EQ(fence(1).order, Order::Acquire);
  EXPECT_FALSE(fence(2).is_shared_only);
  EXPECT_NE(error_of("x;", {"fence.release.sync_restrict::shared::cluster.cluster"}).find("unknown restricted fence"),
            std::string::npos);
  EXPECT_NE(error_of("x;", {"fence.acquire.sync_restrict::shared::cluster.gpu"}).find("unknown restricted fence"),
            std::string::npos);
}

TEST(PtxAsync, TensorMapsThatChange) {
  const std::string map =
      ".u64 g[4]; t = tensormap(g, {4}, {2}); d @ cta 0; .u64 s[2] @ cta 0; b @ cta 0 = mbarrier(1);";
  const std::string copy = "cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [s], [t, {0}], [b]";
  const auto program = read(map, {"tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [d], 0, 2",
                                  "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync."
                                  "aligned [t], [d], 128",
                                  "fence.proxy.tensormap::generic.acquire.cta [t], 128", copy});
  ASSERT_TRUE(program.ok()) << render(program.errors());
  const std::vector<Instruction>& code = program.value()->threads[0].code;
  ASSERT_EQ(code.size(), 6U);
  EXPECT_TRUE(std::holds_alternative<Store>(code[0].operation));
  EXPECT_TRUE(std::holds_alternative<Load>(code[1].operation));
  EXPECT_TRUE(std::holds_alternative<Store>(code[2].operation));
  const auto& release = std::get<ProxyFence>(code[3].operation);
  EXPECT_EQ(release.proxy, Proxy::Tensormap);
  EXPECT_EQ(release.direction, ProxyFence::Direction::Release);
  EXPECT_EQ(release.scope, Scope::Device);
  const auto& acquire = std::get<ProxyFence>(code[4].operation);
  EXPECT_EQ(acquire.direction, ProxyFence::Direction::Acquire);
  EXPECT_EQ(acquire.scope, Scope::Block);
  EXPECT_EQ(program.value()->name_at(acquire.address.value()), "t");
  const auto& step = std::get<AsyncStep>(code[5].operation);
  ASSERT_EQ(step.elements.size(), 3U);
  EXPECT_EQ(step.elements[0].source->proxy, Proxy::Tensormap);
  EXPECT_FALSE(step.elements[0].target.has_value());
  const auto unchanged = read(map, {copy});
  ASSERT_TRUE(unchanged.ok());
  EXPECT_EQ(std::get<AsyncStep>(unchanged.value()->threads[0].code[0].operation).elements.size(), 2U)
      << "if no instruction changes a tensor map, the map is no location";
  EXPECT_NE(error_of(map, {"fence.proxy.tensormap::generic.acquire.gpu [t], 64"}).find("size of a tensor map"),
            std::string::npos);
  EXPECT_NE(error_of(map, {"fence.proxy.tensormap::generic.acquire.gpu [d], 128"}).find("name of a tensor map"),
            std::string::npos);
  EXPECT_NE(error_of(map, {"fence.proxy.tensormap::generic.release"}).find("unknown instruction"), std::string::npos);
}

TEST(PtxAsync, PendingCounts) {
  EXPECT_EQ(error_of("b @ cta 0 = mbarrier(3);",
                     {"mbarrier.arrive.noComplete.shared::cta.b64 r0, [b], 1", "mbarrier.pending_count.b64 r1, r0"}),
            "");
  EXPECT_NE(error_of("b @ cta 0 = mbarrier(3);",
                     {"mbarrier.arrive.shared::cta.b64 r0, [b]", "mbarrier.pending_count.b64 r1, r0"})
                .find("arrivals with .noComplete only"),
            std::string::npos);
  EXPECT_NE(error_of("x;", {"mbarrier.pending_count.b64 r1, r0"}).find("never written"), std::string::npos);
}

TEST(PtxAsync, SpacesAreChecked) {
  EXPECT_NE(error_of("x;", {"ld.shared r0, [x]"}).find("'x' is in global memory"), std::string::npos);
  EXPECT_NE(error_of("s @ cta 0;", {"ld.global r0, [s]"}).find("'s' is in shared memory"), std::string::npos);
  EXPECT_NE(error_of("s @ cta 1;", {"ld.shared r0, [s]"}).find("write .shared::cluster"), std::string::npos);
  EXPECT_EQ(error_of("s @ cta 1;", {"ld.shared::cluster r0, [s]"}), "");
}

TEST(PtxAsync, UnknownInstructionsAreNamed) {
  EXPECT_NE(error_of("x;", {"cp.async.bulk.tensor.2d.shared::cta [x], [x], 16"})
                .find("'cp.async.bulk.tensor.2d.shared::cta'"),
            std::string::npos);
  EXPECT_NE(error_of("x;", {"setmaxnreg.inc 8"}).find("'setmaxnreg'"), std::string::npos);
  EXPECT_NE(error_of("x;", {"tcgen05.shift.down [x]"}).find("'tcgen05.shift.down'"), std::string::npos);
}

TEST(PtxAsync, MbarriersOfAnotherCta) {
  EXPECT_NE(error_of("b @ cta 1 = mbarrier(1);", {"mbarrier.try_wait.parity r0, [b], 0"}).find("only its own cta"),
            std::string::npos);
  EXPECT_NE(
      error_of("b @ cta 1 = mbarrier(1);", {"mbarrier.arrive.shared::cluster.b64 r0, [b]"}).find("returns no state"),
      std::string::npos);
}

/// Returns the new state of an mbarrier after the read-modify-write with index `instruction`; `state` is the old state.
Value after(const Program& program, std::size_t instruction, Value state) {
  const auto& rmw = std::get<Rmw>(program.threads.at(0).code.at(instruction).operation);
  std::vector<Value> registers(program.threads.at(0).registers.size(), 0);
  registers.at(*rmw.target) = state;
  return evaluate(rmw.operand, registers);
}

/// PTX ISA 9.7.13.15.5: a phase completes if no arrival is pending and the transaction count is 0.
TEST(PtxAsync, APhaseNeedsArrivalsAndBytes) {
  const auto read_it =
      read("b @ cta 0 = mbarrier(2);", {"mbarrier.arrive.expect_tx _, [b], 48", "mbarrier.arrive _, [b]",
                                        "mbarrier.complete_tx [b], 16", "mbarrier.complete_tx [b], 32"});
  ASSERT_TRUE(read_it.ok()) << render(read_it.errors());
  const Program& program = *read_it.value();
  std::vector<std::size_t> steps;
  for (std::size_t i = 0; i < program.threads[0].code.size(); ++i) {
    if (std::holds_alternative<Rmw>(program.threads[0].code[i].operation)) steps.push_back(i);
  }
  ASSERT_EQ(steps.size(), 4U);
  const Value size = std::get<Rmw>(program.threads[0].code[steps[0]].operation).access.phase_size;
  std::ranges::sort(steps);
  do {
    Value state = program.locations.at(0).initial;
    for (const auto step : steps) {
      EXPECT_EQ(state / size, 0);
      state = after(program, step, state);
    }
    EXPECT_EQ(state / size, 1);
    EXPECT_EQ(state % size, program.locations.at(0).initial) << "the next phase needs the same number of arrivals";
  } while (std::ranges::next_permutation(steps).found);
}

std::string error_of_grids(const std::string& places, const std::string& rows) {
  const auto program = parse_program(
      std::make_shared<const SourceFile>(SourceFile{"<test>", "PTX test\n{ x; }\n" + places + " ;\n" + rows}));
  return program.ok() ? std::string() : program.errors().front().message;
}

/// griddepcontrol: a thread of the dependent grid begins with a wait. A thread of the previous grid increments a
/// counter when it executes launch_dependents, and increments another counter when it ends.
TEST(PtxAsync, ADependentGridWaitsForTheOneBefore) {
  const auto program = test::program_of(
      "PTX test\n{ x; }\nP0@cta 0,grid 0 | P1@cta 1,grid 1 ;\n"
      "griddepcontrol.launch_dependents | griddepcontrol.wait ;\nst.weak [x], 1 | ld.weak r0, [x] ;\n");
  const auto& first = program->threads.at(0).code;
  ASSERT_EQ(first.size(), 3U);
  EXPECT_EQ(std::get<Rmw>(first[0].operation).access.order, Order::Relaxed);
  EXPECT_EQ(std::get<Rmw>(first[2].operation).access.order, Order::Release);
  const auto& second = program->threads.at(1).code;
  ASSERT_EQ(second.size(), 5U);
  for (const std::size_t wait : {0U, 2U}) {
    EXPECT_EQ(std::get<Load>(second[wait].operation).access.order, Order::Acquire);
    EXPECT_EQ(std::get<Branch>(second[wait + 1].operation).target, wait);
  }
  EXPECT_NE(std::get<Load>(second[0].operation).access.address, std::get<Load>(second[2].operation).access.address);
  EXPECT_TRUE(std::ranges::none_of(program->observables, [](const Observable& one) {
    return one.name.starts_with("%");
  })) << "the counters are not part of the outcome";
}

/// PTX ISA 9.7.13, griddepcontrol: if one thread of a cta executes launch_dependents, the whole cta counts as having
/// executed it.
TEST(PtxAsync, ACtaLetsTheDependentGridStartByOneOfItsThreads) {
  const auto program = test::program_of(
      "PTX test\n{ x; }\nP0@cta 0,grid 0 | P1@cta 0,grid 0 | P2@cta 1,grid 1 ;\n"
      "griddepcontrol.launch_dependents | st.weak [x], 1 | ld.weak r0, [x] ;\n");
  const auto amount = [&](std::size_t thread, std::size_t number) {
    return std::get<Rmw>(program->threads.at(thread).code.at(number).operation).operand.constant;
  };
  EXPECT_EQ(amount(0, 0), 2);
  EXPECT_EQ(amount(1, 1), 1);
  const auto& wait = std::get<Branch>(program->threads.at(2).code.at(1).operation).condition;
  EXPECT_EQ(wait.op, Op::Less);
  EXPECT_EQ(wait.arguments.at(1).constant, 2);
}

TEST(PtxAsync, SendsVectors) {
  const std::string kSend = "st.async.shared::cluster.mbarrier::complete_tx::bytes";
  const std::string memory = "{ .u32 x[4] @ cta 0; .u64 w[2] @ cta 0; b @ cta 0 = mbarrier(1); }\nP0@cta 0 ;\n";
  const auto program = test::program_of("PTX test\n" + memory + kSend + ".v2.b32 [x+8], {3,4}, [b] ;\n");
  const auto& code = program->threads.at(0).code;
  // PTX forbids this operation in a cluster with one cta (PTX 9.4, 9.7.10.12), so a check precedes the operation.
  ASSERT_EQ(code.size(), 2U);
  const auto& sent = std::get<AsyncStep>(code.at(1).operation);
  ASSERT_EQ(sent.elements.size(), 2U);
  EXPECT_EQ(sent.elements[0].value.constant, 3);
  EXPECT_EQ(index_of(sent.elements[1].target->address.constant), 3U);
  EXPECT_EQ(sent.completions.size(), 1U);
  EXPECT_EQ(code.at(1).machine->operands.size(), 4U);
  const auto error = [&](const std::string& instruction) {
    const auto read =
        parse_program(std::make_shared<const SourceFile>(SourceFile{"<test>", "PTX test\n" + memory + instruction}));
    return read.ok() ? std::string() : read.errors().front().message;
  };
  EXPECT_EQ(error(kSend + ".b32 [x], {1,2}, [b] ;\n"), "'st' sends 1 elements, found 2");
  EXPECT_EQ(error(kSend + ".v4.b32 [x], {1,2}, [b] ;\n"), "'st' sends 4 elements, found 2");
  EXPECT_EQ(error(kSend + ".v2.b32 [w], {1,2}, [b] ;\n"),
            "'w' is accessed with 32 bits here, but with 64 bits in line 2");
  EXPECT_EQ(error(kSend + ".v2.b32 [x+4], {1,2}, [b] ;\n").substr(0, 45),
            "the operand is 4 bytes after the beginning of");
}

TEST(PtxAsync, WrongGrids) {
  EXPECT_EQ(error_of_grids("P0@cta 0,grid 0 | P1@cta 0,grid 1", "st.weak [x], 1 | ;\n"),
            "cta 0 is in two grids: 0 and 1");
  EXPECT_EQ(error_of_grids("P0@cta 0,grid 70", "st.weak [x], 1 ;\n"), "grid 70 does not exist: the highest is 63");
  EXPECT_EQ(error_of_grids("P0@cta 0 | P1@cta 1,grid 1",
                           "ld.weak r0, [x] | ld.weak r0, [x] ;\nbeq r0, 0, LC00 | ;\n"
                           "griddepcontrol.launch_dependents | ;\nLC00: st.weak [x], 1 | ;\n"),
            "a jump skips or repeats this griddepcontrol.launch_dependents");
  EXPECT_EQ(error_of_grids("P0@cta 0", "griddepcontrol.stop ;\n"),
            "expected .wait or .launch_dependents after griddepcontrol");
}

/// A jump and its guard become a single branch.
TEST(PtxAsync, Predicates) {
  const auto program = test::program_of(
      "PTX test\n{ x; b @ cta 0 = mbarrier(1); }\nP0@cta 0 ;\n"
      "LC00: mbarrier.try_wait.parity.shared::cta.b64 r1, [b], 0 ;\n@!r1 bra LC00 ;\n@r1 st.weak [x], 1 ;\n"
      "@r1 exit ;\nst.weak [x], 2 ;\n");
  const auto& code = program->threads.at(0).code;
  ASSERT_EQ(code.size(), 7U);
  const auto branch = [&](std::size_t at) { return std::get<Branch>(code[at].operation); };
  EXPECT_EQ(branch(2).target, 0U);
  EXPECT_EQ(branch(2).condition.op, Op::Equal);
  EXPECT_EQ(branch(3).target, 5U);
  EXPECT_EQ(branch(3).condition.op, Op::Equal);
  EXPECT_EQ(branch(5).target, 7U);
  EXPECT_EQ(branch(5).condition.op, Op::NotEqual);
  EXPECT_EQ(error_of("x;", {"@x bra LC00"}),
            "expected a register after '@', found 'x' | write @r1 bra LC00, or @!r1 bra LC00");
}

/// A counter counts the threads of the peer cta that have exited. If a thread of another cta accesses the peer's
/// memory, a check before the access requires that a thread of the peer cta still runs.
TEST(PtxAsync, AccessesToAnotherCtaCheckThatItRuns) {
  const std::string head = "PTX test\n{ s @ cta 1; }\nP0@cta 0,cluster 0 | P1@cta 1,cluster 0 ;\n";
  const auto exits = test::program_of(head + "ld.weak.shared::cluster r0, [s] | exit ;\n");
  ASSERT_EQ(exits->threads.at(0).code.size(), 3U);
  EXPECT_FALSE(std::get<Assert>(exits->threads[0].code[1].operation).misuse.empty());
  EXPECT_TRUE(std::holds_alternative<Rmw>(exits->threads.at(1).code.back().operation));
  const auto stays = test::program_of(head + "ld.weak.shared::cluster r0, [s] | mov r0, 1 ;\n");
  EXPECT_EQ(stays->threads.at(0).code.size(), 1U);
}

/// PTX ISA 8.2.2: a vector access consists of one access for each element.
TEST(PtxAsync, VectorAccesses) {
  const auto program =
      read("x[4]={1,2,3,4};", {"ld.weak.v2.b32 {r0,r1}, [x+8]", "st.relaxed.gpu.v4.b32 [x], {r0,5,r1,7}"});
  ASSERT_TRUE(program.ok()) << render(program.errors());
  const auto& code = program.value()->threads.at(0).code;
  ASSERT_EQ(code.size(), 6U);
  const Value first = std::get<Load>(code[0].operation).access.address.constant;
  EXPECT_EQ(index_of(first), 2U);
  EXPECT_EQ(std::get<Load>(code[1].operation).access.address.constant, first + 1);
  EXPECT_NE(std::get<Load>(code[0].operation).target, std::get<Load>(code[1].operation).target);
  EXPECT_EQ(std::get<Store>(code[3].operation).value.constant, 5);
  EXPECT_EQ(index_of(std::get<Store>(code[5].operation).access.address.constant), 3U);
  const std::string kForm = " | the form is: ld|st[.weak|.relaxed.SCOPE].v2|.v4.TYPE {r0,r1}, [x]";
  EXPECT_EQ(error_of("x[2];", {"ld.weak.v4.b32 {r0,r1}, [x]"}), "'.v4' needs a vector of 4 elements, found 2" + kForm);
  EXPECT_EQ(error_of("x[2];", {"ld.weak.b32 {r0,r1}, [x]"}), "a vector of 2 elements needs .v2 or .v4" + kForm);
  EXPECT_EQ(error_of("x[2];", {"ld.weak.v2.b32 r0, [x]"}), "'.v2' needs a vector of 2 elements, found 0" + kForm);
  EXPECT_EQ(error_of("x[2];", {"ld.acquire.gpu.v2.b32 {r0,r1}, [x]"}),
            "Ambit has no vector access with .acquire" + kForm);
  EXPECT_EQ(error_of("x[2];", {"ld.weak.v2 {r0,r1}, [x]"}), "a vector access needs the type of its elements" + kForm);
  EXPECT_EQ(error_of("x[1];", {"ld.weak.v2.b32 {r0,r1}, [x]"}).substr(0, 23), "index 1 is out of range");
}

/// PTX ISA 9.7.10.28.4.2: by default, a reduction is .relaxed.sys. 9.7.15.7: red.async has cluster scope.
TEST(PtxAsync, ScopesOfReductions) {
  const auto scope_of = [](const std::string& words) {
    const auto program =
        read(kAsyncMemory, {"cp.reduce.async.bulk" + words + ".global.shared::cta.bulk_group.add.u64 [g], [s], 16"});
    EXPECT_TRUE(program.ok()) << render(program.errors());
    return step_of(*program.value(), 0).elements.at(0).target->scope;
  };
  EXPECT_EQ(scope_of(""), Scope::System);
  EXPECT_EQ(scope_of(".relaxed.gpu"), Scope::Device);
  EXPECT_EQ(scope_of(".relaxed.cta"), Scope::Block);
}

/// When a completed copy arrives at an mbarrier, a check requires that the mbarrier expects another arrival. If some
/// thread invalidates the mbarrier, a check also requires that the mbarrier is valid.
TEST(PtxAsync, CompletionsHaveRules) {
  const auto arrival =
      read("a @ cta 0; x; b @ cta 0 = mbarrier(2);",
           {"cp.async.ca.shared::cta.global [a], [x], 4", "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [b]"});
  ASSERT_TRUE(arrival.ok()) << render(arrival.errors());
  EXPECT_EQ(step_of(*arrival.value(), 1).rules.size(), 1U);
  EXPECT_TRUE(step_of(*read(kAsyncMemory, {kLoad + "16, [b]"}).value(), 0).rules.empty());
  const auto invalid = read(kAsyncMemory, {kLoad + "16, [b]", "mbarrier.inval.shared::cta.b64 [b]"});
  ASSERT_TRUE(invalid.ok()) << render(invalid.errors());
  EXPECT_EQ(step_of(*invalid.value(), 0).rules.size(), 1U);
}

/// An instruction gets a check only if it can access the result of a product before the product is complete.
TEST(PtxAsync, ProductsAreCheckedWhereTheyMayBePending) {
  const std::string multiply = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {r0,r1}, [s], [g]";
  const std::string memory = ".u64 s[1] @ cta 0; .u64 g[1] @ cta 0; x;";
  const std::string commit = "wgmma.commit_group.sync.aligned";
  const std::string wait = "wgmma.wait_group.sync.aligned 0";
  const auto asserts = [&](const std::vector<std::string>& code) {
    const auto program = read(memory, code);
    EXPECT_TRUE(program.ok()) << render(program.errors());
    EXPECT_EQ(step_of(*program.value(), 0).products.size(), 2U);
    return std::ranges::count_if(program.value()->threads.at(0).code, [](const Instruction& instruction) {
      const auto* assertion = std::get_if<Assert>(&instruction.operation);
      return assertion != nullptr && !assertion->misuse.empty();
    });
  };
  EXPECT_EQ(asserts({multiply, commit, wait, "st.weak.global [x], r0"}), 0);
  EXPECT_EQ(asserts({multiply, commit, "st.weak.global [x], r0", wait, "st.weak.global [x], r1"}), 1);
  EXPECT_EQ(asserts({multiply, multiply, commit, wait, "mov r1, 2"}), 0);
  EXPECT_EQ(asserts({multiply, commit, "add r2, r0, 1", "mov r1, 2", wait}), 2);
}

}  // namespace
}  // namespace ambit::parser
