import { readdirSync, readFileSync } from 'node:fs'

/** CPU time in microseconds. */
export interface Cpu {
  readonly user: number
  readonly system: number
}

export type Part = 'server' | 'redis' | 'postgres'
export type Usage = Readonly<Record<Part, Cpu>>

interface Process {
  readonly pid: number
  readonly parent: number
  readonly program: string
  /** CPU time of the process and of its children that have ended. */
  readonly cpu: Cpu
}

// USER_HZ of /proc/<pid>/stat: 100 per second on every Linux.
const microsecondsPerTick = 10_000

/** CPU time so far of a process and its descendants, by program. */
export function usageBelow(root: number): Usage {
  const usage = { server: { user: 0, system: 0 }, redis: { user: 0, system: 0 }, postgres: { user: 0, system: 0 } }
  for (const { program, cpu } of treeOf(root)) {
    const part = partOf(program)
    usage[part].user += cpu.user
    usage[part].system += cpu.system
  }
  return usage
}

/** Process ids of a process and its descendants. */
export const pidsBelow = (root: number): number[] => treeOf(root).map(({ pid }) => pid)

export function difference(after: Usage, before: Usage): Usage {
  const of = (part: Part) => ({
    user: after[part].user - before[part].user,
    system: after[part].system - before[part].system,
  })
  return { server: of('server'), redis: of('redis'), postgres: of('postgres') }
}

/** CPU time of all processes, and of the machine (cores × time): the difference shows the load by other processes. */
export function machineUsage(): { busy: number; all: number } {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  // user nice system idle iowait irq softirq steal; user includes guest time.
  const ticks = line.split(/\s+/).slice(1, 9).map(Number)
  const all = ticks.reduce((sum, value) => sum + value, 0)
  const [, , , idle = 0, iowait = 0] = ticks
  return { busy: (all - idle - iowait) * microsecondsPerTick, all: all * microsecondsPerTick }
}

export const total = ({ user, system }: Cpu): number => user + system

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
      cpu: { user: (utime + cutime) * microsecondsPerTick, system: (stime + cstime) * microsecondsPerTick },
    }
  } catch {
    return undefined
  }
}
