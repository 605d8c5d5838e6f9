// Operators with time, sharing, errors and back-pressure.
import * as rx from "./node_modules/rxjs/src/index.ts";

const log = (name) => ({ next: (v) => console.log(name, v), error: (e) => console.log(name, "error", e.message), complete: () => console.log(name, "done") });
rx.range(1, 20).pipe(rx.filter((n) => n % 3 === 0), rx.map((n) => n * n), rx.scan((a, n) => a + n, 0), rx.bufferCount(2)).subscribe(log("scan"));
rx.of(1, 2, 3).pipe(rx.concatMap((n) => rx.of(n, -n)), rx.pairwise(), rx.toArray()).subscribe(log("pairs"));
rx.throwError(() => new Error("no")).pipe(rx.retry(2), rx.catchError((e) => rx.of(e.message))).subscribe(log("retry"));
const subject = new rx.BehaviorSubject(0);
rx.combineLatest({ a: subject, b: rx.of("x", "y") }).subscribe(log("latest"));
subject.next(1);
subject.complete();
const shared = rx.defer(() => rx.from([1, 2])).pipe(rx.share());
rx.merge(shared, shared, rx.EMPTY).pipe(rx.reduce((a, b) => a + b, 0)).subscribe(log("shared"));
rx.from([3, 1, 2]).pipe(rx.groupBy((n) => n % 2), rx.mergeMap((g) => g.pipe(rx.toArray(), rx.map((v) => [g.key, v])))).subscribe(log("groups"));
rx.timer(1, 2).pipe(rx.take(3), rx.switchMap((n) => rx.of(n).pipe(rx.delay(1))), rx.timeout(5000)).subscribe(log("timer"));
console.log(await rx.firstValueFrom(rx.zip(rx.of("a"), Promise.resolve("b")).pipe(rx.map((v) => v.join("")))));
console.log(Object.keys(rx).length);
