import type { Account } from '../lib/load-protocol.js'
import { makeChannel } from '../lib/people.js'
import type { RealServer } from '../lib/real-server.js'
import { asks, type LoadRequest, type RequestLoad } from '../lib/request-load.js'
import { messageTo } from '../send/send.js'

export const kinds = ['send', 'react', 'read', 'narrow', 'edit'] as const
export type Kind = (typeof kinds)[number]

/** The requests of one kind of write, each with an effect. */
export interface Write {
  readonly requests: readonly LoadRequest[]
  /** All requests take the effect of those away, so that these can be sent again: a run sends each once. Otherwise the requests are a cycle. */
  readonly undo?: readonly LoadRequest[]
}

/** As in `send`. */
export const textLength = 594
const topics = 20
const perTopic = 100
// Messages that are reacted to, and that are marked one by one.
const some = 50
// Requests in flight of what is not measured.
const together = 16

/** A channel of `writers` and `readers` with 2,000 messages of the writers, and the writes there. They have no queues. */
export async function makeWrites(
  server: RealServer,
  load: RequestLoad,
  { owner, writers, readers }: { owner: Account; writers: readonly Account[]; readers: readonly Account[] },
): Promise<Record<Kind, Write>> {
  const channel = await makeChannel(server, owner, 'writes', [...writers, ...readers])
  const { port } = server
  const sent = Array.from({ length: topics * perTopic }, (_, i) => {
    const { params, ...request } = messageTo(channel, writers[i % writers.length] as Account, textLength)
    return { ...request, params: { ...params, topic: `topic ${i % topics}` } }
  })
  await load.ask({ port, requests: sent, inFlight: together, count: sent.length })
  const page = { anchor: 'newest', num_before: sent.length, num_after: 0, narrow: [['channel', String(channel)]] }
  const { messages } = await server.api.call(owner, 'GET', '/messages', page)
  const found = messages as { readonly id: number; readonly sender_id: number }[]
  const authors = new Map(writers.map(who => [who.id, who]))

  const ofReaders = <Of>(things: readonly Of[], request: (who: Account, thing: Of) => LoadRequest) =>
    things.flatMap(thing => readers.map(who => request(who, thing)))
  const first = found.slice(0, some).map(({ id }) => id)
  const reactions = (method: 'POST' | 'DELETE') =>
    ofReaders(first, (who, id) => asks(method, `/messages/${id}/reactions`, who, { emoji_name: 'tada' }))
  const marks = (op: string) =>
    ofReaders(first, (who, id) => asks('POST', '/messages/flags', who, { messages: `[${id}]`, op, flag: 'read' }))
  const narrows = (op: string) =>
    ofReaders([...Array(topics).keys()], (who, topic) => {
      const narrow = JSON.stringify([
        ['channel', String(channel)],
        ['topic', `topic ${topic}`],
      ])
      const place = { anchor: 'newest', num_before: String(perTopic), num_after: '0', narrow }
      return asks('POST', '/messages/flags/narrow', who, { ...place, op, flag: 'read' })
    })
  return {
    send: { requests: writers.map(who => messageTo(channel, who, textLength)) },
    react: { requests: [...reactions('POST'), ...reactions('DELETE')] },
    read: { requests: marks('add'), undo: marks('remove') },
    narrow: { requests: narrows('add'), undo: narrows('remove') },
    edit: {
      requests: found.map(({ id, sender_id }) => {
        const { params } = messageTo(channel, owner, textLength)
        return asks('PATCH', `/messages/${id}`, authors.get(sender_id) as Account, { content: params.content ?? '' })
      }),
    },
  }
}
