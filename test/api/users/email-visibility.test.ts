// I2: no answer and no event contains a user's real email for a receiver whose role may not see it.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { Listener, type Loose } from '../../support/in-step.js'
import { setUser } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { createChannel } from './scene.js'

type Role = 100 | 200 | 300 | 400 | 600
type Visibility = 1 | 2 | 3 | 4 | 5

/** The test's own record of each account, deliberately independent of the server's rules. */
interface Account {
  readonly person: Person
  role: Role
  visibility: Visibility
  emails: string[]
}

const server = await startServer(t)
const { sql, ctx } = server
const owner = await server.person({ role: 100 })
await setUser(sql, owner.id, { can_change_user_emails: true, can_create_users: true })

// Lowest role that sees an address, by email_address_visibility (docs/users.md#two-addresses).
const leastRole: Record<Visibility, number> = { 1: 600, 2: 400, 5: 300, 3: 200, 4: 0 }

const maySee = (viewer: { id: number; role: Role }, account: { id: number; visibility: Visibility }): boolean =>
  viewer.id === account.id || viewer.role <= leastRole[account.visibility]

/** The email, and its hash in the address of an avatar, which would reveal it. */
const traces = (email: string): string[] => [email, createHash('md5').update(email.toLowerCase()).digest('hex')]

class World {
  readonly accounts: Account[] = []
  private listeners: Listener[] = []
  private made = 0
  channel = 0

  static async start(cast: readonly [Role, Visibility][]): Promise<World> {
    const world = new World()
    for (const [role, visibility] of cast) {
      const person = await server.person({ role, email_address_visibility: visibility })
      world.accounts.push({ person, role, visibility, emails: [person.email] })
    }
    const ids = world.accounts.map(({ person }) => person.id)
    world.channel = await createChannel(sql, `channel of ${ids.join()}`, ids)
    for (const { person } of world.accounts)
      world.listeners.push(await Listener.start(ctx, person, { client_gravatar: true }))
    return world
  }

  newEmail = () => `secret${this.accounts[0]?.person.id}-${++this.made}@test.example`

  /** Runs an action, then checks all events and all answers that each user can get. */
  async step(work: () => Promise<unknown>): Promise<void> {
    const before = this.accounts.map(account => ({ id: account.person.id, ...account }))
    await work()
    for (const [i, listener] of this.listeners.entries()) {
      const viewer = this.accounts[i] as Account
      const { person } = viewer
      const seen = [await listener.events(), ...(await this.answersFor(person))]
      const text = JSON.stringify(seen).toLowerCase()
      for (const [j, account] of this.accounts.entries()) {
        const was = before[j]
        const id = account.person.id
        const might =
          maySee({ id: person.id, role: viewer.role }, { id, visibility: account.visibility }) ||
          (was && maySee({ id: person.id, role: before[i]?.role ?? viewer.role }, was))
        if (might) continue
        for (const email of account.emails) {
          for (const trace of traces(email)) {
            if (text.includes(trace.toLowerCase()))
              throw new Error(`${person.id} (${viewer.role}) is shown ${trace} of ${id}`)
          }
        }
      }
    }
  }

  private async answersFor(person: Person): Promise<unknown[]> {
    const asked = await Promise.all([
      person.get('/users', { client_gravatar: false, include_custom_profile_fields: true }),
      person.get('/users', { client_gravatar: true }),
      ...this.accounts.map(account => person.get(`/users/user${account.person.id}@${ctx.realmHost}`)),
      ...this.accounts.map(account => person.get(`/users/${account.person.id}`, { client_gravatar: false })),
      person.get('/messages', { anchor: 'newest', num_before: 20, num_after: 0 }),
      person.post('/register', { fetch_event_types: ['realm_user', 'presence', 'realm_bot'], slim_presence: false }),
    ])
    // The answer for a hidden email equals that for an unknown one.
    for (const account of this.accounts) {
      const viewer = this.accounts.find(one => one.person === person) as Account
      const may = maySee(
        { id: person.id, role: viewer.role },
        { id: account.person.id, visibility: account.visibility },
      )
      const { status } = await person.get(`/users/${account.emails.at(-1)}`)
      if ((status === 200) !== may) throw new Error(`${person.id} asks for ${account.emails.at(-1)}: ${status}`)
    }
    return asked.map(answer => answer.body)
  }
}

