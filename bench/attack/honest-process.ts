import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../lib/statistics.js'
import type { Calling, HonestCalls } from './attack-protocol.js'
import { Client } from './client.js'

// Interval in ms: five requests per second, like a busy web client.
const everyMs = 200

// Honest clients run in a separate process, so that their delays come from the server and not from other clients.
let waits: number[] = []
let failures = 0

process.on('message', (command: { readonly open?: Calling }) => {
  if (command.open) command.open.accounts.forEach((_, i) => void callOn(command.open as Calling, i))
  process.send?.({ ok: true, honest: look() })
})
process.on('disconnect', () => process.exit(0))

function look(): HonestCalls {
  const all = Float64Array.from(waits)
  const found = { calls: all.length, failures, p50: 0, p99: 0, longestMs: 0 }
  if (all.length > 0)
    Object.assign(found, { p50: percentile(all, 0.5), p99: percentile(all, 0.99), longestMs: all.at(-1) })
  waits = []
  failures = 0
  return found
}

async function callOn({ port, accounts, channelName }: Calling, number: number): Promise<never> {
  const account = accounts[number]
  if (!account) throw new Error(`there is no client ${number}`)
  const client = new Client(port, `127.0.3.${number + 1}`, account)
  const calls = [
    () =>
      client.form('POST', '/messages', { type: 'channel', to: channelName, topic: 'honest', content: 'Good morning' }),
    () =>
      client.call(
        'GET',
        '/messages?anchor=newest&num_before=30&num_after=0&narrow=%5B%5B%22topic%22%2C%22honest%22%5D%5D',
        '',
      ),
    () => client.call('GET', '/users/me', ''),
  ]
  for (let turn = number; ; turn++) {
    const begin = performance.now()
    try {
      const answer = await calls[turn % calls.length]?.()
      if (answer?.status !== 200) failures++
    } catch {
      failures++
    }
    const waited = performance.now() - begin
    waits.push(waited)
    await sleep(Math.max(0, everyMs - waited))
  }
}
