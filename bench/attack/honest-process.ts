import { setTimeout as sleep } from 'node:timers/promises'
import { serve } from '../lib/serve.js'
import { percentile } from '../lib/statistics.js'
import type { Calling, HonestCalls, HonestResults } from './attack-protocol.js'
import { Client } from './client.js'

// Interval in ms: five requests per second, like a busy web client.
const everyMs = 200

interface Call {
  readonly kind: string
  /** 0: the connection broke. */
  readonly status: number
  readonly ms: number
}

// Honest clients run in a separate process, so that their delays come from the server and not from other clients.
let calls: Call[] = []

serve(({ open }: { readonly open?: Calling }) => {
  if (open) open.accounts.forEach((_, i) => void callOn(open, i))
  return { honest: look() }
})

function look(): HonestResults {
  const kinds = [...new Set(calls.map(({ kind }) => kind))]
  const failed: Record<string, number> = {}
  for (const { kind, status } of calls)
    if (status !== 200) failed[`${kind} ${status}`] = 1 + (failed[`${kind} ${status}`] ?? 0)
  const results = {
    all: resultsOf(calls),
    kinds: Object.fromEntries(kinds.map(name => [name, resultsOf(calls.filter(({ kind }) => kind === name))])),
    failed,
  }
  calls = []
  return results
}

function resultsOf(some: readonly Call[]): HonestCalls {
  const sorted = Float64Array.from(some, ({ ms }) => ms).sort()
  const failures = some.filter(({ status }) => status !== 200).length
  const badGateways = some.filter(({ status }) => status === 502).length
  const at = (share: number) => (sorted.length > 0 ? percentile(sorted, share) : 0)
  return { calls: some.length, failures, badGateways, p50: at(0.5), p99: at(0.99), longestMs: sorted.at(-1) ?? 0 }
}

async function callOn({ server, accounts, channelName }: Calling, number: number): Promise<never> {
  const account = accounts[number]
  if (!account) throw new Error(`there is no client ${number}`)
  const client = new Client(server, `127.0.3.${number + 1}`, account)
  const message = { type: 'channel', to: channelName, topic: 'honest', content: 'Good morning' }
  const page = { anchor: 'newest', num_before: '30', num_after: '0', narrow: [['topic', 'honest']] }
  const requests = {
    send: () => client.asks('POST', '/messages', message),
    read: () => client.asks('GET', '/messages', page),
    'own user': () => client.asks('GET', '/users/me'),
  }
  const inOrder = Object.entries(requests)
  for (let turn = number; ; turn++) {
    const [kind, request] = inOrder[turn % inOrder.length] as (typeof inOrder)[number]
    const begin = performance.now()
    const status = await request().then(
      answer => answer.status,
      () => 0,
    )
    const ms = performance.now() - begin
    calls.push({ kind, status, ms })
    await sleep(Math.max(0, everyMs - ms))
  }
}
