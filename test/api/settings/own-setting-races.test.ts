// Changes of a user's own row that meet others: of the same user at another worker, of an administrator, of a connection that ends.
import t from 'tap'
import { bumpVersion } from '../../../server/store/organization/organization.js'
import { until } from '../../http/until.js'
import { Listener } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'
import { overtaken } from '../../support/races.js'
import { startServer } from '../../support/server.js'
import { people } from '../messages/scene.js'

const server = await startServer(t)
const { ctx, sql } = server
const second = await startServer(t, {}, server.organization)

async function stored({ id }: Person): Promise<Record<string, unknown>> {
  const [row] = await sql<{ settings: Record<string, unknown> }[]>`select settings from users where id = ${id}`
  return row?.settings ?? {}
}

t.test('one setting changed at two workers at once: the last event shows what is stored', async t => {
  const [person] = await people(server, 1)
  const ear = await Listener.start([ctx, second.ctx], person)
  for (let round = 0; round < 4; round++) {
    // None is the default: such a change would have no event.
    const sizes = [12, 14, 18, 20]
    await Promise.all(
      sizes.map((size, i) =>
        (i % 2 ? person : second.api(person)).ok('PATCH', '/settings', { web_font_size_px: size + (round % 2) }),
      ),
    )
    const events = await ear.inStep(t)
    t.equal(events.length, sizes.length)
    const { web_font_size_px } = await stored(person)
    t.equal(events.at(-1)?.value, web_font_size_px)
    for (const worker of [ctx, second.ctx]) {
      await worker.directory.fresh()
      t.equal(worker.directory.users.get(person.id)?.settings.web_font_size_px, web_font_size_px)
    }
  }
})

t.test('different settings changed at two workers at once are all kept', async t => {
  const [person] = await people(server, 1)
  for (const isOn of [true, false]) {
    const changes = {
      enter_sends: isOn,
      translate_emoticons: isOn,
      starred_message_counts: isOn,
      high_contrast_mode: isOn,
    }
    await Promise.all(
      Object.entries(changes).map(([name, value], i) =>
        (i % 2 ? person : second.api(person)).ok('PATCH', '/settings', { [name]: value }),
      ),
    )
    t.match(await person.ok('POST', '/register', { fetch_event_types: ['user_settings'] }), { user_settings: changes })
  }
})

t.test('the same user muted at two workers at once is one change', async t => {
  const [person, other] = await people(server, 2)
  const ear = await Listener.start([ctx, second.ctx], person)
  const path = `/users/me/muted_users/${other.id}`
  const all = async (method: 'post' | 'delete') =>
    (await Promise.all([0, 1, 2, 3].map(i => (i % 2 ? person : second.api(person))[method](path))))
      .map(({ status }) => status)
      .sort()
  t.same(await all('post'), [200, 400, 400, 400])
  t.same(await all('delete'), [200, 400, 400, 400])
  t.same(
    (await ear.inStep(t)).map(({ muted_users }) => muted_users?.length),
    [1, 0],
  )
})

t.test('an account that is deactivated meanwhile changes nothing', async t => {
  const [person] = await people(server, 1)
  const answer = await overtaken(server, {
    first: tx => bumpVersion(tx),
    request: () => person.patch('/settings', { enter_sends: true }),
    meanwhile: async tx => {
      const version = await bumpVersion(tx)
      await tx`update users set is_active = false, version = ${version} where id = ${person.id}`
    },
  })
  t.equal(answer.status, 401)
  t.same(await stored(person), {})
})

const locks = {
  'the organization': 'select from organization for no key update',
  'the row of the user': 'select from users for no key update',
  'the row of its event': 'lock table outbox in access exclusive mode',
}

for (const [what, lock] of Object.entries(locks)) {
  t.test(`a connection that ends while a change waits for ${what}`, async t => {
    // The driver may give the connection to a later statement, too, before it knows of the end.
    const worker = await startServer(t, {}, server.organization)
    const [person] = await people(server, 1)
    const ear = await Listener.start(ctx, person)
    let isAnswered = false
    const answer = await overtaken(server, {
      first: tx => tx.unsafe(lock),
      request: () =>
        worker
          .api(person)
          .patch('/settings', { enter_sends: true })
          .finally(() => {
            isAnswered = true
          }),
      // The first that waits may be a job of the server.
      meanwhile: () =>
        until(async () => {
          await sql`
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`
          return isAnswered
        }),
    })
    t.equal(answer.status, 503)
    t.same(await stored(person), {})
    t.same(await ear.events(t), [], 'no event without its change')
    t.equal(worker.ctx.directory.users.get(person.id)?.settings.enter_sends, undefined)
    await person.ok('PATCH', '/settings', { enter_sends: true })
    t.match(await ear.inStep(t), [{ type: 'user_settings', property: 'enter_sends', value: true }])
  })
}
