import t from 'tap'
import { kinds, Listener } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'

const empty = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
}

t.test('devices are added and removed; only their user gets the events', async t => {
  const server = await startServer(t)
  const people = [await server.person(), await server.person({ role: 200 }), await server.person({ bot_type: 1 })]
  const [person, admin, bot] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]]
  const [listener, bystander, ofBot] = await Promise.all(people.map(one => Listener.start(server.ctx, one)))
  const first = (await person.ok('POST', '/register_client_device')).device_id
  const second = (await person.ok('POST', '/register_client_device')).device_id
  const ofAdmin = (await bot.ok('POST', '/register_client_device')).device_id
  t.equal(new Set([first, second, ofAdmin]).size, 3)
  t.match(await listener?.inStep(t), [
    { type: 'device', op: 'add', device_id: first },
    { type: 'device', op: 'add', device_id: second },
  ])
  const { devices } = await person.ok('POST', '/register', { fetch_event_types: ['device'] })
  t.same(devices, { [first]: empty, [second]: empty })

  const gone = await person.ok('POST', '/remove_client_device', { device_id: first, unheard: 1 })
  t.same(gone.ignored_parameters_unsupported, ['unheard'])
  t.match(await listener?.inStep(t), [{ op: 'remove', device_id: first }])
  t.same(kinds((await ofBot?.inStep(t)) ?? []), ['device/add'], 'a bot has its own')
  t.same(await bystander?.inStep(t), [], 'not even administrators are told')
  t.same((await admin.ok('POST', '/register', { fetch_event_types: ['device'] })).devices, {})
})

t.test('a device that is not there, or not yours, is refused with one answer', async t => {
  const server = await startServer(t)
  const [person, owner] = [await server.person(), await server.person({ role: 100 })]
  const { device_id } = await person.ok('POST', '/register_client_device')
  const remove = (api: typeof person, params: Record<string, unknown>) => api.post('/remove_client_device', params)
  const foreign = await remove(owner, { device_id })
  t.match(foreign, { status: 400, body: { code: 'BAD_REQUEST' } })
  t.same((await remove(owner, { device_id: device_id + 1000 })).body, foreign.body)
  for (const wrong of ['x', -1, 1.5, 2 ** 31, true, [device_id], '']) {
    t.match(await remove(person, { device_id: wrong }), { status: 400, body: { code: 'BAD_REQUEST' } }, String(wrong))
  }
  t.match(await remove(person, {}), { body: { code: 'REQUEST_VARIABLE_MISSING', var_name: 'device_id' } })
  for (const path of ['/register_client_device', '/remove_client_device']) {
    t.match(await server.api(null).post(path, { device_id }), { status: 401, body: { code: 'UNAUTHORIZED' } })
  }
  const race = await Promise.all([1, 2, 3].map(() => remove(person, { device_id })))
  t.same(race.map(answer => answer.status).sort(), [200, 400, 400], 'it is removed once')
})
