import type { HttpClient } from '../lib/http-client.js'
import type { Account } from '../lib/load-protocol.js'
import { Membership } from './membership.js'

export interface SoakChannel {
  readonly id: number
  readonly name: string
  readonly members: Membership
}

/** The users, and the channels that they are subscribed to. */
export interface World {
  readonly owner: Account
  readonly people: readonly Account[]
  /** Users who read only the flood, and slowly. */
  readonly slow: readonly Account[]
  /** Private channels, each with two thirds of the users, so that a leak is detected. */
  readonly steady: readonly SoakChannel[]
  /** Users subscribe and unsubscribe during the soak. */
  readonly changing: SoakChannel
  /** Only for slow users and the sender. */
  readonly flood: SoakChannel
}

const steadyChannels = 4

/** Creates everything through the API, except the accounts. */
export async function makeWorld(
  api: HttpClient,
  [owner, ...others]: readonly Account[],
  slowCount: number,
): Promise<World> {
  if (!owner) throw new Error('the organization has no owner')
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
