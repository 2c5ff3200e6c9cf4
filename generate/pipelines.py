#!/usr/bin/env python3
"""Writes the pipelines of real kernels and their mutants, litmus/async/kernels.

    python3 generate/pipelines.py FOLDER

A pipeline is a table of threads.
A line of a thread that begins with `tag| ` is a synchronisation.
A mutant omits the lines of a tag or replaces a part of the lines.
Each mutant has its expected answers and the reason.
The reasons were written before any engine checked the tests.
"""

import pathlib
import sys


class Pipeline:
    """`threads`: place -> lines. `mutants`: list of Mutant. `racy`: model option -> why the pipeline races under it."""

    def __init__(self, name, title, memory, threads, reason, mutants, racy=None):
        self.name, self.title, self.memory, self.threads = name, title, memory, threads
        self.reason, self.mutants, self.racy = reason, mutants, racy or {}


class Mutant:
    """`changes`: tag -> None (omits the lines) or (old, new). `race`, `ends`: None for no expectation."""

    def __init__(self, name, changes, race, ends, reason):
        self.name, self.changes, self.race, self.ends, self.reason = name, changes, race, ends, reason


def wait(barrier, parity, form="mbarrier.try_wait.parity.shared::cta.b64"):
    return [f"@L: {form} r9, [{barrier}], {parity}", "beq r9, 0, @L"]


def tagged(tag, lines):
    return [f"{tag}| {line}" for line in lines]


def code(lines, changes):
    """Returns the lines of a thread after the changes; the label of each wait is still @L."""
    result = []
    for line in lines:
        tag, separator, text = line.partition("| ")  # @L: the label of a wait
        if not separator:
            result.append(line)
        elif tag not in changes:
            result.append(text)
        elif changes[tag] is not None:
            old, new = changes[tag]
            assert old in text or text.startswith("beq"), (tag, old, text)
            result.append(text.replace(old, new))
    return result


def columns(threads, changes):
    label = 0
    table = []
    for place, lines in threads.items():
        column = []
        current = ""
        for line in code(lines, changes):
            if line.startswith("@L:"):
                current = f"LC{label:02}"
                label += 1
            column.append(line.replace("@L", current))
        table.append((place, column))
    width = [max(len(x) for x in [place, *column]) for place, column in table]
    rows = [" " + " | ".join(place.ljust(w) for (place, _), w in zip(table, width)).rstrip() + " ;"]
    for i in range(max(len(column) for _, column in table)):
        cells = [(column[i] if i < len(column) else "").ljust(w) for (_, column), w in zip(table, width)]
        rows.append(" " + " | ".join(cells).rstrip() + " ;")
    return "\n".join(rows)


READINGS = ["async-fence=writer", "async-fence=issuer", "async-domain=cta", "async-agent=issuer", "mbarrier-chain=links"]


def header(pipeline, name, changes):
    return [f"PTX {name}", f'"{pipeline.title}"', "Source=own", "{ " + pipeline.memory + " }",
            columns(pipeline.threads, changes), ""]


def whole(pipeline):
    lines = header(pipeline, pipeline.name, {})
    lines.append(f'expect ptx : norace, defined because "{pipeline.reason}"')
    for reading in READINGS if pipeline.mutants else []:
        verdict, why = ("race", pipeline.racy[reading]) if reading in pipeline.racy else ("norace", pipeline.reason)
        lines.append(f'expect ptx({reading}) : {verdict} because "{why}"')
    lines.append(f'expect ptx under fair : terminates because "{pipeline.reason}"')
    return "\n".join(lines) + "\n"


def mutant_text(pipeline, mutant):
    lines = header(pipeline, f"{pipeline.name}-{mutant.name}", mutant.changes)
    if mutant.race is not None:
        lines.append(f'expect ptx : {"race" if mutant.race else "norace"} because "{mutant.reason}"')
    if mutant.ends is not None:
        lines.append(f'expect ptx under fair : {"terminates" if mutant.ends else "stuck"} because "{mutant.reason}"')
    return "\n".join(lines) + "\n"


