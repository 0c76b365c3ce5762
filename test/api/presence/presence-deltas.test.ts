import fc from 'fast-check'
import t from 'tap'
import type { Presence } from '../../../shared/resources/presence.js'
import { limitGuests } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { Time } from './scene.js'

type Presences = Record<string, Presence>

/** A client that requests only changes since its last answer, and merges them. */
class Follower {
  readonly held: Presences = {}
  private lastUpdateId = -1

  constructor(
    private readonly person: Person,
    private readonly status: string,
  ) {}

  /** Whether the received changes are correct. */
  async poll(): Promise<boolean> {
    const params = { status: this.status, last_update_id: this.lastUpdateId }
    const { presences, presence_last_update_id: id } = await this.person.ok('POST', '/users/me/presence', params)
    const isTrue = Object.keys(presences).length > 0 ? id > this.lastUpdateId : id === this.lastUpdateId
    this.lastUpdateId = id
    Object.assign(this.held, presences)
    return isTrue
  }
}

const step = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fc.constantFrom('active', 'idle'), fc.nat(3)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('passes'), fc.constantFrom(1, 30, 56, 90, 201, 5000)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('toggles'), fc.nat(3)) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('polls'), fc.nat(2)) },
)

t.test('who asks only for what is new holds what a full answer shows', async t => {
  const server = await startServer(t)
  const time = new Time(server.ctx)
  await limitGuests(server.sql)
  const people = await Promise.all([0, 1, 2, 3].map(() => server.person()))
  const [known] = people as [Person]
  const guest = await server.person({ role: 600 })
  await known.ok('POST', '/messages', { type: 'direct', to: [guest.id], content: 'You know me.' })
  // They see all users and no user sees them, so that polling changes nothing.
  const quiet = { settings: { presence_enabled: false } }
  const witness = await server.person(quiet)
  const secret = await server.person({ ...quiet, role: 600 })
  await known.ok('POST', '/messages', { type: 'direct', to: [secret.id], content: 'You, too.' })
  const full = async (person: Person): Promise<Presences> =>
    (await person.ok('POST', '/users/me/presence', { status: 'idle', last_update_id: -1 })).presences

  const followed = async (steps: readonly (readonly [string, number])[]): Promise<boolean> => {
    const hidden = new Set<number>()
    const followers = [new Follower(witness, 'idle'), new Follower(secret, 'active'), new Follower(guest, 'active')]
    const isRight = async (follower: Follower | undefined): Promise<boolean> => {
      if (!(await follower?.poll())) return false
      const isLimited = follower !== followers[0]
      const shown = await full(follower === followers[2] ? guest : isLimited ? secret : witness)
      const held = follower?.held ?? {}
      const isComplete = Object.entries(shown).every(([id, one]) => same(held[id], one))
      // Additional entries belong to users who have hidden their presence since.
      const isNotMore = Object.keys(held).every(id => id in shown || hidden.has(Number(id)))
      const mayBeKnown = new Set([known.id, guest.id].map(String))
      return isComplete && isNotMore && (!isLimited || Object.keys(held).every(id => mayBeKnown.has(id)))
    }
    for (const [what, which] of steps) {
      const person = people[which] as Person
      if (what === 'passes') time.pass(which)
      else if (what === 'polls' && !(await isRight(followers[which]))) return false
      else if (what === 'toggles') {
        const presence_enabled = hidden.has(person.id)
        await person.ok('PATCH', '/settings', { presence_enabled })
        if (presence_enabled) hidden.delete(person.id)
        else hidden.add(person.id)
      } else if (what === 'active' || what === 'idle') {
        await person.ok('POST', '/users/me/presence', { status: what, ping_only: true })
      }
    }
    for (const follower of followers) if (!(await isRight(follower))) return false
    for (const id of hidden) {
      await people.find(one => one.id === id)?.ok('PATCH', '/settings', { presence_enabled: true })
    }
    return true
  }
  const sequences = fc.array(step, { minLength: 5, maxLength: 25 })
  await fc.assert(fc.asyncProperty(sequences, followed), { numRuns: 15 })
  t.pass('in fifteen sequences of reports, polls and changes of mind')
})

const same = (left: Presence | undefined, right: Presence): boolean =>
  left?.active_timestamp === right.active_timestamp && left.idle_timestamp === right.idle_timestamp
