import t from 'tap'
import { runAdmin } from '../platform/admin/run-admin.js'
import { Listener } from '../support/in-step.js'
import type { Person } from '../support/people.js'
import { startServer } from '../support/server.js'

const server = await startServer(t)
const run = (...args: string[]) => runAdmin(server.organization, ['profile-field', ...args])

/**
 * Resolves when the user has received this many changes of the fields: a worker publishes a command's events by the
 * outbox sweep.
 */
async function changesTold(person: Person, queue: { queue_id: string; last_event_id: number }, count: number) {
  for (let seen = 0; seen < count; ) {
    const { events } = await person.ok('GET', '/events', { ...queue })
    queue.last_event_id = events.at(-1).id
    seen += events.filter((event: { type: string }) => event.type === 'custom_profile_fields').length
  }
}

t.test('fields are added, listed and removed while people are there', async t => {
  const [person, admin] = [await server.person(), await server.person({ role: 200 })]
  const ear = await Listener.start(server.ctx, person)
  const params = { event_types: ['custom_profile_fields'], fetch_event_types: [] }
  const queue = { queue_id: (await person.ok('POST', '/register', params)).queue_id, last_event_id: -1 }
  const hint = 'With its prefix'
  const added = await run('add', '--type', 'short-text', '--name', 'Phone', '--hint', hint, '--summary', '--json')
  const phone = JSON.parse(added.stdout)
  t.match(phone, {
    id: Number,
    type: 1,
    name: 'Phone',
    hint,
    field_data: '',
    order: 1,
    required: false,
    editable_by_user: true,
    display_in_profile_summary: true,
  })
  const select = ['--type', 'select', '--name', 'Team', '--option', 'Red', '--option', 'Blue']
  t.match((await run('add', ...select, '--required', '--no-editable')).stdout, /^\d+: Team \(List of options\)\n$/)
  const fields = JSON.parse((await run('list', '--json')).stdout)
  t.match(fields, [{ name: 'Phone' }, { name: 'Team', order: 2, required: true, editable_by_user: false }])
  t.same(JSON.parse(fields[1].field_data), { 0: { text: 'Red', order: '1' }, 1: { text: 'Blue', order: '2' } })
  await changesTold(person, queue, 2)
  await ear.inStep(t)

  await admin.ok('PATCH', `/users/${person.id}`, { profile_data: [{ id: phone.id, value: '123' }] })
  t.same((await run('remove', String(phone.id), '--yes')).stdout, `removed ${phone.id}\n`)
  await changesTold(person, queue, 1)
  await ear.inStep(t)
  t.same((await person.ok('GET', '/users/me')).profile_data, {}, 'its values go with it')
})

t.test('an impossible command gets one sentence', async t => {
  const refused: [code: number, ...args: string[]][] = [
    [2, 'add', '--type', 'short-text'],
    [2, 'add', '--type', 'colour', '--name', 'Hue'],
    [1, 'add', '--type', 'date', '--name', 'TEAM'],
    [1, 'remove', '99999', '--yes'],
    [1, 'remove', '1'],
    [2, 'remove', 'one'],
  ]
  for (const [wanted, ...args] of refused) {
    const { code, stdout, stderr } = await run(...args)
    t.equal(code, wanted, args.join(' '))
    t.equal(stdout, '')
    t.match(stderr, /^[^\n]+\n$/)
  }
})
