import type { Account } from '../lib/load-protocol.js'
import type { Api } from './api.js'
import { Membership } from './membership.js'

export interface SoakChannel {
  readonly id: number
  readonly name: string
  readonly members: Membership
}

/** Who is there and which channels they are in. */
export interface World {
  readonly owner: Account
  readonly people: readonly Account[]
  /** People who read nothing but the flood, and that slowly. */
  readonly slow: readonly Account[]
  /** Private ones, each with two thirds of the people, so that a leak shows. */
  readonly steady: readonly SoakChannel[]
  /** People come and go. */
  readonly changing: SoakChannel
  /** Only for the slow, and for whoever sends there. */
  readonly flood: SoakChannel
}

const steadyChannels = 4

/** Everything through the API, but the accounts. */
export async function makeWorld(api: Api, [owner, ...others]: readonly Account[], slowCount: number): Promise<World> {
  if (!owner) throw new Error('there is nobody')
  const [slow, people] = [others.slice(0, slowCount), others.slice(slowCount)]
  const make = async (name: string, members: readonly Account[], isPrivate: boolean): Promise<SoakChannel> => {
    await api.call(owner, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: [owner, ...members].map(({ id }) => id),
      invite_only: isPrivate,
    })
    const { stream_id } = await api.call(owner, 'GET', '/get_stream_id', { stream: name })
    return { id: stream_id as number, name, members: new Membership(new Set([owner, ...members].map(({ id }) => id))) }
  }
  const steady: SoakChannel[] = []
  for (let i = 0; i < steadyChannels; i++) {
    const members = people.filter((_, person) => (person + i) % 3 !== 0)
    steady.push(await make(`steady ${i}`, members, true))
  }
  return {
    owner,
    people,
    slow,
    steady,
    changing: await make('changing', [], false),
    flood: await make('flood', slow, true),
  }
}
