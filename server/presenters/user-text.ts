import { deliveryEmailFor } from '../policies/users.js'
import type { UserRow } from '../store/users/users.js'
import { type UserObjectOptions, unknownUser, userObjectWith } from './user-object.js'

// A cache of derived values: a row object is replaced when the row changes, and its entry is collected with it.
const textsOfRow = new WeakMap<UserRow, Map<number, string>>()

/** A user object as JSON text, as the viewer (null: a spectator) may see it; encoded once per form. */
export function userText(user: UserRow, viewer: UserRow | null, options: UserObjectOptions): string {
  const deliveryEmail = deliveryEmailFor(viewer, user)
  const form = formOf(deliveryEmail !== null, viewer === null, options)
  return once(user, form, () => userObjectWith(user, deliveryEmail, viewer === null, options))
}

/** The placeholder of a user that the viewer may not see, as JSON text. */
export function unknownUserText(user: UserRow, options: UserObjectOptions): string {
  return once(user, formOf(false, false, options) | placeholder, () => unknownUser(user.id, options))
}

function once(user: UserRow, form: number, make: () => unknown): string {
  let texts = textsOfRow.get(user)
  if (!texts) {
    texts = new Map()
    textsOfRow.set(user, texts)
  }
  let text = texts.get(form)
  if (text === undefined) {
    text = JSON.stringify(make())
    texts.set(form, text)
  }
  return text
}

const placeholder = 32

/** All inputs of a user's text beside its row, as bits. */
export function formOf(showsEmail: boolean, forSpectator: boolean, options: UserObjectOptions): number {
  return (
    (showsEmail ? 1 : 0) |
    (forSpectator ? 2 : 0) |
    (options.clientGravatar ? 4 : 0) |
    (options.profileData ? 8 : 0) |
    (options.isActive ? 16 : 0)
  )
}
