import { budgets } from '../../budgets.js'

/** What a request used of a worker. */
export interface RequestCost {
  /** Milliseconds in which the worker did nothing else. */
  readonly ms: number
  readonly bytesIn: number
  readonly bytesOut: number
}

/** How many requests more than one a request counts for. */
export function surchargeOf({ ms, bytesIn, bytesOut }: RequestCost): number {
  return (
    beyond(ms, budgets.pointMs.most) +
    beyond(bytesIn, budgets.pointBytesIn.most) +
    beyond(bytesOut, budgets.pointBytesOut.most)
  )
}

/** Whole units after the first, which is free. */
const beyond = (used: number, unit: number): number => (used < 2 * unit ? 0 : Math.floor(used / unit) - 1)
