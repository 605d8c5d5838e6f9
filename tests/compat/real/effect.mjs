// Fibers, resources, schedules, failures, and the data types.
import * as Arr from "./node_modules/effect/src/Array.ts";
import * as Duration from "./node_modules/effect/src/Duration.ts";
import * as Effect from "./node_modules/effect/src/Effect.ts";
import * as Option from "./node_modules/effect/src/Option.ts";
import * as Queue from "./node_modules/effect/src/Queue.ts";
import * as Ref from "./node_modules/effect/src/Ref.ts";
import * as Schedule from "./node_modules/effect/src/Schedule.ts";
import * as Stream from "./node_modules/effect/src/Stream.ts";
import { pipe } from "./node_modules/effect/src/Function.ts";

console.log(pipe(Arr.range(1, 9), Arr.filter((n) => n % 2 === 1), Arr.groupBy((n) => (n > 4 ? "big" : "small"))));
console.log(String(Option.map(Option.some(2), (n) => n + 1)), String(Duration.minutes(90)));
const program = Effect.gen(function* () {
  const ref = yield* Ref.make(0);
  yield* Effect.forEach([1, 2, 3, 4], (n) => Ref.update(ref, (x) => x + n), { concurrency: 2 });
  let tries = 0;
  const retried = yield* Effect.suspend(() => (++tries < 3 ? Effect.fail("again") : Effect.succeed(tries))).pipe(Effect.retry(Schedule.recurs(5)));
  const fiber = yield* Effect.forkChild(Effect.delay(Effect.succeed("late"), Duration.millis(1)));
  const result = yield* Effect.acquireUseRelease(Effect.succeed("r"), (r) => Effect.succeed(r + "!"), (r) => Effect.sync(() => console.log("released", r)));
  const caught = yield* Effect.fail(new Error("bad")).pipe(Effect.catch((e) => Effect.succeed(e.message)));
  const sum = yield* Stream.runFold(Stream.map(Stream.range(1, 100), (n) => n * 2), () => 0, (a, n) => a + n);
  const queue = yield* Queue.unbounded();
  yield* Queue.offerAll(queue, [1, 2, 3]);
  return { total: yield* Ref.get(ref), retried, fiber: typeof fiber, result, caught, sum, taken: yield* Queue.take(queue) };
});
console.log(await Effect.runPromise(program));
console.log(String((await Effect.runPromiseExit(Effect.fail("E")))._tag));