MMA = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16"
COPY = "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes"
EXPECT = "mbarrier.arrive.expect_tx.shared::cta.b64 _,"
ARRIVE = "mbarrier.arrive.shared::cta.b64 _,"
REMOTE = "mbarrier.arrive.release.cluster.shared::cluster.b64 _,"
FENCE = "fence.proxy.async.shared::cta"
WAIT = "mbarrier.try_wait.parity.shared::cta.b64"
CLUSTER_WAIT = "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64"
RELAXED_ARRIVE = ("mbarrier.arrive.shared", "mbarrier.arrive.relaxed.cta.shared")
RELAXED_WAIT = ("try_wait.parity.shared", "try_wait.parity.relaxed.cta.shared")
BLOCK_ARRIVE = (".release.cluster.shared::cluster", ".shared::cluster")
BLOCK_WAIT = (".acquire.cluster", "")


def tag(name, condition, lines):
    return tagged(name, lines) if condition else lines


def matrix_product(stages, tiles, with_mutants):
    """A producer loads tiles; two consumer warpgroups multiply them by a resident operand (the warp-specialised loop
    of CUTLASS)."""
    memory = " ".join(f".u64 a{s}[2] @ cta 0; f{s} @ cta 0 = mbarrier(1); e{s} @ cta 0 = mbarrier(2);"
                      for s in range(stages))
    memory += " .u64 b[1] @ cta 0; .u64 ga[2]={1,1};"
    producer, consumers = [], [[], []]
    for tile in range(tiles):
        s, parity = tile % stages, tile // stages % 2
        first = tile == 0
        if tile >= stages:
            producer += tagged("wait-empty", wait(f"e{s}", 1 - parity))
        producer += tag("expect", first, [f"{EXPECT} [f{s}], 16"])
        producer += tag("load", first, [f"{COPY} [a{s}], [ga], 16, [f{s}]"])
        for number, lines in enumerate(consumers):
            mine = number == 0
            lines += tag("wait-full", first and mine, wait(f"f{s}", parity))
            lines += [f"{MMA} [a{s}], [b]"]
            lines += tag("commit", first and mine, ["wgmma.commit_group.sync.aligned"])
            lines += tag("wait-group", first and mine, ["wgmma.wait_group.sync.aligned 0"])
            last = tile + stages >= tiles  # the stage has no refill
            lines += tag("arrive-last" if last else "arrive", mine and (first or tile == tiles - 1),
                         [f"{ARRIVE} [e{s}]"])
    return Pipeline(
        f"gemm-{stages}x{tiles}",
        f"A matrix product of {tiles} tiles: one thread loads tiles into {stages} stages by bulk copies, and two "
        "warpgroups multiply them.",
        memory, {"P0@cta 0": producer, "P1@cta 0": consumers[0], "P2@cta 0": consumers[1]},
        "each multiplication waits for its copies, and each refill waits for both multiplications",
        [] if not with_mutants else [
            Mutant("without-expect", {"expect": None}, None, False, "no arrival comes in the first phase"),
            Mutant("expect-more", {"expect": ("], 16", "], 32")}, None, False, "only 16 of the 32 expected bytes arrive"),
            Mutant("expect-nothing", {"expect": ("], 16", "], 0")}, True, True,
                   "the arrival can end the phase before the bytes have arrived"),
            Mutant("without-load", {"load": None}, None, False, "none of the 16 bytes arrive"),
            Mutant("without-wait-full", {"wait-full": None}, True, False,
                   "a warpgroup reads before the copy is complete, and its early arrivals end phases of the empty "
                   "barrier"),
            Mutant("wait-full-relaxed", {"wait-full": RELAXED_WAIT}, True, True, "a relaxed wait does not acquire"),
            Mutant("without-commit", {"commit": None}, True, True, "the wait covers only committed multiplications"),
            Mutant("without-wait-group", {"wait-group": None}, True, True,
                   "the warpgroup releases the stage while the multiplication reads it"),
            Mutant("wait-group-1", {"wait-group": ("aligned 0", "aligned 1")}, True, True,
                   "the most recent multiplication may still read the stage"),
            Mutant("without-arrive", {"arrive": None}, None, False, "the empty barrier gets 1 of 2 arrivals"),
            Mutant("arrive-relaxed", {"arrive": RELAXED_ARRIVE}, True, True,
                   "a relaxed arrival does not release, so nothing orders the refill after the multiplication"),
            Mutant("without-last-arrive", {"arrive-last": None}, False, True, "no thread refills the stage"),
            Mutant("without-wait-empty", {"wait-empty": None}, True, False,
                   "the refill does not wait for the readers; two phases of the full barrier can end before a reader "
                   "polls"),
            Mutant("wait-empty-relaxed", {"wait-empty": RELAXED_WAIT}, True, True, "a relaxed wait does not acquire"),
        ])


