import { newApiKey } from '../../actions/accounts/new-secrets.js'
import { administrator, guest, member, moderator, owner } from '../../policies/roles.js'
import type { SeededUser } from '../../store/seeding/seeding.js'
import type { Random } from './random.js'
import { firstNames, nameBeginnings, nameEndings, timezones } from './words.js'

const day = 24 * 60 * 60 * 1000

/**
 * Creates accounts: at least one owner, some administrators and moderators, guests, bots, and members. API keys do not depend on the seed:
 * otherwise anyone with the seed could sign in.
 * @param first a number that no address contains yet
 */
export function makePeople(random: Random, count: number, first: number, now: number): SeededUser[] {
  return Array.from({ length: count }, (_, i) => {
    const isBot = isBotAt(i)
    const full_name = nameOf(random, isBot)
    return {
      delivery_email: `${asAddress(full_name)}.${first + i}@seed.example`,
      full_name,
      role: isBot ? member : roleOf(random, i, count),
      is_active: i < activeAtLeast || !random.chance(0.03),
      bot_type: isBot ? random.pick([1, 1, 1, 2, 3]) : null,
      bot_owner: isBot ? ownerOf(random, i) : null,
      email_address_visibility: random.pick([1, 1, 1, 1, 1, 2, 2, 3, 5, 4]),
      api_key: newApiKey(),
      timezone: random.pick(timezones),
      settings: random.chance(0.02) ? { presence_enabled: false } : {},
      // Spread over 400 days, ascending with the index.
      date_joined: new Date(now - Math.ceil((1 - i / count) * 400 * day) - random.below(day)),
    }
  })
}

// A small organization has at least this many active people, so that one can sign in as them.
const activeAtLeast = 5

const isBotAt = (i: number): boolean => i % 50 === 9

/** The index of an earlier user who is no bot. */
function ownerOf(random: Random, i: number): number {
  const place = random.below(i)
  return isBotAt(place) ? place - 1 : place
}

function roleOf(random: Random, i: number, count: number): number {
  if (i === 0 || (count >= 1000 && i < 3)) return owner
  const drawn = random.next()
  if (i === 1 || drawn < 0.005) return administrator
  if (i === 2 || drawn < 0.015) return moderator
  if (i === 4 || drawn < 0.065) return guest
  return member
}

function nameOf(random: Random, isBot: boolean): string {
  const family = random.pick(nameBeginnings) + random.pick(nameEndings)
  return isBot ? `${family} Bot` : `${random.pick(firstNames)} ${family}`
}

const asAddress = (name: string): string => name.toLowerCase().replace(/[^a-z]+/g, '.')
