/** A channel in one of the lists of a register answer. */
export type ListedChannel = Record<string, unknown> & { stream_id: number; name: string }

export type State = Record<string, unknown>

export const subscriptionLists = ['subscriptions', 'unsubscribed', 'never_subscribed'] as const
export const channelLists = ['streams', ...subscriptionLists] as const

export type ListName = (typeof channelLists)[number]

export const listOf = (state: State, name: ListName): ListedChannel[] | undefined =>
  state[name] as ListedChannel[] | undefined

/** Every entry of the channel in the state. */
export function entriesOf(state: State, streamId: number, names: readonly ListName[] = channelLists): ListedChannel[] {
  return names.flatMap(name => listOf(state, name)?.filter(channel => channel.stream_id === streamId) ?? [])
}

/** Removes the channel from the lists and returns its entry. */
export function takeOut(state: State, streamId: number, names: readonly ListName[]): ListedChannel | undefined {
  let taken: ListedChannel | undefined
  for (const name of names) {
    const list = listOf(state, name)
    const at = list?.findIndex(channel => channel.stream_id === streamId) ?? -1
    if (at >= 0) taken = list?.splice(at, 1)[0]
  }
  return taken
}

/**
 * Whether this client requested subscribers; if so, every entry has them. Without any entry the answer is true:
 * subscribers in a list that the client does not read do no harm.
 */
export function knowsSubscribers(state: State): boolean {
  const [entry] = subscriptionLists.flatMap(name => listOf(state, name)?.slice(0, 1) ?? [])
  return !entry || 'subscribers' in entry || 'partial_subscribers' in entry
}
