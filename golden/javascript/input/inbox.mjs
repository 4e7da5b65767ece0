// The inbox of a chat client.
import Queue, { drain as empty } from "./queue.mjs";
import * as socket from "./socket.mjs";
import "./register.mjs";

export { empty as clear };
export * from "./events.mjs";

/** How many messages are kept. */
export const LIMIT = 200;
const queue = new Queue(LIMIT);
const session = socket.open("/inbox");
let unread = 0,
  muted = false;

/**
 * Keeps messages by thread.
 */
export class Inbox extends socket.Listener {
  static #instances = 0;
  threads = new Map();

  constructor(user) {
    super(user);
    this.user = user;
    this.cache = new Queue(LIMIT);
    Inbox.#instances++;
  }

  get size() {
    return this.threads.size;
  }

  receive = (message) => {
    const thread = this.#find(message.thread);
    thread.push(message, decode(message));
    this.cache.add(message);
  };

  #find(id) {
    return this.threads.get(id) ?? createThread(id);
  }

  static {
    queue.onFull(() => empty(queue));
  }
}

/** Reads one message. */
function decode({ body, headers: { charset = "utf-8" } = {} }, ...filters) {
  var text = socket.decode(body, charset);
  for (const filter of filters) {
    text = filter(text);
  }
  if (text) {
    let unread = text.length;
    queue.push(unread);
  }
  return text;
}

const createThread = function thread(id) {
  const log = openLog(id);
  log.write(`thread ${id}`);
  return { id, log, push: (...items) => items.forEach(log.write) };
};

export async function* replay(since) {
  const { history, pages: count } = await import("./history.mjs");
  try {
    yield* history(since, count);
  } catch ({ code }) {
    session?.report(code);
  }
}

export const filters = {
  spam(message) {
    return session.score(message) > 5;
  },
  loud: (message) => muted || message.loud,
  nested: {
    twice(message) {
      return filters.spam(message) && filters.spam(message);
    },
  },
};

function openLog(id) {
  unread += 1;
  function rotate() {
    return socket.rotate(id);
  }
  return rotate();
}

export default (root) => {
  const inbox = new Inbox(root.user);
  session.subscribe(inbox.receive);
  return inbox;
};
