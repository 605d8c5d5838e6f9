// web/streams/queue -- a queue whose ends both cost the same. Elements may be anything.

/** Taken elements are given back once there are so many, and more than what is left. */
const kCompactAt = 1024;

class Queue {
  constructor() {
    this.items = [];
    this.head = 0;
  }

  get length() {
    return this.items.length - this.head;
  }

  push(item) {
    const { items } = this;
    items[items.length] = item;
  }

  peek() {
    return this.items[this.head];
  }

  shift() {
    const { items, head } = this;
    const item = items[head];
    items[head] = undefined;
    if (head + 1 === items.length) {
      items.length = 0;
      this.head = 0;
    } else if (head >= kCompactAt && head * 2 > items.length) {
      this.items = items.slice(head + 1);
      this.head = 0;
    } else {
      this.head = head + 1;
    }
    return item;
  }

  /** All elements as an array; the queue is empty then. */
  takeAll() {
    const all = this.head === 0 ? this.items : this.items.slice(this.head);
    this.items = [];
    this.head = 0;
    return all;
  }

  clear() {
    this.items = [];
    this.head = 0;
  }
}

Object.setPrototypeOf(Queue.prototype, null);

exports.Queue = Queue;
