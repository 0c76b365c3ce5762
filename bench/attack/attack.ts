import { readOptions } from '../lib/options.js'
import { atMost, type Result, type ResultTable, type Row, type Target } from '../lib/result.js'
import { undone } from '../lib/undo.js'
import type { HonestCalls } from './attack-protocol.js'
import { type AttackFound, runAttack } from './run-attack.js'

const honestClients = 10

/** Measures honest clients while others send the most expensive requests they can. */
export async function attack(args: string[]): Promise<Result> {
  // `only`: attacks whose names contain this.
  const defaults = { clients: 20, minutes: 5, workers: 2, set: 'requests', only: '' }
  const options = readOptions(args, defaults)
  const { set, minutes } = options
  if (set !== 'requests' && set !== 'transfers') throw new Error('--set is requests or transfers')
  const found = await undone(undo => runAttack(undo, { ...options, set, honestClients, seconds: minutes * 60 }))
  return {
    options,
    othersShare: { median: found.othersShare, most: found.othersShare },
    notes: [
      `${honestClients} honest clients with five requests a second each, beside ${options.clients} attackers.`,
      ...Object.entries(found.attacked.failed).map(([what, times]) => `Failed: ${what}, ${times} times.`),
    ],
    tables: [honestTable(found), attackTable(found)],
    targets: [...targetsOf(found), ...(set === 'transfers' ? transferTargets(found) : [])],
  }
}

function honestTable({ attacked }: AttackFound): ResultTable {
  const row = (name: string, { calls, failures, p50, p99, longestMs }: HonestCalls): Row => [
    name,
    ...[calls, failures, p50, p99, longestMs],
  ]
  return {
    title: 'Honest clients',
    columns: ['calls', 'failed', 'p50 ms', 'p99 ms', 'longest ms'],
    rows: [
      row('under attack', attacked.all),
      ...Object.entries(attacked.kinds).map(([name, calls]) => row(`  ${name}`, calls)),
    ],
  }
}

const attackTable = ({ attacks }: AttackFound): ResultTable => ({
  title: 'Attacks',
  columns: ['requests', 'refused', 'left', '502'],
  rows: Object.entries(attacks).map(([name, { requests, refused, left, badGateways }]) => [
    name,
    ...[requests, refused, left, badGateways],
  ]),
})

const targetsOf = ({ attacked, ended, mostOfWorker }: AttackFound): Target[] => [
  atMost(250, 'ms', 'p99 of honest clients', attacked.all.p99),
  atMost(0, '', 'requests of honest clients that failed', attacked.all.failures),
  atMost(0, '', 'workers that ended', ended),
  atMost(512, 'MB', 'memory of a worker', mostOfWorker / 1e6),
]

function transferTargets({ attacked, attacks, mostOfAll }: AttackFound): Target[] {
  const badGateways = [attacked.all, ...Object.values(attacks)].reduce((sum, one) => sum + one.badGateways, 0)
  return [
    atMost(250, 'ms', 'p99 of sends', attacked.kinds.send?.p99 ?? Number.NaN),
    atMost(0, '', 'answers 502 of the proxy', badGateways),
    atMost(1000, 'MB', 'memory of all processes', mostOfAll / 1e6),
  ]
}