type Step = (world: World) => Promise<void>
const pick = fc.nat({ max: 3 })
const roles = fc.constantFrom<Role>(200, 300, 400, 600)
const visibilities = fc.constantFrom<Visibility>(1, 2, 3, 4, 5)
const act = (who: Person, method: string, path: string, params: Loose) => who.ok(method, path, params)

const steps: fc.Arbitrary<[string, Step]>[] = [
  fc.tuple(pick, roles).map(([i, role]) => [
    `role of ${i}: ${role}`,
    async world => {
      const account = world.accounts[i] as Account
      if (account.role === 600 && role < 300) await act(owner, 'PATCH', `/users/${account.person.id}`, { role: 400 })
      await act(owner, 'PATCH', `/users/${account.person.id}`, { role })
      account.role = role
    },
  ]),
  pick.map(i => [
    `address of ${i}`,
    async world => {
      const account = world.accounts[i] as Account
      const new_email = world.newEmail()
      account.emails.push(new_email)
      await act(owner, 'PATCH', `/users/${account.person.id}`, { new_email })
      Object.assign(account.person, { who: { email: new_email, api_key: account.person.api_key } })
    },
  ]),
  fc.tuple(pick, visibilities).map(([i, visibility]) => [
    `visibility of ${i}: ${visibility}`,
    async world => {
      const account = world.accounts[i] as Account
      await act(account.person, 'PATCH', '/settings', { email_address_visibility: visibility })
      account.visibility = visibility
    },
  ]),
  pick.map(i => [
    `message of ${i}`,
    async world => {
      const { person } = world.accounts[i] as Account
      const others = world.accounts.map(account => account.person.id)
      await act(person, 'POST', '/messages', { type: 'stream', to: world.channel, topic: 'a', content: 'x' })
      await act(person, 'POST', '/messages', { type: 'direct', to: others, content: 'x' })
      await act(person, 'POST', '/users/me/presence', { status: 'active' })
      await act(person, 'POST', '/typing', { op: 'start', to: others })
    },
  ]),
  pick.map(i => [
    `name of ${i}`,
    async world => {
      const { person } = world.accounts[i] as Account
      await act(owner, 'PATCH', `/users/${person.id}`, {
        full_name: `Renamed ${world.newEmail().replaceAll('@', ' at ')}`,
      })
    },
  ]),
]

t.test('email addresses reach only users who may see them', async t => {
  const cast = fc.tuple(...[100, 200, 400, 600].map(role => visibilities.map(one => [role, one] as [Role, Visibility])))
  const run = fc.asyncProperty(
    cast,
    fc.array(fc.oneof(...steps), { minLength: 3, maxLength: 6 }),
    async (cast, steps) => {
      const world = await World.start(cast)
      for (const [, step] of steps) await world.step(() => step(world))
    },
  )
  await t.resolves(fc.assert(run, { numRuns: 6, seed: 20_260_101, endOnFailure: true }))
})

t.test(
  'after a change of the visibility all users, the account too, get the new address and then the picture',
  async t => {
    const [person, other] = [await server.person({ email_address_visibility: 1 }), await server.person()]
    const ears = await Promise.all([person, other].map(one => Listener.start(ctx, one)))
    await person.ok('PATCH', '/settings', { email_address_visibility: 4 })
    for (const ear of ears) {
      const told = (await ear.inStep(t)).filter(event => event.type === 'realm_user').map(event => event.person)
      const kinds = told.map(one => ['delivery_email', 'new_email', 'avatar_url'].find(name => name in one))
      t.same(kinds, ear === ears[0] ? ['new_email', 'avatar_url'] : ['delivery_email', 'new_email', 'avatar_url'])
    }
  },
)