def epilogue():
    """In each of two rounds, two threads write a tile, and one thread stores it by a bulk copy. The other reads it."""
    store = "cp.async.bulk.global.shared::cta.bulk_group"
    commit, bar = "cp.async.bulk.commit_group", "bar.sync 0"
    leader = ["st.weak.shared [s], 1", *tagged("fence-0", [FENCE]), *tagged("bar-1", [bar]), f"{store} [g], [s], 16",
              *tagged("commit", [commit]), *tagged("wait-read", ["cp.async.bulk.wait_group.read 0"]),
              *tagged("bar-2", [bar]), "st.weak.shared [s], 2", FENCE, bar, f"{store} [h], [s], 16", commit,
              *tagged("wait", ["cp.async.bulk.wait_group 0"]), *tagged("bar-4", [bar])]
    other = ["st.weak.shared [s+8], 1", *tagged("fence-1", [FENCE]), *tagged("bar-1", [bar]), *tagged("bar-2", [bar]),
             "st.weak.shared [s+8], 2", FENCE, bar, *tagged("bar-4", [bar]), "ld.weak.global r0, [h+8]"]
    return Pipeline(
        "epilogue", "An epilogue of two rounds: two threads write a tile to shared memory, and one of them stores it by a "
        "bulk copy.",
        ".u64 s[2] @ cta 0; .u64 g[2]; .u64 h[2];", {"P0@cta 0": leader, "P1@cta 0": other},
        "each writer executes a proxy fence before the barrier; the buffer is rewritten only after the copy has read it",
        [
            Mutant("without-leader-fence", {"fence-0": None}, True, True,
                   "the leader's own store needs a proxy fence before the copy"),
            Mutant("without-fence", {"fence-1": None}, True, True, "no proxy fence is between the store and the copy"),
            Mutant("fence-global", {"fence-1": ("shared::cta", "global")}, True, True,
                   "the fence covers another state space"),
            Mutant("without-bar-1", {"bar-1": None}, True, None,
                   "the copy may start before the other thread has written"),
            Mutant("without-commit", {"commit": None}, True, True, "the wait covers only committed copies"),
            Mutant("without-wait-read", {"wait-read": None}, True, True, "the buffer changes while the copy reads it"),
            Mutant("without-bar-2", {"bar-2": None}, True, None,
                   "the other thread may write again before the copy has read the buffer"),
            Mutant("without-wait", {"wait": None}, True, True,
                   "a thread may read the tile before the copy has written it"),
            Mutant("wait-read-only", {"wait": ("wait_group 0", "wait_group.read 0")}, True, True,
                   "wait_group.read does not wait until the destination is written"),
            Mutant("without-bar-4", {"bar-4": None}, True, None,
                   "the reader may read before the issuer's copy is complete"),
        ])


