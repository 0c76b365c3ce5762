import { budgets } from '../config/budgets.js'

/** The resources that a request used. */
interface RequestCost {
  /** Milliseconds in which its steps ran: not while it waited, nor what its operation does after the first `await`. */
  readonly ms: number
  readonly bytesIn: number
  readonly bytesOut: number
}

/** The number of further requests that an expensive request counts for. */
export function surchargeOf({ ms, bytesIn, bytesOut }: RequestCost): number {
  return (
    beyond(ms, budgets.pointMs.most) +
    beyond(bytesIn, budgets.pointBytesIn.most) +
    beyond(bytesOut, budgets.pointBytesOut.most)
  )
}

/** Whole units beyond the first one, which is free. */
const beyond = (used: number, unit: number): number => (used < 2 * unit ? 0 : Math.floor(used / unit) - 1)
