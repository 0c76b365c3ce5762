import t from 'tap'
import { loggedClient } from '../../support/client-log.js'
import type { Loose } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'
import { runAdmin } from './run-admin.js'

const first = await startServer(t)
const second = await startServer(t, {}, first.organization)
const run = (...args: string[]) => runAdmin(first.organization, ['queue', ...args])
const json = async (...args: string[]): Promise<Loose> => {
  const { code, stdout, stderr } = await run(...args, '--json')
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

t.test('queues of all workers are listed with who reads them, and dropped', async t => {
  const [reader, poller, away] = [await first.person(), await first.person(), await first.person()]
  const { client } = loggedClient(t, { url: second.url, email: reader.email, apiKey: reader.api_key, register: {} })
  const attached = (await client.registered)?.queue_id
  const restarted = new Promise<Loose>(resolve => client.observe('restarted', resolve))
  const { queue_id: polled } = await poller.ok('POST', '/register', { event_types: ['message', 'realm'] })
  const ended = (async () => {
    // A poll ends with a heartbeat, too.
    for (let last_event_id = -1; ; ) {
      const { status, body } = await poller.call('GET', '/events', { queue_id: polled, last_event_id })
      if (status !== 200) return body
      last_event_id = body.events.at(-1).id
    }
  })()
  const { queue_id: left } = await away.ok('POST', '/register', {})
  await away.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'news' }] })

  const { total, queues, silent_workers } = await json('list')
  t.same([total, silent_workers], [3, []])
  t.equal(new Set(queues.map((one: Loose) => one.worker)).size, 2, 'of both workers')
  t.match(
    queues.find((one: Loose) => one.queue_id === attached),
    { user_id: reader.id, email: reader.email, reader: 'socket', idle_seconds: 0, event_types: null },
  )
  t.match(
    queues.find((one: Loose) => one.queue_id === polled),
    { user_id: poller.id, reader: 'poll', event_types: ['message', 'realm'] },
  )
  t.match(await json('show', left), { user_id: away.id, reader: null })
  t.ok((await json('show', left)).waiting > 0)
  t.match(await json('list', '--user', away.email), { total: 1, queues: [{ queue_id: left }] })
  t.match(await json('list', '--unread'), { total: 1, queues: [{ queue_id: left }] })

  t.equal((await run('drop', polled, '--yes')).stdout, `dropped ${polled}\n`)
  t.match(await ended, { code: 'BAD_EVENT_QUEUE_ID', queue_id: polled })
  await json('drop', String(attached), '--yes')
  t.not((await restarted).queue_id, attached, 'its client registers anew')
  t.match(await json('list', '--limit', '1'), { total: 2 })
})

t.test('an impossible command gets one sentence', async t => {
  const refused: [code: number, ...args: string[]][] = [
    [1, 'show', 'absent'],
    [1, 'drop', 'absent', '--yes'],
    [2, 'drop'],
    [1, 'list', '--user', 'nobody@test.example'],
  ]
  for (const [wanted, ...args] of refused) {
    const { code, stdout, stderr } = await run(...args)
    t.equal(code, wanted, args.join(' '))
    t.equal(stdout, '')
    t.match(stderr, /^[^\n]+\n$/)
  }
})