def split_k():
    """Two blocks add their parts of a tile to global memory; the last block reads the sum."""
    def block(number):
        mine = number == 0
        return ["st.weak.shared [s], 1", "st.weak.shared [s+8], 1", *tag("fence", mine, [FENCE]),
                "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u64 [g], [s], 16",
                *tag("commit", mine, ["cp.async.bulk.commit_group"]),
                *tag("wait", mine, ["cp.async.bulk.wait_group 0"]),
                *tag("count", mine, ["atom.acq_rel.gpu.add.u32 r0, [n], 1"]),
                f"bne r0, 1, LC9{number}", "ld.weak.global r1, [g]", f"LC9{number}: mov r2, 1"]
    narrow = "the counter no longer synchronises the two blocks, so nothing orders the last block's read of the sum"
    return Pipeline(
        "split-k", "Split-K: two blocks add parts of a tile to global memory by bulk reductions; the last block reads the "
        "sum.",
        ".shared .u64 s[2]; .u64 g[2]; .u32 n;", {"P0@cta 0": block(0), "P1@cta 1": block(1)},
        "each block waits for its reduction before it increments the counter; the last block has seen all increments",
        [
            Mutant("without-fence", {"fence": None}, True, True,
                   "the reduction may read shared memory before the stores are visible"),
            Mutant("without-commit", {"commit": None}, True, True, "the wait covers only committed reductions"),
            Mutant("without-wait", {"wait": None}, True, True,
                   "the block increments the counter before its reduction is done"),
            Mutant("wait-read-only", {"wait": ("wait_group 0", "wait_group.read 0")}, True, True,
                   "wait_group.read does not wait until the destination is written"),
            Mutant("count-relaxed", {"count": ("acq_rel", "relaxed")}, True, True, narrow),
            Mutant("count-cta", {"count": (".gpu", ".cta")}, True, True, narrow),
        ])


def multicast():
    """One thread sends tiles to both blocks of a cluster; a reader in each block returns the slot."""
    send = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
    producer = [*tagged("expect", [f"{EXPECT} [f], 16"]), *tagged("send", [f"{send} [s], [g], 16, [f], 3"]),
                *tagged("wait-empty", wait("e", 0, CLUSTER_WAIT)), f"{EXPECT} [f], 16", f"{send} [s], [h], 16, [f], 3"]
    peer = [*tagged("expect-peer", [f"{EXPECT} [f], 16"]), *tagged("wait-peer", wait("f", 0)), "ld.weak.shared r0, [s]",
            *tagged("fence-peer", [FENCE]), *tagged("arrive-peer", [f"{REMOTE} [e]"]), f"{EXPECT} [f], 16",
            *wait("f", 1), "ld.weak.shared r1, [s]"]
    reader = [*tagged("wait-full", wait("f", 0)), "ld.weak.shared r0, [s]", *tagged("fence", [FENCE]),
              *tagged("arrive", [f"{ARRIVE} [e]"]), *wait("f", 1), "ld.weak.shared r1, [s]"]
    return Pipeline(
        "multicast", "Cluster multicast: one thread sends tiles to both blocks; a reader in each block releases the slot.",
        ".shared .u64 s[2]; .u64 g[2]={1,1}; .u64 h[2]={2,2}; .shared f = mbarrier(1); e @ cta 0 = mbarrier(2);",
        {"P0@cta 0,cluster 0": producer, "P1@cta 1,cluster 0": peer, "P2@cta 0,cluster 0": reader},
        "each block expects its bytes, and the sender waits for both readers at cluster scope",
        [
            Mutant("without-expect", {"expect": None}, None, False,
                   "no arrival comes in the first phase of the sender's block"),
            Mutant("without-expect-peer", {"expect-peer": None}, None, False,
                   "the block expects the second tile only after the first tile has arrived"),
            Mutant("send-own", {"send": ("], 3", "], 1")}, None, False,
                   "the first tile goes only to the sender's block, so the other block gets no bytes"),
            Mutant("without-wait-peer", {"wait-peer": None}, True, None, "the peer reads before the copy is complete"),
            Mutant("without-fence-peer", {"fence-peer": None}, True, True,
                   "no proxy fence is between the read and the refill"),
            Mutant("without-arrive-peer", {"arrive-peer": None}, None, False, "the empty barrier gets 1 of 2 arrivals"),
            Mutant("arrive-peer-cta", {"arrive-peer": BLOCK_ARRIVE}, True, True,
                   "the default scope of an arrival is the block, even at a remote barrier"),
            Mutant("without-wait-full", {"wait-full": None}, True, False,
                   "the reader reads before the copy is complete, and the sender can arrive in a phase that lacks bytes"),
            Mutant("without-fence", {"fence": None}, True, True, "no proxy fence is between the read and the refill"),
            Mutant("without-arrive", {"arrive": None}, None, False, "the empty barrier gets 1 of 2 arrivals"),
            Mutant("without-wait-empty", {"wait-empty": None}, True, False,
                   "the refill does not wait for the readers; two phases can end before a reader polls"),
            Mutant("wait-empty-cta", {"wait-empty": BLOCK_WAIT}, True, True,
                   "a wait at block scope does not acquire from the peer"),
        ],
        {"async-fence=issuer": "the fence of the peer is not in the block that issues the copy",
         "async-agent=issuer": "a wait at block scope does not acquire from the other block's copy",
         "mbarrier-chain=links": "the reader's arrival has block scope, so it does not synchronise with the peer's later "
                                 "arrival"})


