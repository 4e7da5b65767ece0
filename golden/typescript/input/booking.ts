/* Bookings of meeting rooms. */
import Clock from "./clock";
import { Room, type RoomId, findRoom as lookUp } from "./rooms";
import * as audit from "../audit";
import type { Mailer } from "./mail";
import "./polyfills";
import legacy = require("./legacy");

export { Room } from "./rooms";
export * from "./errors";
export * as calendar from "./calendar";
export { ledger as book, type Slot };

/** How many hours a booking may last. */
export const MAX_HOURS = 8;
const ledger = new Map<RoomId, Booking[]>();
let lastAudit: Date | undefined;
const { hours: openingHours, days } = legacy.settings;

/** A span of time in one room. */
interface Slot extends audit.Traced {
  readonly room: RoomId;
  start: Date;
  /** Whether two slots share an hour. */
  overlaps(other: Slot): boolean;
}

export enum State {
  Draft = "draft",
  Confirmed = "confirmed",
}

export type Outcome = { ok: true; booking: Booking } | { ok: false; reason: string };

/** Notes every booking that changes. */
function traced(label: string) {
  return (target: unknown) => audit.note(label, target);
}

/** One booking of a room. */
@traced("booking")
export class Booking extends audit.Entity implements Slot {
  static count = 0;
  state: State = State.Draft;
  #notes: string[] = [];
  private readonly clock = new Clock("utc");

  constructor(readonly room: RoomId, public start: Date, private mailer: Mailer) {
    super(room);
    Booking.count += 1;
  }

  get hours(): number {
    return this.clock.hoursSince(this.start);
  }

  overlaps(other: Slot): boolean {
    return this.room === other.room && sameHour(this.start, other.start);
  }

  confirm = async (): Promise<Outcome> => {
    const reply = await this.mailer.send(this.room);
    if (reply.failed) {
      return { ok: false, reason: reply.text };
    }
    this.state = State.Confirmed;
    return { ok: true, booking: this };
  };

  @traced("note") note(text: string) {
    this.#notes.push(text);
  }
}

export function book(id: RoomId, start: string): Outcome;
export function book(id: RoomId, start: Date, mailer?: Mailer): Outcome;
export function book(id: RoomId, start: any, mailer = defaultMailer()): Outcome {
  const room = lookUp(id);
  const clock: Clock = legacy.clock();
  const booking = new Booking(id, start, mailer);
  for (const ledger of room.shadows) {
    ledger.clear();
  }
  if (clock.isPast(start)) {
    return { ok: false, reason: `${id} is in the past` };
  }
  room.reserve(booking, parseHours(start));
  return publish(booking, (error) => audit.note(error, id));
}

function publish<T extends Slot>(slot: T, failed: (error: Error) => void): Outcome {
  try {
    ledger.set(slot.room, [slot as unknown as Booking]);
  } catch (error) {
    failed(error as Error);
  }
  return (slot as Booking).confirm();
}

const sameHour = (a: Date, b: Date): boolean => a.getHours() === b.getHours();

export namespace limits {
  export const daily = 3;
  export function reached(count: typeof MAX_HOURS): boolean {
    return count >= daily;
  }
}

declare function parseHours(text: string): number;
declare function defaultMailer(): Mailer;
declare module "./rooms" {
  interface Room {
    reserve(booking: Booking, hours: number): void;
  }
}

/** What plugins start from. */
export default abstract class Plugin {
  abstract register(kind: keyof typeof State): void;
  async load() {
    const { install } = await import("./plugins");
    install(this);
  }
}
