import type { ById, Channel, ClientState } from './client-state.js'

export const subscriptionLists = ['subscriptions', 'unsubscribed', 'never_subscribed'] as const
export const channelLists = ['streams', ...subscriptionLists] as const

type ListName = (typeof channelLists)[number]

/** The channels of a list; undefined if the client did not request it. */
export const channelsIn = (state: ClientState, name: ListName): ById<Channel> | undefined => state[name]

/** Every entry of the channel in the state. */
export const entriesOf = (state: ClientState, id: number, names: readonly ListName[] = channelLists): Channel[] =>
  names.flatMap(name => channelsIn(state, name)?.[id] ?? [])

/** Removes the channel from the lists and returns its entry. */
export function takeOut(state: ClientState, id: number, names: readonly ListName[]): Channel | undefined {
  const [taken] = entriesOf(state, id, names)
  for (const name of names) delete channelsIn(state, name)?.[id]
  return taken
}

/**
 * Whether this client requested subscribers; if so, every entry has them. Without any entry the answer is true:
 * subscribers in a list that the client does not read do no harm.
 */
export function knowsSubscribers(state: ClientState): boolean {
  for (const name of subscriptionLists) {
    const channels = channelsIn(state, name)
    for (const id in channels) {
      const entry = channels[Number(id)]
      return entry?.subscribers !== undefined || entry?.partial_subscribers !== undefined
    }
  }
  return true
}