def softmax():
    """One warpgroup writes scores and multiplies by probabilities; another turns scores into probabilities in place."""
    multiplier = ["st.weak.shared [s0], 1", *tagged("arrive-scores", [f"{ARRIVE} [q0]"]), "st.weak.shared [s1], 1",
                  f"{ARRIVE} [q1]", *tagged("wait-probabilities", wait("p0", 0)), f"{MMA} [s0], [v]",
                  *tagged("commit", ["wgmma.commit_group.sync.aligned"]),
                  *tagged("wait-group", ["wgmma.wait_group.sync.aligned 0"]), "st.weak.shared [s0], 2",
                  f"{ARRIVE} [q0]", *wait("p1", 0), f"{MMA} [s1], [v]", *wait("p0", 1), f"{MMA} [s0], [v]",
                  "wgmma.commit_group.sync.aligned", "wgmma.wait_group.sync.aligned 0"]
    softmax_lines = []
    for tile, (slot, parity) in enumerate([(0, 0), (1, 0), (0, 1)]):
        first = tile == 0
        softmax_lines += [*tag("wait-scores", first, wait(f"q{slot}", parity)), f"ld.weak.shared r{tile}, [s{slot}]",
                          f"st.weak.shared [s{slot}], 3", *tag("fence", first, [FENCE]),
                          *tag("arrive-probabilities", first, [f"{ARRIVE} [p{slot}]"])]
    return Pipeline(
        "softmax",
        "A decoupled softmax: scores go to another warpgroup and come back as the operand of a product; a "
        "ring of 2 slots, 3 tiles.",
        ".u64 s0[1] @ cta 0; .u64 s1[1] @ cta 0; .u64 v[1] @ cta 0; q0 @ cta 0 = mbarrier(1); q1 @ cta 0 = mbarrier(1); "
        "p0 @ cta 0 = mbarrier(1); p1 @ cta 0 = mbarrier(1);", {"P0@cta 0": multiplier, "P1@cta 0": softmax_lines},
        "each side waits for the other side's phase, and a proxy fence precedes the multiplication's read of the "
        "probabilities",
        [
            Mutant("without-arrive-scores", {"arrive-scores": None}, None, False,
                   "the softmax waits forever for the first scores"),
            Mutant("arrive-scores-relaxed", {"arrive-scores": RELAXED_ARRIVE}, True, True,
                   "a relaxed arrival does not release the scores"),
            Mutant("without-wait-scores", {"wait-scores": None}, True, True,
                   "the softmax reads the scores before another thread has written the scores"),
            Mutant("without-fence", {"fence": None}, True, True,
                   "the multiplication reads shared memory through the async proxy, so a proxy fence must follow the "
                   "store"),
            Mutant("without-arrive-probabilities", {"arrive-probabilities": None}, None, False,
                   "the multiplication waits forever for the first probabilities"),
            Mutant("arrive-probabilities-relaxed", {"arrive-probabilities": RELAXED_ARRIVE}, True, True,
                   "a relaxed arrival does not release the probabilities"),
            Mutant("without-wait-probabilities", {"wait-probabilities": None}, True, False,
                   "the multiplication reads scores; two phases can end before the softmax polls for the first phase"),
            Mutant("without-commit", {"commit": None}, True, True, "the wait covers only committed multiplications"),
            Mutant("without-wait-group", {"wait-group": None}, True, True,
                   "new scores overwrite the operand while the multiplication reads it"),
        ],
        {"async-fence=writer": "the thread that writes the scores executes no proxy fence before the multiplication "
                               "reads the slot"})


