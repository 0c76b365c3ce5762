import { readdirSync, readFileSync } from 'node:fs'

export type Part = 'server' | 'redis' | 'postgres'
/** CPU time in microseconds, user and system. */
export type Usage = Readonly<Record<Part, number>>

interface Process {
  readonly pid: number
  readonly parent: number
  readonly program: string
  /** CPU time of the process and of its children that have ended. */
  readonly cpu: number
}

// USER_HZ of /proc/<pid>/stat: 100 per second on every Linux.
const microsecondsPerTick = 10_000

/** CPU time so far of a process and its descendants, by program. */
export function usageBelow(root: number): Usage {
  const usage = { server: 0, redis: 0, postgres: 0 }
  for (const { program, cpu } of treeOf(root)) usage[partOf(program)] += cpu
  return usage
}

/** Process ids of a process and its descendants. */
export const pidsBelow = (root: number): number[] => treeOf(root).map(({ pid }) => pid)

export const difference = (after: Usage, before: Usage): Usage => ({
  server: after.server - before.server,
  redis: after.redis - before.redis,
  postgres: after.postgres - before.postgres,
})

/** Of all parts. */
export const total = ({ server, redis, postgres }: Usage): number => server + redis + postgres

/** CPU time of all processes, and of the machine (cores × time): the difference shows the load by other processes. */
export function machineUsage(): { busy: number; all: number } {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  // user nice system idle iowait irq softirq steal; user includes guest time.
  const ticks = line.split(/\s+/).slice(1, 9).map(Number)
  const all = ticks.reduce((sum, value) => sum + value, 0)
  const [, , , idle = 0, iowait = 0] = ticks
  return { busy: (all - idle - iowait) * microsecondsPerTick, all: all * microsecondsPerTick }
}

function partOf(program: string): Part {
  if (program.startsWith('postgres')) return 'postgres'
  return /^(redis|valkey)/.test(program) ? 'redis' : 'server'
}

function treeOf(root: number): Process[] {
  const all = readdirSync('/proc').flatMap(name => (/^\d+$/.test(name) ? (read(Number(name)) ?? []) : []))
  const tree = all.filter(({ pid }) => pid === root)
  for (let parents = tree; parents.length > 0; ) {
    const ids = new Set(parents.map(({ pid }) => pid))
    parents = all.filter(({ parent }) => ids.has(parent))
    tree.push(...parents)
  }
  return tree
}

/** Undefined if the process has ended meanwhile. */
function read(pid: number): Process | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const end = text.lastIndexOf(')')
    const fields = text
      .slice(end + 2)
      .split(' ')
      .map(Number)
    const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15)
    return {
      pid,
      parent: fields[1] as number,
      program: text.slice(text.indexOf('(') + 1, end),
      // Includes the time of ended children, so that short-lived PostgreSQL processes count.
      cpu: (utime + stime + cutime + cstime) * microsecondsPerTick,
    }
  } catch {
    return undefined
  }
}
