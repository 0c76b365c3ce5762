import t from 'tap'
import { devicesOf } from '../../server/store/push/devices.js'
import { Person, withPresentKey } from '../support/people.js'
import { Receiver } from '../support/push-service.js'
import { startServer, testOrganization } from '../support/server.js'
import { startWorker } from './support/killable-worker.js'
import { killedAt } from './support/killed-at.js'

t.test('a worker is killed while it replaces an API key', async t => {
  const organization = await testOrganization(t)
  const { sql } = organization
  const bystander = await startServer(t, {}, organization)
  const person = await bystander.person()
  const { id, email, api_key, full_name } = person
  await person.ok('POST', '/users/me/push_devices', new Receiver().device('https://push.example/phone'))
  const path = '/users/me/api_key/regenerate'

  const worker = await startWorker(t, organization)
  const there = new Person(id, email, api_key, { url: worker.url, full_name })
  await killedAt(organization, worker, 'outbox', () => there.post(path))
  t.match(await person.get('/users/me'), { status: 200 }, 'the former key counts')
  t.equal((await devicesOf(sql, id)).length, 1, 'and so does the device of a program that has it')

  const { api_key: next } = await person.ok('POST', path)
  t.match(await person.get('/users/me'), { status: 401 })
  const present = await withPresentKey(sql, person)
  t.equal(present.api_key, next)
  t.match(await present.get('/users/me'), { status: 200 })
  t.same(await devicesOf(sql, id), [])
})