def ring(blocks):
    """Each block sends its chunk to the next block, twice, and ends when both chunks have been read."""
    send = "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"
    threads = {}
    for r in range(blocks):
        mine, right, left = r == 0, (r + 1) % blocks, (r - 1) % blocks
        copy = f"{send} [d{right}], [s{r}], 16, [f{right}]"
        threads[f"P{r}@cta {r},cluster 0"] = [
            *tag("expect", mine, [f"{EXPECT} [f{r}], 16"]), *tag("send", mine, [copy]),
            *tag("wait-full", mine, wait(f"f{r}", 0)), f"ld.weak.shared r0, [d{r}]", *tag("fence", mine, [FENCE]),
            *tag("arrive", mine, [f"{REMOTE} [e{left}]"]), *tag("wait-empty", mine, wait(f"e{r}", 0, CLUSTER_WAIT)),
            f"{EXPECT} [f{r}], 16", copy, *wait(f"f{r}", 1), f"ld.weak.shared r1, [d{r}]",
            f"{REMOTE} [e{left}]", *wait(f"e{r}", 1, CLUSTER_WAIT)]
    memory = " ".join(f".u64 s{r}[2] @ cta {r} = {{1,1}}; .u64 d{r}[2] @ cta {r}; f{r} @ cta {r} = mbarrier(1); "
                      f"e{r} @ cta {r} = mbarrier(1);" for r in range(blocks))
    return Pipeline(
        f"ring-{blocks}", f"A ring over the shared memory of {blocks} blocks of a cluster: each block sends its chunk to "
        "the next block, twice.", memory, threads,
        "each block waits for its bytes, sends its second chunk after the next block has read the first, and ends "
        "after its last chunk has been read",
        [] if blocks > 2 else [
            Mutant("without-expect", {"expect": None}, None, False,
                   "the block expects the second chunk only after the first chunk has arrived"),
            Mutant("without-send", {"send": None}, None, False, "the next block waits forever for 16 bytes"),
            Mutant("without-wait-full", {"wait-full": None}, True, None,
                   "the block reads the chunk before the chunk has arrived"),
            Mutant("without-fence", {"fence": None}, True, True, "no proxy fence is between the read and the next chunk"),
            Mutant("without-arrive", {"arrive": None}, None, False,
                   "the previous block waits until its chunk has been read"),
            Mutant("arrive-cta", {"arrive": BLOCK_ARRIVE}, True, True,
                   "the default scope of an arrival is the block, even at a remote barrier"),
            Mutant("without-wait-empty", {"wait-empty": None}, True, None,
                   "the next chunk can arrive before the reader has read the previous chunk"),
            Mutant("wait-empty-cta", {"wait-empty": BLOCK_WAIT}, True, True,
                   "a wait at block scope does not acquire from another block"),
        ],
        {"async-fence=issuer": "the fence of the reader is not in the block that issues the copy",
         "async-agent=issuer": "a wait at block scope does not acquire from another block's copy"})


def pipelines():
    return [matrix_product(2, 3, True), matrix_product(3, 4, False), matrix_product(4, 5, False), epilogue(), split_k(),
            multicast(), softmax(), ring(2), ring(3)]


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: pipelines.py FOLDER")
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for pipeline in pipelines():
        (folder / f"{pipeline.name}.litmus").write_text(whole(pipeline))
        for mutant in pipeline.mutants:
            (folder / f"{pipeline.name}-{mutant.name}.litmus").write_text(mutant_text(pipeline, mutant))


if __name__ == "__main__":
    main()
