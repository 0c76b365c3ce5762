import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import type { PrintedResult } from '../../../bench/lib/result.js'

const program = fileURLToPath(new URL('../../../bench/main.js', import.meta.url))
const options = { skip: process.platform !== 'linux' && 'needs Linux' }

/** The output of a scenario, which starts its own server and databases. */
async function bench(t: Test, ...args: string[]): Promise<PrintedResult> {
  const child = spawn(process.execPath, [program, ...args, '--json'], { stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => child.kill('SIGTERM'))
  let [output, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(errors)
  return JSON.parse(output) as PrintedResult
}

t.test('a small fan-out has a result', options, async t => {
  // Runs of different lengths: each must find the floor at its first frame.
  const result = await bench(t, ...'fanout --queues 20 --deliveries 400 --paced 8 --rounds 1'.split(' '))
  t.match(result, { scenario: 'fanout', question: String, machine: { cores: Number } })
  t.ok(result.tables.length > 0)
})

t.test('a short soak finds everything in order, and nothing left behind', options, async t => {
  const args = '--minutes 0.15 --rate 10 --readers 20 --idle 5 --flood 20 --patience 60'.split(' ')
  const { targets, tables } = await bench(t, 'soak', ...args)
  t.same(
    targets.map(({ what, found }) => [what, found]),
    ['queues', 'logs of queues', 'outbox rows'].map(what => [`${what} left when all have gone`, 0]),
  )
  const counts = new Map(tables.at(-1)?.rows.map(([name, times]) => [name, Number(times)]))
  for (const what of ['did: messages', 'received: message', 'polls answered', 'connections broken', 'queues deleted']) {
    t.ok(Number(counts.get(what)) > 0, what)
  }
})
