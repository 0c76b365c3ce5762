import type { Derived } from '../memory/derived.js'
import type { Directory } from '../memory/directory.js'
import { deliveryEmailFor } from '../policies/users.js'
import type { UserRow } from '../store/users/users.js'
import { type UserObjectOptions, unknownUser, userObjectWith } from './user-object.js'

/** A user object as JSON text, as the viewer (null: a spectator) may see it; encoded once per form. */
export function userText(
  { ofRows }: Directory,
  user: UserRow,
  viewer: UserRow | null,
  options: UserObjectOptions,
): string {
  const deliveryEmail = deliveryEmailFor(viewer, user)
  const form = formOf(deliveryEmail !== null, viewer === null, options)
  return once(ofRows, user, form, () => userObjectWith(user, deliveryEmail, viewer === null, options))
}

/** The placeholder of a user that the viewer may not see, as JSON text. */
export function unknownUserText({ ofRows }: Directory, user: UserRow, options: UserObjectOptions): string {
  return once(ofRows, user, formOf(false, false, options) | placeholder, () => unknownUser(user.id, options))
}

function once(ofRows: Derived, user: UserRow, form: number, make: () => unknown): string {
  const texts = ofRows.of(user, textsByForm)
  let text = texts.get(form)
  if (text === undefined) {
    text = JSON.stringify(make())
    texts.set(form, text)
  }
  return text
}

const textsByForm = (): Map<number, string> => new Map()

const placeholder = 32

/** All inputs of a user's text beside its row, as bits. */
export function formOf(showsEmail: boolean, forSpectator: boolean, options: UserObjectOptions): number {
  return (
    (showsEmail ? 1 : 0) |
    (forSpectator ? 2 : 0) |
    (options.clientGravatar ? 4 : 0) |
    (options.profileData ? 8 : 0) |
    (options.isActive ? 16 : 0) |
    (options.onlyUploaded ? 64 : 0)
  )
}
