import { type Place, peopleOf } from '../../../shared/resources/place.js'

/** The fragment that opens a conversation at a message, in the form of links in messages (server/text/hash-links.ts). */
export function linkToMessage(place: Place, id: number): string {
  if ('direct' in place) return `narrow/dm/${peopleOf(place.direct).join()}/near/${id}`
  const topic = encodeURIComponent(place.topic).replaceAll('.', '%2E').replaceAll('%', '.')
  return `narrow/channel/${place.channelId}/topic/${topic}/near/${id}`
}
