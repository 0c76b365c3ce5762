import { difference, machineUsage, total, type Usage, usageBelow } from './cpu.js'

export interface Measured<Found> {
  readonly found: Found
  /** CPU time of the server and its descendants. */
  readonly usage: Usage
  readonly elapsedMs: number
  /** Share of the machine's CPU time that unrelated processes used. */
  readonly othersShare: number
}

/** CPU time of a server during `work`, without that of the load processes. */
export async function measured<Found>(
  { used, loads }: { readonly used: () => Usage; readonly loads: readonly number[] },
  work: () => Promise<Found>,
): Promise<Measured<Found>> {
  const look = () => ({ usage: used(), loads: loads.map(usageBelow), machine: machineUsage(), at: performance.now() })
  const before = look()
  const found = await work()
  const after = look()
  const usage = difference(after.usage, before.usage)
  const clients = after.loads.map((one, i) => difference(one, before.loads[i] as Usage))
  const ours = [usage, ...clients].reduce((sum, one) => sum + total(one), 0)
  const [busy, all] = [after.machine.busy - before.machine.busy, after.machine.all - before.machine.all]
  return {
    found,
    usage,
    elapsedMs: after.at - before.at,
    othersShare: all > 0 ? Math.max(0, (busy - ours) / all) : 0,
  }
}
