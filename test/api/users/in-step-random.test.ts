// The replay law for random changes of roles, subscriptions and accounts.
import fc from 'fast-check'
import t from 'tap'
import { type Asserts, Listener } from '../../support/in-step.js'
import { limitGuests, setOrganization } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const { sql, ctx } = server
const owner = await server.person({ role: 100 })

/** Throws instead of reporting a failure, because fast-check shrinks a case that throws. */
const strict: Asserts = {
  same(found, wanted, message) {
    const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)]
    if (one === other) return
    const at = [...one].findIndex((letter, i) => letter !== other[i])
    const near = (text: string) => text.slice(Math.max(0, at - 150), at + 150)
    throw new Error(`${message}\nfound:  …${near(one)}\nwanted: …${near(other)}`)
  },
}

let named = 0

class World {
  readonly people: Person[] = []
  readonly channels: string[] = []
  private readonly gone = new Set<Person>()
  private listeners: Listener[] = []

  static async start(): Promise<World> {
    const world = new World()
    for (const role of [200, 400, 600, 600] as const) world.people.push(await server.person({ role }))
    for (const invite_only of [false, true]) {
      const name = `channel ${++named}`
      world.channels.push(name)
      await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], invite_only })
    }
    for (const person of [owner, ...world.people]) world.listeners.push(await Listener.start(ctx, person))
    return world
  }

  person = (i: number): Person => this.people[i] as Person
  isGone = (i: number): boolean => this.gone.has(this.person(i))

  async deactivate(i: number): Promise<void> {
    await owner.ok('DELETE', `/users/${this.person(i).id}`)
    this.gone.add(this.person(i))
    this.listeners = this.listeners.filter(listener => listener.person !== this.person(i))
  }

  async check(what: string): Promise<void> {
    for (const listener of this.listeners) {
      try {
        await listener.inStep(strict)
      } catch (error) {
        throw new Error(`after ${what}, client of ${listener.person.id}: ${(error as Error).message}`)
      }
    }
  }
}

type Step = readonly [string, (world: World) => Promise<unknown>]
const anybody = fc.nat({ max: 3 })
const anyChannel = fc.nat({ max: 1 })

const steps = fc.oneof(
  fc
    .tuple(anybody, fc.constantFrom(300, 400, 600))
    .map<Step>(([i, role]) => [
      `${i} gets role ${role}`,
      world => owner.ok('PATCH', `/users/${world.person(i).id}`, { role }),
    ]),
  fc.tuple(anybody, anyChannel).map<Step>(([i, channel]) => [
    `${i} joins ${channel}`,
    async world => {
      if (world.isGone(i)) return
      const subscriptions = [{ name: world.channels[channel] }]
      await owner.ok('POST', '/users/me/subscriptions', { subscriptions, principals: [world.person(i).id] })
    },
  ]),
  fc.tuple(anybody, anyChannel).map<Step>(([i, channel]) => [
    `${i} leaves ${channel}`,
    async world => {
      if (world.isGone(i)) return
      const params = { subscriptions: [world.channels[channel]], principals: [world.person(i).id] }
      await owner.ok('DELETE', '/users/me/subscriptions', params)
    },
  ]),
  fc.tuple(anybody, anybody).map<Step>(([i, j]) => [
    `${i} writes to ${j}`,
    async world => {
      if (world.isGone(i) || world.isGone(j)) return
      // Refused if a guest may not know the other user.
      await world.person(i).post('/messages', { type: 'direct', to: [world.person(j).id], content: 'x' })
    },
  ]),
  anybody.map<Step>(i => [
    `${i} is renamed`,
    world => owner.ok('PATCH', `/users/${world.person(i).id}`, { full_name: `Name ${++named}` }),
  ]),
  anybody.map<Step>(i => [
    `${i} is deactivated`,
    async world => {
      if (!world.isGone(i)) await world.deactivate(i)
    },
  ]),
)

for (const isLimited of [true, false]) {
  t.test(
    `each client is in step ${isLimited ? 'where guests see only some users' : 'where all users see each other'}`,
    async t => {
      if (isLimited) await limitGuests(sql)
      else await setOrganization(sql, { can_access_all_users_group: null })
      const run = fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 6 }), async steps => {
        const world = await World.start()
        for (const [what, step] of steps) {
          await step(world)
          await world.check(`${what} (${steps.map(([name]) => name).join(', ')})`)
        }
      })
      await t.resolves(fc.assert(run, { numRuns: 2, seed: 20_260_101, endOnFailure: true }))
    },
  )
}
