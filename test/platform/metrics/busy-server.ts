import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import { upload } from '../../support/files.js'
import { spawnServer } from '../../support/server.js'
import type { Teardown } from '../../support/services.js'
import { scrape, withToken } from './scrape.js'

/** What a server writes at `/metrics` after a few requests of each kind. */
export async function busyServer(t: Teardown): Promise<string> {
  const server = await spawnServer(t, { ...withToken, WORKERS: '2' })
  const person = await server.person({ role: 200 })
  const { queue_id } = await person.ok('POST', '/register', { event_types: ['message'] })
  await person.ok('POST', '/messages', { type: 'direct', to: [person.id], content: 'counted' })
  await person.ok('GET', '/events', { queue_id, last_event_id: -1, dont_block: true })
  // Its notice is a job.
  await person.ok('POST', '/channels/create', { name: 'counted', subscribers: [person.id] })
  await upload(server.url, person, { name: 'a.txt', bytes: 'text' })
  if ((await person.get('/users/1000000')).status !== 400) throw new Error('nothing was refused')
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/v1/socket`, 'chat.v1.json')
  await new Promise(resolve => socket.once('open', resolve))
  // Read from the database every few seconds.
  let { text } = await scrape(server.url)
  const wanted = [/^parley_outbox_rows /m, /^parley_files_bytes\{/m, /^parley_job_duration_seconds_count/m]
  while (!wanted.every(one => one.test(text))) {
    await sleep(200)
    text = (await scrape(server.url)).text
  }
  socket.close()
  return text
}
