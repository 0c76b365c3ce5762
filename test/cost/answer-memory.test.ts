// Readers of the largest possible messages, stored before their HTML had a budget: the worker's memory stays small.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { workersOf } from '../faults/support/workers.js'
import { basic } from '../support/http.js'
import { spawnServer } from '../support/server.js'

const mostMegabytes = 512
const readers = 20

/** The peak memory of a process in MB. */
function peakMegabytes(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

t.test('many reads of many large messages at once end neither the worker nor the room in its memory', async t => {
  if (process.platform !== 'linux') return t.pass('the peak of a process is read from /proc')
  const server = await spawnServer(t)
  const person = await server.person()
  const { id } = await person.ok('POST', '/messages', { type: 'direct', to: [person.id], content: 'x' })
  const html = '<span aria-label="a" class="emoji">🅰</span>'
  await server.sql`
    insert into messages (sender_id, conversation_id, content, rendered_content, renderer_version)
    select sender_id, conversation_id, repeat('🅰', 10000), repeat(${html}, 9000), 1
    from messages, generate_series(1, 300) where id = ${id}`
  const [worker = 0] = workersOf(server.process.pid)
  const read = async () => {
    const url = `${server.url}/api/v1/messages?anchor=newest&num_before=1400`
    const answer = await fetch(url, { headers: { Authorization: basic(person) } })
    return { status: answer.status, bytes: (await answer.arrayBuffer()).byteLength }
  }
  for (const { status, bytes } of await Promise.all(Array.from({ length: readers }, read))) {
    t.equal(status, 200)
    t.ok(bytes < 8_000_000, `${bytes} bytes`)
  }
  t.same(workersOf(server.process.pid), [worker], 'the worker lives')
  const peak = peakMegabytes(worker)
  t.ok(peak < mostMegabytes, `${Math.round(peak)} MB`)
  t.comment(`${Math.round(peak)} MB`)
})
