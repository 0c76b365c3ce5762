import { firstText, type Loose } from '../loose.js'
import type { Person, SourceBytes } from '../source.js'

const ranks: Readonly<Record<string, Person['rank']>> = {
  100: 'administrator',
  200: 'administrator',
  300: 'moderator',
  600: 'guest',
}

/** An account of the archive. `isDummy`: of a person who wrote by another server and never had an account. */
export function personOf(
  user: Loose,
  { key, isDummy, picture }: { readonly key: string; readonly isDummy: boolean; readonly picture: SourceBytes | null },
): Person {
  const address = firstText(user.delivery_email, user.email)
  return {
    key,
    name: firstText(user.full_name, address, key),
    address: address === '' ? null : address,
    isBot: user.is_bot === true,
    isActive: user.is_active === true && !isDummy,
    rank: ranks[String(user.role)] ?? 'member',
    timezone: firstText(user.timezone),
    picture,
  }
}

const systemBots: readonly (readonly [string, Required<Person>['system']])[] = [
  ['notification-bot@', 'notifications'],
  ['welcome-bot@', 'welcome'],
  ['emailgateway@', 'mails'],
]

/** An account of the server itself, which belongs to no organization. */
export function systemPersonOf({ email }: Loose, key: string): Person {
  const address = firstText(email)
  const system = systemBots.find(([beginning]) => address.startsWith(beginning))?.[1]
  return {
    key,
    name: firstText(address.replace(/@.*/, ''), key),
    address: null,
    isBot: true,
    isActive: false,
    rank: 'member',
    timezone: '',
    picture: null,
    ...(system && { system }),
  }
}
