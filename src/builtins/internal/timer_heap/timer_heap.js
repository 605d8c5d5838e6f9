// internal/timer_heap -- a binary min-heap of timer lists by `expiry`; each knows its `heapIndex`.
//
// Lists of equal expiry leave in the order in which their timers were started:
// `_idleNext._idleStart` of the earlier one is smaller, because its duration is longer.
function isBefore(a, b) {
  if (a.expiry !== b.expiry) return a.expiry < b.expiry;
  return a.duration > b.duration;
}

exports.TimerHeap = class TimerHeap {
  #items = [];

  first() {
    return this.#items[0];
  }

  #place(item, i) {
    this.#items[i] = item;
    item.heapIndex = i;
  }

  #up(item, start) {
    let i = start;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!isBefore(item, this.#items[parent])) break;
      this.#place(this.#items[parent], i);
      i = parent;
    }
    this.#place(item, i);
  }

  #down(item, start) {
    const items = this.#items;
    let i = start;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && isBefore(items[child + 1], items[child])) child++;
      if (!isBefore(items[child], item)) break;
      this.#place(items[child], i);
      i = child;
    }
    this.#place(item, i);
  }

  push(item) {
    this.#items.push(item);
    this.#up(item, this.#items.length - 1);
  }

  /** Call after item.expiry has changed. */
  moved(item) {
    if (item.heapIndex < 0) return;
    this.#up(item, item.heapIndex);
    this.#down(item, item.heapIndex);
  }

  remove(item) {
    const at = item.heapIndex;
    if (at < 0) return;
    const last = this.#items.pop();
    item.heapIndex = -1;
    if (last === item) return;
    this.#place(last, at);
    this.moved(last);
  }
};
