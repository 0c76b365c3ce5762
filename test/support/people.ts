import { randomBytes } from 'node:crypto'
import type { Sql } from '../../server/store/driver/db.js'
import { bumpVersion } from '../../server/store/organization/organization.js'
import { landingStep, welcomeStep } from '../../shared/resources/onboarding-step.js'
import { Api } from './http.js'

export interface PersonOptions {
  full_name?: string
  email?: string
  role?: 100 | 200 | 300 | 400 | 600
  bot_type?: 1 | 2 | 3 | 4
  bot_owner_id?: number
  email_address_visibility?: 1 | 2 | 3 | 4 | 5
  settings?: Record<string, unknown>
  is_active?: boolean
  date_joined?: Date
  /** The account has just come: the page welcomes it. */
  isNew?: boolean
}

/** An account of a test, with functions to call the server. */
export class Person extends Api {
  readonly full_name: string

  constructor(
    readonly id: number,
    readonly email: string,
    readonly api_key: string,
    { url, full_name }: { readonly url: string; readonly full_name: string },
  ) {
    super(url, { email, api_key })
    this.full_name = full_name
  }
}

/** The same account with the API key that it has now. */
export async function withPresentKey(sql: Sql, { id, email, full_name, url }: Person): Promise<Person> {
  const [row] = await sql<{ api_key: string }[]>`select api_key from users where id = ${id}`
  if (!row) throw new Error('there is no such account')
  return new Person(id, email, row.api_key, { url, full_name })
}

// What each account has seen from the beginning.
const first = ['visibility_policy_banner']
let made = 0

/** Inserts the account into the database: servers find it there, like one that another server created. */
export async function createPerson(sql: Sql, url: string, options: PersonOptions = {}): Promise<Person> {
  const number = ++made
  const full_name = options.full_name ?? `Person ${number} ${randomBytes(3).toString('hex')}`
  const email = options.email ?? `person${number}-${randomBytes(4).toString('hex')}@test.example`
  const api_key = randomBytes(16).toString('hex')
  const id = await sql.begin(async tx => {
    const version = await bumpVersion(tx)
    const [row] = await tx<{ id: number }[]>`
      insert into users (delivery_email, full_name, role, is_bot, bot_type, bot_owner_id, email_address_visibility, api_key,
        settings, is_active, date_joined, onboarding_seen, version)
      values (${email}, ${full_name}, ${options.role ?? 400}, ${options.bot_type !== undefined}, ${options.bot_type ?? null},
        ${options.bot_owner_id ?? null}, ${options.email_address_visibility ?? 1}, ${api_key},
        ${tx.json((options.settings ?? {}) as never)}, ${options.is_active ?? true}, ${options.date_joined ?? new Date()},
        ${options.isNew ? first : [...first, welcomeStep, landingStep]}, ${version})
      returning id`
    if (!row) throw new Error('no user row came back')
    return row.id
  })
  return new Person(id, email, api_key, { url, full_name })
}
