export interface Period {
  from: Date
  days: number
}

export const addDays = (from: Date, days: number): Date => new Date(from.getTime() + days)

export function lasts(period: Period) {
  const { days, from: start } = period
  return addDays(start, days)
}

export default class Clock {
  static system = new Clock()

  now(): Date {
    return addDays(new Date(), 0)
  }
}
