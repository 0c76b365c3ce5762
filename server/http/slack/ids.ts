import { organizationId } from '../../presenters/called-bot.js'
import { SlackError } from './slack-error.js'

// From this server's ids to those of Slack and back (docs/protocol/slack.md#correspondences).

export const teamId = `T${organizationId}`
export const userIdOf = (id: number): string => `U${id}`
export const botIdOf = (id: number): string => `B${id}`
export const channelIdOf = (id: number): string => `C${id}`

/** A channel, or the participants of a conversation without the caller. */
export type Place = { readonly channelId: number } | { readonly people: readonly number[] }

/** The id of a place: of a channel, of a conversation with one person, or with more. */
export function placeId(place: Place): string {
  if ('channelId' in place) return channelIdOf(place.channelId)
  const sorted = [...place.people].sort((a, b) => a - b)
  return sorted.length === 1 ? `D${sorted[0]}` : `G${sorted.join('U')}`
}

// An id of an account or a channel is an integer of PostgreSQL.
const number = '[1-9]\\d{0,8}'
const channelPattern = new RegExp(`^C(${number})$`)
const personPattern = new RegExp(`^[DU](${number})$`)
const groupPattern = new RegExp(`^G(${number}(?:U${number}){1,499})$`)

/** Undefined: it is no id of a place. The id of a user means the conversation with it. */
export function placeOf(id: string): Place | undefined {
  const channel = channelPattern.exec(id)?.[1]
  if (channel !== undefined) return { channelId: Number(channel) }
  const people = personPattern.exec(id)?.[1] ?? groupPattern.exec(id)?.[1]
  return people === undefined ? undefined : { people: people.split('U').map(Number) }
}

const userPattern = new RegExp(`^[UB](${number})$`)

/** Undefined: it is no id of a user. */
export function userOf(id: string): number | undefined {
  const found = userPattern.exec(id)?.[1]
  return found === undefined ? undefined : Number(found)
}

/** @throws {SlackError} */
export function requiredUser(id: string): number {
  const found = userOf(id)
  if (found === undefined) throw new SlackError('user_not_found')
  return found
}

/** Digits of a time behind its point. More would be lost in programs that read times as numbers. */
export const idsOfSecond = 1_000_000

/** The time that identifies a message. */
export const tsOf = ({ id, timestamp }: { readonly id: number; readonly timestamp: number }): string =>
  `${timestamp}.${String(id % idsOfSecond).padStart(6, '0')}`

/** A time as Slack writes it. */
export interface Ts {
  readonly seconds: number
  /** The last six digits of the message's id. */
  readonly rest: number
}

/** Undefined: it is no time. Digits may lack. */
export function readTs(text: string): Ts | undefined {
  const [, seconds, rest = ''] = /^(\d{1,10})(?:\.(\d{0,6}))?$/.exec(text) ?? []
  return seconds === undefined ? undefined : { seconds: Number(seconds), rest: Number(rest.padEnd(6, '0')) }
}
