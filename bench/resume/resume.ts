import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Bystanders, type Stalls, stallsTable } from '../lib/bystanders.js'
import { usageBelow } from '../lib/cpu.js'
import { medianOf, say } from '../lib/figures.js'
import { Load } from '../lib/load.js'
import type { Account, Returned } from '../lib/load-protocol.js'
import { type Measured, measured } from '../lib/measured.js'
import { memoryBelow } from '../lib/memory.js'
import { readOptions } from '../lib/options.js'
import { makeAccounts, makeChannel } from '../lib/people.js'
import { RealServer } from '../lib/real-server.js'
import { atMost, type Result } from '../lib/result.js'
import { senderFor } from '../lib/sender.js'
import { othersShare } from '../lib/statistics.js'
import { type Undo, undone } from '../lib/undo.js'

interface Round {
  readonly ours: Measured<Returned>
  /** Measured while the clients reconnect. */
  readonly stalls: Stalls
}

// In ms: before the next round the supervisor replaces the dead worker, and another worker adopts its queues.
const restMs = 6000
const bystanders = 9
const lookMs = 5

const defaults = { clients: 5000, behind: 50, rounds: 3, text: 594, together: 200 }
type ResumeOptions = Readonly<typeof defaults>

/** Clients lose their connections because a worker dies, and all reconnect at once. */
export async function resume(args: string[]): Promise<Result> {
  const options: ResumeOptions = readOptions(args, defaults)
  const rounds = await undone(undo => measureAll(undo, options))
  return resultOf(options, rounds)
}

async function measureAll(undo: Undo, options: ResumeOptions): Promise<Round[]> {
  say('starting the server …')
  const server = await RealServer.started(undo, { WORKERS: '2' })
  const clients = new Load(undo)

  say(`making ${options.clients} users, their queues and sockets …`)
  const accounts = await makeAccounts(server, options.clients + bystanders)
  const [sender, readers] = [accounts[0] as Account, accounts.slice(bystanders)]
  const { port } = server
  const channelId = await makeChannel(server, sender, 'measurement', readers)
  const all = { name: 'all', port, isFloor: false, accounts: readers, sender, channelId }
  await clients.ask({ do: 'open', target: { ...all, textLength: options.text, ackMs: 1000, mayEnd: true } })
  const aside = await Bystanders.start(undo, server, accounts.slice(0, bystanders))

  let first = 1
  const loads = [clients.pid, aside.pid]
  const rounds: Round[] = []
  for (let round = 0; round <= options.rounds; round++) {
    const missed = { first, count: options.behind, together: options.together }
    first += options.behind
    const workers = memoryBelow(server.pid).filter(({ role }) => role === 'worker')
    await killProcess((workers[round % workers.length] as { pid: number }).pid)
    await clients.ask({ do: 'leave', name: 'all' })
    // A new connection, because the previous one may have been to the dead worker.
    const send = senderFor({ port, isFloor: false, sender, channelId, textLength: options.text })
    for (let number = missed.first; number < first; number++) await send(number)
    await aside.stalls()
    const ours = await measured({ used: () => usageBelow(server.pid), loads }, () => clients.comeBack('all', missed))
    const stalls = await aside.stalls()
    await sleep(restMs)
    // The first round is the warm-up.
    if (round > 0) rounds.push({ ours, stalls })
    say(
      `round ${round}: ${Math.round(ours.found.elapsedMs)} ms, longest stall ${Math.round(stalls.longestDelivery)} ms`,
    )
  }
  return rounds
}

/**
 * Kills a child of another process and waits until that process has reaped it. Before that, threads may still run,
 * files are open, and the kernel accepts connections for its share of the port and resets them a moment later.
 */
async function killProcess(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL')
  while (existsSync(`/proc/${pid}`)) await sleep(lookMs)
}

function resultOf(options: ResumeOptions, rounds: readonly Round[]): Result {
  const stalls = rounds.map(round => round.stalls)
  const longest = medianOf(stalls, one => Math.max(one.longestDelivery, one.longestSend))
  const seconds = medianOf(rounds, ({ ours }) => ours.found.elapsedMs) / 1000
  return {
    options,
    othersShare: othersShare(rounds.map(({ ours }) => ours)),
    notes: [
      `${options.clients} clients of two workers, one of which is killed; ${options.behind} events behind; all come back at once, ${options.together} connections being made at a time.`,
    ],
    tables: [
      {
        title: 'Until all are live',
        columns: ['all ms', 'p50 ms', 'p99 ms'],
        rows: [
          [
            'parley',
            ...(['elapsedMs', 'p50', 'p99'] as const).map(key => medianOf(rounds, one => one.ours.found[key])),
          ],
        ],
      },
      stallsTable('Bystanders: a message every 20 ms to eight readers', [['meanwhile', stalls]]),
    ],
    targets: [
      atMost(3, 's', 'all live after their reconnect', seconds),
      atMost(100, 'ms', 'longest stall of a bystander', longest),
    ],
  }
}
