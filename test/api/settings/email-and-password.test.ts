import t from 'tap'
import { hashPassword } from '../../../server/auth/passwords.js'
import { Listener, type Loose } from '../../support/in-step.js'
import { limitGuests } from '../../support/organization.js'
import { startServer } from '../../support/server.js'

const path = '/settings'

t.test(
  'users who no longer see an address, or see it now, are notified; all users if the address of the API changed',
  async t => {
    const server = await startServer(t)
    await limitGuests(server.sql)
    const person = await server.person()
    const roles = [200, 300, 400, 600] as const
    const people = await Promise.all(roles.map(role => server.person({ role })))
    const guest = people[3] as (typeof people)[0]
    const stranger = await server.person({ role: 600 })
    const bot = await server.person({ bot_type: 1 })
    const principals = [person.id, guest.id]
    await person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'us' }], principals })
    // Only the fields that can change, because the whole state takes long.
    const fetch_event_types = ['realm_user', 'user_settings']
    const asked = { fetch_event_types, event_types: [...fetch_event_types, 'default_streams'] }
    const listen = (one: typeof person) => Listener.start(server.ctx, one, asked)
    const [own, apart] = [await listen(person), await listen(stranger)]
    const others = await Promise.all([...people, bot].map(listen))
    const dummy = `user${person.id}@127.0.0.1`

    /** The address that each reader received: the real one, null, or none. */
    const change = async (email_address_visibility: number) => {
      await person.ok('PATCH', path, { email_address_visibility })
      const told = await Promise.all(others.map(async listener => peopleOf(await listener.inStep(t))))
      t.match(await own.inStep(t), [{ type: 'user_settings', property: 'email_address_visibility' }])
      t.same(await apart.inStep(t), [], 'who does not know the user is told nothing')
      return told.map(changes => ({
        delivery_email: changes.find(one => 'delivery_email' in one)?.delivery_email,
        new_email: changes.find(one => 'new_email' in one)?.new_email,
      }))
    }
    const real = person.email
    const none = undefined
    // To administrators, moderators, members, guests, bots (which are members).
    const from = async (visibility: number, emails: unknown[], new_email?: string) =>
      t.same(
        await change(visibility),
        emails.map(delivery_email => ({ delivery_email, new_email })),
        String(visibility),
      )
    await from(2, [none, none, none, null, none], dummy)
    await from(3, [none, null, null, none, null])
    await from(5, [none, real, none, none, none])
    await from(4, [null, null, none, none, none])
    await from(1, [real, real, real, real, real], real)
    await from(4, [null, null, null, null, null], dummy)
    await from(2, [real, real, real, none, real])
  },
)

t.test('a password is changed with the former one', async t => {
  const server = await startServer(t)
  const person = await server.person()
  const first = 'open sesame, please'
  await server.sql`update users set password_hash = ${await hashPassword(first)} where id = ${person.id}`
  const signIn = async (password: string) =>
    (await server.api(null).post('/fetch_api_key', { username: person.email, password })).status
  const next = 'seven tall wooden boats'
  t.match(await person.patch(path, { old_password: 'no', new_password: next, enter_sends: true }), badRequest)
  t.match(await person.patch(path, { new_password: next }), badRequest, 'without the former one')
  for (const weak of ['', 'x7#fQ', 'password', 'abcabcabc', 'aaaaaaaaaaaa', person.email, 'y'.repeat(101)]) {
    t.match(await person.patch(path, { old_password: first, new_password: weak }), badRequest, weak)
  }
  const tooLong = await person.patch(path, { old_password: 'no', new_password: 'y'.repeat(101) })
  t.equal(tooLong.body.msg, 'New password is too long!', 'before the former one is verified')
  t.match(await person.patch(path, { old_password: first, new_password: next, full_name: 'x' }), badRequest)
  await person.ok('PATCH', path, { old_password: 'alone it says nothing' })
  t.equal(await signIn(first), 200, 'nothing of this changed it')
  await person.ok('PATCH', path, { old_password: first, new_password: next })
  t.same([await signIn(first), await signIn(next)], [401, 200])

  const answers = await Promise.all(
    ['one more good phrase', 'another such phrase'].map(new_password =>
      person.patch(path, { old_password: next, new_password }),
    ),
  )
  t.same(answers.map(answer => answer.status).sort(), [200, 400], 'of two at once one was right')
  for (let i = 0; i < 5; i++) await person.patch(path, { old_password: 'guess', new_password: next })
  const tired = await person.patch(path, { old_password: 'guess', new_password: next })
  t.match(tired, { status: 429, body: { code: 'RATE_LIMIT_HIT', 'retry-after': Number } })
  const bare = await server.person()
  t.match(
    await bare.patch(path, { old_password: '', new_password: next }),
    badRequest,
    'who has none has none to change',
  )
})

const badRequest = { status: 400, body: { code: 'BAD_REQUEST' } }

const peopleOf = (events: readonly Loose[]): Loose[] =>
  events.filter(event => event.type === 'realm_user').map(event => event.person)
