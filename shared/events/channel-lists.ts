/** A channel as it stands in one of the lists of a register answer. */
export type ListedChannel = Record<string, unknown> & { stream_id: number; name: string }

export type State = Record<string, unknown>

export const subscriptionLists = ['subscriptions', 'unsubscribed', 'never_subscribed'] as const
export const channelLists = ['streams', ...subscriptionLists] as const

export type ListName = (typeof channelLists)[number]

export const listOf = (state: State, name: ListName): ListedChannel[] | undefined =>
  state[name] as ListedChannel[] | undefined

/** Every place where the state tells of the channel. */
export function entriesOf(state: State, streamId: number, names: readonly ListName[] = channelLists): ListedChannel[] {
  return names.flatMap(name => listOf(state, name)?.filter(channel => channel.stream_id === streamId) ?? [])
}

/** Takes the channel out of the lists and returns what stood there. */
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
 * Whether this client asked for subscribers at all: then every entry has them. Where there is no entry that could show
 * it, they are kept: a list that nobody looks at does no harm.
 */
export function knowsSubscribers(state: State): boolean {
  const [entry] = subscriptionLists.flatMap(name => listOf(state, name)?.slice(0, 1) ?? [])
  return !entry || 'subscribers' in entry || 'partial_subscribers' in entry
}
