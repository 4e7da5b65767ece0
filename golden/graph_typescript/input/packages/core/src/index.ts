export * from './shelf'
export { addDays as later, type Period } from './dates'
export * as dates from './dates'
export { default as Clock } from './dates'
