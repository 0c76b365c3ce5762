import { landingStep, welcomeStep } from '../../../shared/resources/onboarding-step.js'
import { channelsInOrder, openChannels } from './channels.js'
import type { ChatState } from './chat-state.js'
import type { Narrow } from './narrow.js'
import { isOwner } from './organization-rights.js'
import { personOf } from './people.js'

const youngMs = 14 * 86_400_000

/** `founder`: the owner who came first, in an organization that begins; `newcomer`: a person who came later. */
export type Arrival = 'founder' | 'newcomer'

export type WelcomeStep = 'channel' | 'invite' | 'profile' | 'browse' | 'hello'

/** Whether the inbox welcomes the user. `now` in ms. */
export const welcomeFor = (state: ChatState, now: number): Arrival | undefined =>
  isLeft(state, welcomeStep) ? arrivalOf(state, now) : undefined

/** The first view of all, once: the founder's inbox; for others the channel in which new people are announced, or another first one. */
export function firstView(state: ChatState, now: number): Narrow | undefined {
  const arrival = isLeft(state, landingStep) ? arrivalOf(state, now) : undefined
  if (arrival === 'founder') return { kind: 'inbox' }
  const channelId = arrival && greetingChannel(state)
  return channelId === undefined ? undefined : { kind: 'channel', channelId }
}

const isLeft = (state: ChatState, step: string): boolean => state.onboarding_steps.some(({ name }) => name === step)

function arrivalOf(state: ChatState, now: number): Arrival | undefined {
  const me = personOf(state, state.user_id)
  if (!me || now - Date.parse(me.date_joined) > youngMs) return undefined
  const isFirst = Object.values(state.realm_users).every(one => one.is_bot || one.user_id >= me.user_id)
  return isFirst && isOwner(state) ? 'founder' : 'newcomer'
}

/** Where the user greets, and is greeted. */
export function greetingChannel(state: ChatState): number | undefined {
  const own = channelsInOrder(state)
  const wanted = [state.realm_signup_announcements_stream_id, ...state.realm_default_streams]
  return wanted.find(id => own.includes(id)) ?? own[0]
}

/** What the state does not tell, but the server does. */
interface WelcomeFacts {
  readonly hasInvited: boolean
  readonly hasWritten: boolean
}

/** The steps for the user, with those that are done. */
export function welcomeSteps(
  state: ChatState,
  arrival: Arrival,
  { hasInvited, hasWritten }: WelcomeFacts,
): readonly { readonly step: WelcomeStep; readonly isDone: boolean }[] {
  const isOwnChannel = ({ stream_id }: { readonly stream_id: number }) =>
    !state.realm_default_streams.includes(stream_id)
  const profile = { step: 'profile', isDone: hasProfile(state) } as const
  if (arrival === 'founder') {
    const hasPeople = Object.values(state.realm_users).some(one => !one.is_bot && one.user_id !== state.user_id)
    return [
      { step: 'channel', isDone: openChannels(state).some(isOwnChannel) },
      { step: 'invite', isDone: hasInvited || hasPeople },
      profile,
    ]
  }
  const others = [...Object.values(state.unsubscribed), ...Object.values(state.never_subscribed)]
  const hasFound = Object.values(state.subscriptions).some(isOwnChannel)
  return [
    profile,
    ...(others.some(one => !one.is_archived) || hasFound ? [{ step: 'browse', isDone: hasFound } as const] : []),
    ...(greetingChannel(state) === undefined ? [] : [{ step: 'hello', isDone: hasWritten } as const]),
  ]
}

/** A picture, or a field of the profile. */
function hasProfile(state: ChatState): boolean {
  const me = personOf(state, state.user_id)
  return me?.avatar_url?.includes('/user_avatars/') === true || Object.keys(me?.profile_data ?? {}).length > 0
}
