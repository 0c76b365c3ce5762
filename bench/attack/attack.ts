import { machine } from '../lib/machine.js'
import { printResult } from '../lib/print-result.js'
import { questions } from '../lib/questions.js'
import type { Result, ResultTable, Target } from '../lib/result.js'
import { undone } from '../lib/undo.js'
import { type AttackOptions, readAttackOptions } from './attack-options.js'
import type { HonestCalls } from './attack-protocol.js'
import { type AttackFound, runAttack } from './run-attack.js'

const honestClients = 10

/** Measures honest clients while others send the most expensive requests they can. */
export async function attack(args: string[]): Promise<void> {
  const options = readAttackOptions(args)
  const found = await undone(undo =>
    runAttack(undo, { ...options, honestClients, seconds: options.minutes * 60, proxied: options.set === 'transfers' }),
  )
  printResult(resultOf(options, found), options.json)
}

function resultOf(options: AttackOptions, found: AttackFound): Result {
  return {
    scenario: 'attack',
    question: questions.attack,
    machine: machine(),
    options: { ...options, memory: options.memory ?? '' },
    othersShare: { median: found.othersShare, most: found.othersShare },
    notes: [
      `${honestClients} honest clients with five requests a second each, beside ${options.clients} attackers.`,
      ...Object.entries(found.attacked.failed).map(([what, times]) => `Failed: ${what}, ${times} times.`),
    ],
    tables: [honestTable(found), attackTable(found)],
    charts: [],
    targets: targetsOf(options, found),
  }
}

function honestTable({ quiet, attacked }: AttackFound): ResultTable {
  const row = (name: string, { calls, failures, p50, p99, longestMs }: HonestCalls) => ({
    name,
    cells: [calls, failures, p50, p99, longestMs],
  })
  return {
    title: 'Honest clients',
    columns: [
      { name: '' },
      { name: 'calls' },
      { name: 'failed' },
      { name: 'p50 ms', decimals: 1 },
      { name: 'p99 ms', decimals: 1 },
      { name: 'longest ms', decimals: 1 },
    ],
    rows: [
      row('before', quiet.all),
      row('under attack', attacked.all),
      ...Object.entries(attacked.kinds).map(([name, calls]) => row(`  ${name}`, calls)),
    ],
  }
}

function attackTable({ attacks }: AttackFound): ResultTable {
  return {
    title: 'Attacks',
    columns: [
      { name: '' },
      { name: 'requests' },
      { name: 'refused' },
      { name: 'left' },
      { name: '502' },
      { name: 'longest ms' },
    ],
    rows: Object.entries(attacks).map(([name, { requests, refused, left, badGateways, longestMs }]) => ({
      name,
      cells: [requests, refused, left, badGateways, longestMs],
    })),
  }
}

function targetsOf({ set, memory = 512 }: AttackOptions, found: AttackFound): Target[] {
  const { attacked, attacks, ended, mostOfWorker, mostOfAll } = found
  const atMost = (what: string, limit: number, value: number, unit = ''): Target => ({
    what,
    limit,
    found: value,
    is: 'atMost',
    unit,
  })
  const badGateways = [attacked.all, ...Object.values(attacks)].reduce((sum, one) => sum + one.badGateways, 0)
  return [
    atMost('p99 of honest clients', 250, attacked.all.p99, 'ms'),
    atMost('requests of honest clients that failed', 0, attacked.all.failures),
    atMost('workers that ended', 0, ended),
    atMost('memory of a worker', memory, mostOfWorker / 1e6, 'MB'),
    ...(set === 'transfers'
      ? [
          atMost('p99 of sends', 250, attacked.kinds.send?.p99 ?? Number.NaN, 'ms'),
          atMost('answers 502 of the proxy', 0, badGateways),
          atMost('memory of all processes', 1000, mostOfAll / 1e6, 'MB'),
        ]
      : []),
  ]
}
