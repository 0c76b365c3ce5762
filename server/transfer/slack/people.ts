import { firstText, inside, type Loose } from '../loose.js'
import type { Person, SourceBytes } from '../source.js'

/** The id of Slack's own bot, which no list marks as one. */
const systemBot = 'USLACKBOT'

/** An entry of `users.json`; undefined: it has no id. */
export function personOf(user: Loose): Person | undefined {
  const key = firstText(user.id)
  if (key === '') return undefined
  const profile = inside(user.profile)
  const address = firstText(profile.email)
  return {
    key,
    name: firstText(user.real_name, profile.real_name, profile.display_name, user.name, key),
    address: address === '' ? null : address,
    isBot: user.is_bot === true || key === systemBot,
    isActive: user.deleted !== true && user.is_stranger !== true,
    rank: rankOf(user),
    timezone: firstText(user.tz),
    picture: pictureOf(profile),
  }
}

function rankOf(user: Loose): Person['rank'] {
  if (user.is_restricted === true || user.is_ultra_restricted === true) return 'guest'
  return user.is_admin === true || user.is_owner === true || user.is_primary_owner === true ? 'administrator' : 'member'
}

const pictures = ['image_original', 'image_1024', 'image_512', 'image_192', 'image_72']

/** Null: it is drawn from the name. */
function pictureOf(profile: Loose): SourceBytes | null {
  const isOwn = profile.is_custom_image === true || /^[^g]/.test(firstText(profile.avatar_hash))
  const address = isOwn ? firstText(...pictures.map(name => profile[name])) : ''
  return address === '' ? null : { at: 'download', bytes: 0, address }
}

/** The id by which messages name an app, beside that of its account. */
export const botIdOf = (user: Loose): string => firstText(inside(user.profile).bot_id)
