import { createEffect, on } from 'solid-js'
import type { UserObject } from '../../../../shared/resources/user.js'
import { personOf } from '../../state/people.js'
import { askInStep } from '../ask-in-step.js'
import type { Chat } from '../chat.js'

/** Fetches the profile of a user, which the page does not have from the start; events keep it in step afterwards. */
export function keepProfile(chat: Chat, userId: () => number): void {
  const missing = () => {
    const person = personOf(chat.state, userId())
    return person && !person.is_bot && !person.profile_data && chat.phase() === 'live' ? person.user_id : undefined
  }
  createEffect(
    on(missing, id => {
      if (id !== undefined) fetchProfile(chat, id).catch(chat.sayFailure)
    }),
  )
}

async function fetchProfile(chat: Chat, id: number): Promise<void> {
  const params = { include_custom_profile_fields: true }
  const answer = await askInStep(chat, 'realm_user', { path: `/users/${id}`, params })
  const { profile_data = {} } = answer.user as UserObject
  chat.change(state => {
    const person = personOf(state, id)
    if (person) person.profile_data = profile_data
  })
}
